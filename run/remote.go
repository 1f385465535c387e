package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"bu/daemon/wire"
)

// other sends a request to another daemon than the run's own; with env, that daemon is
// started first.
func (b *browser) other(name string, req M, env ...M) M {
	ctx, cancel := context.WithTimeoutCause(context.Background(), b.left()-margin,
		&Error{Code: "timeout", Message: "the daemon " + name + " did not answer before BU_TIMEOUT"})
	defer cancel()
	answer, err := func() (M, error) {
		if err := wire.CheckName(name); err != nil {
			return nil, &Error{Code: "bad_request", Message: err.Error()}
		}
		if len(env) > 0 {
			if err := startDaemon(name, variables(env[0])); err != nil {
				return nil, err
			}
		}
		conn, err := wire.Dial(ctx, name)
		if errors.Is(err, wire.ErrNoDaemon) {
			return nil, &Error{Code: "no_daemon", Message: "no daemon runs for BU_NAME " + name}
		}
		if err != nil {
			return nil, err
		}
		defer conn.Close()
		line, err := json.Marshal(req)
		if err != nil {
			return nil, &Error{Code: "bad_request", Message: err.Error()}
		}
		return ask(ctx, conn, line)
	}()
	if err != nil {
		panic(failure(err))
	}
	return answer
}

func variables(env M) (list []string) {
	for name, value := range env {
		list = append(list, fmt.Sprintf("%s=%v", name, value))
	}
	return list
}
