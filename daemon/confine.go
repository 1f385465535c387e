package main

import (
	"encoding/json"
	"strings"

	"bu/daemon/wire"
)

// offline are the network conditions under which hosts alone can be reached.
func offline(hosts wire.Hosts) obj {
	rule := func(pattern string, off bool) obj {
		return obj{"urlPattern": pattern, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1, "offline": off}
	}
	var rules []obj
	for _, h := range hosts {
		if !strings.Contains(strings.TrimRight(h, "0123456789"), ":") || strings.HasSuffix(h, "]") {
			h += ":*"
		}
		rules = append(rules, rule("*://"+h+"/*", false))
	}
	return obj{"matchedNetworkConditions": append(rules, rule("*://*:*/*", true))}
}

// confine is a script that runs before a document's or worker's own, keeps WebSockets to
// hosts, and takes shared workers away.
func confine(hosts wire.Hosts) string {
	list, _ := json.Marshal(hosts)
	return `(hosts => {
		delete globalThis.SharedWorker
		// Nothing here may touch location before the worker runs: Chromium 156 crashes.
		delete globalThis.WebSocketStream
		const real = globalThis.WebSocket, test = RegExp.prototype.test
		const allowed = hosts.map(h => {
			const [, name, port] = /^(.*?)(?::(\d+))?$/.exec(h)
			return new RegExp('^wss?://' + name.replace(/[.[\]]/g, '\\$&').replace(/^\*/, '[^/]+') + (port ? ':' + port : '(:\\d+)?') + '/')
		})
		const ok = url => { for (let i = 0; i < allowed.length; i++) if (Reflect.apply(test, allowed[i], [url])) return true }
		const address = URL, apply = Reflect.apply, make = Reflect.construct
		const held = new Proxy(real, {construct(target, args, of) {
			const url = new address(args[0], globalThis.document?.baseURI ?? location.href).href.replace(/^http/, 'ws')
			if (!ok(url)) throw new DOMException('BU_ALLOW does not name that host', 'SecurityError')
			return make(target, [url, ...args.slice(1)], of)
		}})
		real.prototype.constructor = held
		globalThis.WebSocket = held
	})(` + string(list) + `)`
}
