package helpers

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	neturl "net/url"
	"time"

	"bu/helpers/engine"
)

// httpGet fetches url without the browser (so without its logins) and gives the body; text
// is converted to UTF-8. It follows redirects and takes up to 20 s. headers: M{"Accept":
// "text/html"}. Errors: http_error with the status (from 400 on) and the beginning of the
// body, or the cause; not_allowed (BU_ALLOW).
func httpGet(url string, headers ...M) string {
	status, body, err := fetch(url, headers)
	if err == nil && status >= 400 {
		err = fmt.Errorf("%d %s: %.300s", status, http.StatusText(status), body)
	}
	if kept := (*Error)(nil); errors.As(err, &kept) {
		panic(kept)
	}
	if err != nil {
		panic(&Error{Code: "http_error", Message: engine.Bare(url) + ": " + err.Error(), Data: M{"status": status, "body": body}})
	}
	return body
}

// httpGetAll fetches many addresses, 16 at a time, and gives their answers in the same
// order: [{url, status, body}], or {url, error} for those that did not answer.
func httpGetAll(urls []string, headers ...M) []any {
	answers, turn := make([]any, len(urls)), make(chan bool, 16)
	defer engine.Progress("")
	for i, url := range urls {
		engine.Progress(fmt.Sprintf("fetching %d of %d", i+1, len(urls)))
		turn <- true
		go func(i int, url string) {
			answers[i] = answered(url, headers)
			<-turn
		}(i, url)
	}
	for range cap(turn) { // every slot is free again once all requests are done
		turn <- true
	}
	return answers
}

func answered(url string, headers []M) M {
	status, body, err := fetch(url, headers)
	if err != nil {
		return M{"url": url, "error": err.Error()}
	}
	return M{"url": url, "status": float64(status), "body": body}
}

func fetch(url string, headers []M) (status int, body string, err error) {
	request, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return 0, "", cause(err)
	}
	request.Header.Set("User-Agent", "Mozilla/5.0") // some sites refuse Go's own user agent
	for _, h := range headers {
		for name, value := range h {
			request.Header.Set(name, fmt.Sprint(value))
		}
	}
	return download(request)
}

// cause is an error without the address in it, which may hold a password.
func cause(err error) error {
	failed := (*neturl.Error)(nil)
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

func redirected(next *http.Request, before []*http.Request) error {
	if len(before) > 10 {
		return errors.New("more than 10 redirects")
	}
	return engine.Within(next.URL.String())
}

func download(request *http.Request) (status int, body string, err error) {
	client := http.Client{Timeout: 20 * time.Second, CheckRedirect: redirected}
	if err := engine.Within(request.URL.String()); err != nil {
		return 0, "", err
	}
	answer, err := client.Do(request)
	if err != nil {
		return 0, "", cause(err)
	}
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	return answer.StatusCode, engine.Decode(text, answer.Header.Get("Content-Type")), err
}
