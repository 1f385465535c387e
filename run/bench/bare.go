package main

import (
	"encoding/json"
	"errors"

	"github.com/gorilla/websocket"

	"bu/daemon/testchrome"
)

// bare is a WebSocket of our own to the browser, with nothing of bu between: what a
// command of the protocol costs at least.
type bare struct {
	ws      *websocket.Conn
	session string
	id      int
}

func dialBare(chrome *testchrome.Chrome) (*bare, error) {
	ws, res, err := websocket.DefaultDialer.Dial(chrome.WS, nil)
	if err != nil {
		return nil, err
	}
	res.Body.Close()
	return &bare{ws: ws}, nil
}

// attachBare dials, attaches to one page (the first, if target is empty) and enables
// what bu's daemon enables.
func attachBare(chrome *testchrome.Chrome, target string) (*bare, error) {
	p, err := dialBare(chrome)
	if err != nil {
		return nil, err
	}
	var list struct {
		TargetInfos []struct{ TargetID, Type string }
	}
	if target == "" {
		err = p.call("Target.getTargets", nil, &list)
		for _, t := range list.TargetInfos {
			if t.Type == "page" {
				target = t.TargetID
				break
			}
		}
	}
	var attached struct{ SessionID string }
	if err == nil {
		err = p.call("Target.attachToTarget", map[string]any{"targetId": target, "flatten": true}, &attached)
	}
	p.session = attached.SessionID
	for _, domain := range []string{"Page", "DOM", "Runtime", "Network"} {
		if err == nil {
			err = p.call(domain+".enable", nil, nil)
		}
	}
	if err != nil {
		p.ws.Close()
		return nil, err
	}
	return p, nil
}

func (p *bare) send(method string, params map[string]any) error {
	p.id++
	command := map[string]any{"id": p.id, "method": method, "params": params}
	if p.session != "" {
		command["sessionId"] = p.session
	}
	return p.ws.WriteJSON(command)
}

// call sends one command and waits for its answer, which it decodes into result.
func (p *bare) call(method string, params map[string]any, result any) error {
	if err := p.send(method, params); err != nil {
		return err
	}
	for {
		_, line, err := p.ws.ReadMessage()
		if err != nil {
			return err
		}
		var answer struct {
			ID            int
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			return err
		}
		switch {
		case answer.ID != p.id: // an event, or of what was only sent
		case answer.Error != nil:
			return errors.New(method + ": " + string(answer.Error))
		case result != nil:
			return json.Unmarshal(answer.Result, result)
		default:
			return nil
		}
	}
}

// js is the value of an expression in the page.
func (p *bare) js(expression string, value any) error {
	var got struct {
		Result struct{ Value json.RawMessage }
	}
	err := p.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &got)
	if err == nil && value != nil {
		err = json.Unmarshal(got.Result.Value, value)
	}
	return err
}

// click is the least that a real click on an element takes: where it is, and the mouse.
// Only the last answer is waited for: a move is answered with the next frame.
func (p *bare) click(selector string) error {
	var at struct{ X, Y float64 }
	err := p.js(`(r => ({x: r.x + r.width/2, y: r.y + r.height/2}))(document.querySelector("`+selector+`").getBoundingClientRect())`, &at)
	mouse := func(kind string) map[string]any {
		return map[string]any{"type": kind, "x": at.X, "y": at.Y, "button": "left", "clickCount": 1}
	}
	for _, kind := range []string{"mouseMoved", "mousePressed"} {
		if err == nil {
			err = p.send("Input.dispatchMouseEvent", mouse(kind))
		}
	}
	if err == nil {
		err = p.call("Input.dispatchMouseEvent", mouse("mouseReleased"), nil)
	}
	return err
}
