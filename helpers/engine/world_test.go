package engine

import (
	"encoding/json"
	"testing"
)

func TestTerse(t *testing.T) {
	for text, want := range map[string]string{
		"// why\nconst a = 1; // kept: it may be in a text\n\t  return a;\n": "\nconst a = 1; // kept: it may be in a text\nreturn a;\n",
		"  // the last line has no break":                                    "\n",
		"const u = 'https://x.example';\n":                                   "const u = 'https://x.example';\n",
		"t = '★ \\★ \\\\★ 😀' + \"\\n\x01\";\n":                               `t = '\u2605 \u2605 \\\u2605 \ud83d\ude00' + "\n` + "\x01\";\n",
		"  f(`one\n  // two\n  three`);\n// why\n":                           "  f(`one\n  // two\n  three`);\n// why\n",
	} {
		var got string
		quoted := append(terse([]byte(`"`), []byte(text)), '"')
		if err := json.Unmarshal(quoted, &got); err != nil || got != want {
			t.Errorf("terse(%q) = %s, which is %q (%v), want %q", text, quoted, got, err, want)
		}
	}
}
