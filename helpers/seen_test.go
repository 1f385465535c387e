package helpers_test

import (
	"strings"
	"testing"
)

// What a person sees is read, and what they do not is not: pages of many kinds, each with what its reading says and what it does not.
func TestExtractSeen(t *testing.T) {
	for _, c := range []struct {
		kind, body string
		says, not  []string
	}{
		{"icons", `<style>a,button,div{display:block;width:24px;height:24px}</style><button><svg><title>Close</title></svg></button><button><svg><use href="#settings"/></svg></button><button class="btn btn-icon"><i class="fa fa-trash"></i></button>
<button class=css-1x2y3z><svg data-testid=DeleteIcon></svg></button><div onclick=1 style="background:url(/i/pencil.png)"></div><a href="/cart"><img src="/i/cart.png?v=2" width=20></a>`,
			[]string{`button "Close"`, "button (#settings)", "button (fa-trash)", "button (DeleteIcon)", "{E (pencil.png)}", "[(cart.png)](/cart){E}"}, nil},
		{"colours", `<style>button,span{width:20px;height:20px;display:inline-block;border:0}</style><button style="background:red"></button><button><span style="background:#123456"></span></button><span class=swatch role=radio style="background:rgb(0,128,0)"></span>
<input type=radio name=c value=teal><button id=plain></button>`,
			[]string{"button (#ff0000)", "button (#123456)", "radio (swatch #008000)", "radio (c=teal)", "button (plain)"}, nil},
		{"pictures", `<img src="/none" width=640 height=480><img alt="" src="data:," width=300 height=200><img width=9 height=9><a href=/p><img width=120 height=110></a><svg width=200 height=150><circle r=9 /></svg><img alt=Named width=200 height=200>
<audio controls></audio><object data="/none" width=200 height=100 type="image/png"><p>instead</p></object>`,
			[]string{"{E image 640×480}", "{E image 300×200}", "[(image 120×110)](/p){E}", "{E image 200×150}", "![Named]", "{E Audio 300×54}", "instead"}, []string{"9×9"}},
	} {
		t.Run(c.kind, func(t *testing.T) {
			open(t, html(c.body))
			m := uids.ReplaceAllString(read(t, "extract()").Markdown, "E")
			for _, s := range c.says {
				if !strings.Contains(m, s) {
					t.Errorf("no %q in\n%s", s, m)
				}
			}
			for _, s := range c.not {
				if strings.Contains(m, s) {
					t.Errorf("%q in\n%s", s, m)
				}
			}
		})
	}
}
