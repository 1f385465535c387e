package helpers_test

import (
	"fmt"
	"testing"
)

// Field case 71: fields of parts and fields with a mask are filled by both, and told truly.
func TestFieldsOfParts(t *testing.T) {
	page := html(`<div role=group id=date><span role=spinbutton contenteditable aria-label=Month aria-valuemax=12>MM</span>/<span role=spinbutton contenteditable aria-label=Day aria-valuemax=31>DD</span>/<span role=spinbutton contenteditable aria-label=Year aria-valuemax=9999>YYYY</span></div>
<div id=code></div><div id=plain></div><input id=phone><input id=card><input id=money><input id=drawn value="(___) ___"><script>
const sections = [...date.querySelectorAll('span')], digits = i => i.value.replace(/\D/g, '');
sections.forEach((e, i) => { let typed = ''; const shown = e.textContent, wide = shown.length;
 e.onbeforeinput = ev => ev.preventDefault(); e.onfocus = () => typed = '';
 e.onkeydown = ev => { if (ev.key === 'Tab') return; ev.preventDefault();
  if (/^\d$/.test(ev.key)) { typed += ev.key; e.textContent = typed.padStart(wide, '0'); if (typed.length >= wide || +(typed + '0') > +e.ariaValueMax) sections[i + 1]?.focus() }
  if (ev.key === 'Backspace') { typed = ''; e.textContent = shown } } });
const boxes = (id, max) => { for (let i = 0; i < 6; i++) { const b = document.createElement('input'); if (max) b.maxLength = 1; b.style.width = '2em'; b.oninput = () => { b.value = b.value.slice(-1); if (b.value) b.nextElementSibling?.focus() }; document.getElementById(id).append(b) } };
boxes('code', true); boxes('plain', false);
phone.oninput = () => { const d = digits(phone).slice(0, 10); phone.value = d.length > 6 ? '(' + d.slice(0, 3) + ') ' + d.slice(3, 6) + '-' + d.slice(6) : d };
card.oninput = () => card.value = digits(card).slice(0, 16).replace(/(.{4})(?=.)/g, '$1 ');
money.oninput = () => money.value = '$' + (digits(money) / 100).toFixed(2);
drawn.oninput = () => { const d = digits(drawn).slice(0, 6).padEnd(6, '_'); drawn.value = '(' + d.slice(0, 3) + ') ' + d.slice(3); const at = drawn.value.indexOf('_'); if (at >= 0) drawn.setSelectionRange(at, at) };
</script>`)
	open(t, page)
	const holds = `js("[date.innerText, [...code.children].map(b => b.value).join(''), [...plain.children].map(b => b.value).join(''), phone.value, card.value, money.value, drawn.value].filter(v => v && !/[Y_]/.test(v)).join()")`
	for _, c := range []struct{ target, text, typed, filled, holds string }{
		{"#date", "12/25/1990", "<nil>", "<nil>", "12/25/1990"},
		{"#date", "1990-12-25", "<nil>", "<nil>", "12/25/1990"},
		{"#date", "3/4/2026", "<nil>", "<nil>", "03/04/2026"},
		{"#code", "123456", "<nil>", "<nil>", "123456"},
		{"#code input", "123-456", "<nil>", "<nil>", "123456"},
		{"#code input:nth-child(3)", "98", "<nil>", "<nil>", "98"},
		{"#code input:nth-child(4)", "7", "<nil>", "<nil>", "7"},
		{"#code", "1234567", "123456", "123456", "123456"},
		{"#plain input", "123456", "<nil>", "<nil>", "123456"},
		{"#phone", "5551234567", "(555) 123-4567", "(555) 123-4567", "(555) 123-4567"},
		{"#card", "4111111111111111", "<nil>", "4111 1111 1111 1111", "4111 1111 1111 1111"},
		{"#money", "12.34", "<nil>", "$12.34", "$12.34"},
		{"#drawn", "123456", "(123) 456", "(123) 456", "(123) 456"},
	} {
		for _, how := range []string{"typeInto", "fill"} {
			told, holding := c.typed, c.holds
			if how == "fill" {
				told = c.filled
			}
			want(t, fmt.Sprintf(`reload(); waitForLoad(); r := %s(%q, %q); fmt.Println(r["value"]); %s`, how, c.target, c.text, holds), told+"\n"+holding)
		}
	}
	want(t, `reload(); waitForLoad(); fill("#code", "123456"); fill("#code", "654321"); fill("#date", "12/25/1990"); fill("#date", "2026-01-31"); fill("#date span", "7"); `+holds, "07/31/2026,654321")
}
