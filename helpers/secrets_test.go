package helpers_test

import (
	"strings"
	"testing"
)

// A password in an address is in nothing that bu says of it (field case 78).
func TestPasswordInAnAddress(t *testing.T) {
	start(t)
	served := guarded("inner room")
	defer served.Close()
	address := strings.Replace(served.URL, "://", "://ann:sesame@", 1)
	open(t, html(`<a id=tab target=_blank href="`+address+`/tab">tab</a><a id=same href="`+address+`/same">same</a>`))
	said := out(t, `fmt.Println(clickOn("#tab"))
fmt.Println(navigate("`+address+`/x"), currentTab(), pageInfo(), listTabs(), call(M{"meta": "status"}), requests())
fmt.Println(newTab("`+address+`/y"), reload(), changes(), extract()["markdown"])
closeTab()
fmt.Println(try(func() { httpGet("`+strings.Replace(address, "ann:", "bob:", 1)+`/z") }))
fmt.Println(try(func() { httpGet("http://ann:sesame@127.0.0.1:1/") }), get(httpGetAll([]string{"http://ann:sesame@127.0.0.1:1/"}), 0, "error"))
fmt.Println(try(func() { httpGet("http://ann:sesame@127.0.0.1:bad/") }), try(func() { navigate("http://ann:sesame@127.0.0.1:1/") }))`)
	if !strings.Contains(said, served.URL+"/x") || !strings.Contains(said, "401") {
		t.Errorf("it does not say where it is: %s", said)
	}
	if i := strings.Index(said, ":sesame"); i >= 0 {
		t.Errorf("a password is told: %s", said[max(0, i-200):i+100])
	}
}
