package main

import (
	"fmt"

	"bu/daemon/wire"
	"bu/helpers/engine"
)

// within says why BU_ALLOW keeps from an address: this run's, or that of the daemon, if one
// lives, which may be narrower.
func (b *browser) within(address string) error {
	b.limits.Do(func() {
		b.hosts = b.allow
		conn, err := b.dial(false)
		if err != nil {
			return
		}
		status, _ := b.one(conn, M{"meta": "status"})
		if list, is := status["allow"].([]any); is {
			theirs := wire.Hosts{}
			for _, h := range list {
				theirs = append(theirs, fmt.Sprint(h))
			}
			if b.hosts == nil {
				b.hosts = theirs
			}
			b.hosts = b.hosts.Within(theirs)
		}
	})
	if place, ok := b.hosts.Allow(address); !ok {
		return &Error{Code: "not_allowed", Message: engine.Bare(address) + ": " + place + " is not among the hosts of BU_ALLOW", Data: M{"host": place}}
	}
	return nil
}
