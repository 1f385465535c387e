package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
)

func (d *daemon) pid() int { return os.Getpid() }

// fingerprint tells one run of a browser from the next without being a key to it.
func fingerprint(id string) string {
	h := sha256.Sum256([]byte(id))
	return hex.EncodeToString(h[:8])
}

func (d *daemon) claimed(string) bool { return false }
func (d *daemon) save()               {}
func (d *daemon) saveSoon()           {}
func (d *daemon) forget()             { os.Remove(d.paths.State) }

func (d *daemon) tabsLocked() []answer {
	tabs := []answer{}
	for _, t := range d.targets {
		if t.owner != nil && t.kind == "page" {
			tabs = append(tabs, answer{"label": t.owner.name, "target_id": t.id, "url": t.url, "current": t.owner.target == t})
		}
	}
	return tabs
}
