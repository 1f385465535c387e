// Runs before a document's or worker's own scripts: keeps WebSockets to the hosts of
// BU_ALLOW, and takes away what the guard cannot see or what outlives it.
(hosts, policy) => {
	if (policy && globalThis.document) confine(policy)
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
	if (globalThis.document) links(url => !/^https?:/.test(url) || ok(url.replace('http', 'ws')))
	// The document's policy (CSP) also holds in frames whose text the page itself brings (srcdoc,
	// data:, blob:): sandboxed ones run their first script before the guard has come to them.
	function confine(content) {
		const html = name => document.createElementNS('http://www.w3.org/1999/xhtml', name)
		const meta = Object.assign(html('meta'), {httpEquiv: 'Content-Security-Policy', content})
		if (document.documentElement) return document.head?.appendChild(meta).remove()
		const root = html('html') // nothing is parsed yet; a policy stays when its element goes
		root.appendChild(html('head')).appendChild(meta)
		document.appendChild(root).remove()
	}
	// A link or form that opens a tab of its own because of a key or the middle button: Chrome
	// has that under way before the guard of that tab can hold it.
	function links(ok) {
		const up = Object.getOwnPropertyDescriptor(Node.prototype, 'parentNode').get, host = Object.getOwnPropertyDescriptor(ShadowRoot.prototype, 'host').get
		const attribute = Element.prototype.getAttribute, xlink = 'http://www.w3.org/1999/xlink'
		const to = n => {
			if (!(n instanceof Element)) return null
			if (n instanceof HTMLButtonElement || n instanceof HTMLInputElement) return n.form && (apply(attribute, n, ['formaction']) ?? apply(attribute, n.form, ['action']))
			return apply(attribute, n, ['href']) ?? n.getAttributeNS(xlink, 'href')
		}
		const away = n => {
			for (; n; n = n instanceof ShadowRoot ? apply(host, n, []) : apply(up, n, [])) {
				try { if (to(n) && !ok(new address(to(n), document.baseURI).href)) return true } catch { /* no address */ }
			}
		}
		const opens = e => e instanceof MouseEvent && (e.ctrlKey || e.metaKey || e.shiftKey || e.button === 1)
		const listen = root => { for (const kind of ['click', 'auxclick']) root.addEventListener(kind, e => { if (opens(e) && away(e.composedPath()[0])) e.preventDefault() }, true) }
		listen(globalThis)
		const attach = Element.prototype.attachShadow, dispatch = EventTarget.prototype.dispatchEvent
		Element.prototype.attachShadow = {attachShadow(how) { const root = apply(attach, this, [how]); listen(root); return root }}.attachShadow
		EventTarget.prototype.dispatchEvent = {dispatchEvent(e) { return !(opens(e) && this instanceof Node && away(this)) && apply(dispatch, this, [e]) }}.dispatchEvent
	}
}
