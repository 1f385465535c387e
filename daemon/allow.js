// Runs before a document's or worker's own scripts: keeps WebSockets to the hosts of
// BU_ALLOW, and takes away what the guard cannot see or what outlives it.
hosts => {
	delete globalThis.SharedWorker // nobody's child, and perhaps the user's too
	// Nothing here may touch location before the worker runs: Chromium 156 crashes.
	delete globalThis.WebSocketStream
	delete globalThis.WebTransport
	for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) delete globalThis[name]
	delete globalThis.fetchLater // sent after the tab's end
	if (globalThis.Navigator) delete Navigator.prototype.serviceWorker // lives on after it
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
}
