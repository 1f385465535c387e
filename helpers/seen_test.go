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
		{"hidden text", `<style>.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}</style><p>Price <span class=sr>for readers</span> shown</p><p style="clip-path:inset(50%)">clipped</p><p style="position:absolute;left:-9999px">far left</p>
<p style="font-size:0">no size <b style="font-size:9px">again a size</b></p><div style="height:0;overflow:hidden">collapsed</div><div hidden=until-found>not found</div><div style="content-visibility:hidden">passed over <a href="/x">a link there</a></div><p style="transform:scale(0)">shrunk</p><p style="scale:0">scaled away</p><label class=sr>Mute <input type=checkbox></label><p style="visibility:hidden">unseen <i style="visibility:visible">seen</i></p>`,
			[]string{"Price shown", "again a size", `checkbox "Mute"`, "*seen*"}, []string{"readers", "clipped", "far left", "no size", "collapsed", "not found", "passed over", "a link there", "unseen", "shrunk", "scaled away"}},
		{"shut drawers", `<style>.d{position:fixed;width:200px;height:100px}</style><p>Page</p><div class=d style="right:0;top:0;transform:translateX(100%)">Cart <button>Pay</button></div><div class=d style="bottom:-100px">Sheet</div><div style="position:fixed;top:0;left:100%;width:1px;height:1px"><div class=d style="right:9px;top:9px">Toast</div></div>
<div style="transform:translateX(0)"><div style="position:fixed;top:3000px">Far down</div></div>`, []string{"Page", "Toast", "Far down"}, []string{"Cart", "Pay", "Sheet"}},
		{"drawn text", `<style>.p::before{content:"€ "}.p::after{content:" incl. VAT"}.tip::after{content:"a tip";opacity:0}.dot::before{content:"•"}</style><p class=p>12</p><p class=tip>Tipped</p><p class=dot>Dotted</p><p><q>Said</q></p>
<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> 10<sup>23</sup> <sup>TM</sup></p><p>Half <math><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>+</mo><msup><mi>x</mi><mn>2</mn></msup></math></p>
<p><span class=sr style="position:absolute;width:1px;height:1px;overflow:hidden"><math><semantics><mi>y</mi><annotation encoding="application/x-tex">y_1</annotation></semantics></math></span><span aria-hidden=true><i>y drawn</i></span></p>`,
			[]string{"€ 12 incl. VAT", "Tipped", "Dotted", "“Said”", "漢(kan) 10^23 TM", "Half 1/2+x^2", "$y_1$"}, []string{"a tip", "•", "y drawn"}},
		{"gauges", `<div role=progressbar aria-valuenow=55 aria-label=Upload style="height:9px"></div><div role=meter aria-valuenow=3 aria-valuetext="3 of 5 stars" style="height:9px"></div><div role=progressbar aria-valuenow=7>7% done</div><label>Disk <progress value=30 max=60></progress></label>
<div role=checkbox aria-checked=mixed tabindex=0>All</div><ul><li>one<ul><li>nested</ul><li>two</ul>`,
			[]string{"Upload progressbar 55/100", "meter 3 of 5 stars", "7% done", "Disk progressbar 30/60", "{E checkbox \"All\" mixed}\n", "- one\n  - nested\n- two"}, []string{"mixed} All"}},
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
