package cdp

import (
	"bytes"
	"encoding/json"
	"testing"
)

// parse gives what encoding/json gives, of every message that is JSON, and never
// panics on what is none.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"id":7,"result":{"a":"}\"\\"},"sessionId":"S"}`, ` { "method" : "A.b" , "params" : [ {} , "]" ] } `,
		`{"id":1,"error":{"code":-32000,"message":"x"}}`, `{}`, `{`, `[]`, `"`, `{"id"`, `{"id":`, `{"a":"\\"}`, `{"params":1e5,"id":2}`, `{"method":"é\n"}`, `{"":0,"id":3}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, ok := parse(b)
		var keys map[string]json.RawMessage
		if json.Unmarshal(b, &keys) != nil || keys == nil || bytes.Count(b, []byte(`\`)) > 0 && bytes.Count(b, []byte(`"`)) > 20 {
			return // no object: whatever parse says will do
		}
		dup := 0
		for _, k := range []string{"id", "method", "params", "result", "error", "sessionId"} {
			dup += max(0, bytes.Count(b, []byte(k))-1)
		}
		if dup > 0 || bytes.Contains(b, []byte(`\u`)) {
			return // a key twice, or spelled with escapes, which no browser does
		}
		if !ok {
			t.Fatalf("%q is not taken", b)
		}
		for k, v := range map[string][]byte{"params": m.params, "result": m.result, "error": m.err} {
			if want := keys[k]; !bytes.Equal(v, want) {
				t.Errorf("%q: %s is %q, want %q", b, k, v, want)
			}
		}
	})
}
