package engine

import "testing"

// A drag whose press is refused is told, and nothing is dragged or let go of. No real browser
// can be made to refuse a press and take the moves after it.
func TestDragIsRefused(t *testing.T) {
	was := host
	defer Bind(was)
	var sent []any
	Bind(Host{
		Hello: func() M { return M{"session_id": "S", "target_id": "T", "seq": 1.0} },
		Send: func(requests ...M) (answers []Answer) {
			for _, r := range requests {
				kind := at(r, "params", "type")
				a := Answer{M: M{"session_id": "S", "target_id": "T", "seq": 1.0, "result": M{"sessionId": "V"}}}
				if r["method"] == "Runtime.evaluate" {
					a.M["result"] = M{"result": M{"value": []any{800.0, 600.0, 1.0, 0.0, 0.0, 800.0, 600.0}}}
				}
				if r["method"] == "Input.dispatchMouseEvent" {
					sent = append(sent, kind)
				}
				if kind == "mousePressed" {
					a = Answer{Err: &Error{Code: "cdp_error", Message: "not now"}}
				}
				answers = append(answers, a)
			}
			return answers
		},
	})
	err := Try(func() { DragAt(10, 10, 200, 200) })
	if err == nil || err.Code != "cdp_error" || err.Message != "not now" {
		t.Errorf("told %v", err)
	}
	if len(sent) != 2 || sent[1] != "mousePressed" {
		t.Errorf("sent %v", sent)
	}
}
