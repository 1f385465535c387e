// The bar of handoff(): it runs in an isolated world of each page of the tab while a
// person drives, and calls the binding buDone when they press Done.
function bar(message) {
  if (window !== top || globalThis.removeBar) return
  const host = document.createElement('div')
  // Closed and reset: the page's styles and scripts do not reach inside.
  host.style.cssText = 'all: initial; position: fixed; inset: auto 0 24px 0; margin: 0 auto; width: fit-content; max-width: 90vw; border: 0; padding: 0; background: none; overflow: visible; z-index: 2147483647'
  const inside = host.attachShadow({ mode: 'closed' })
  const box = document.createElement('div'), text = document.createElement('span'), done = document.createElement('button')
  box.style.cssText = 'display: flex; gap: 16px; align-items: center; padding: 12px 16px; border-radius: 12px; background: #1b2a4a; color: #fff; font: 15px/1.4 system-ui, sans-serif; box-shadow: 0 4px 24px #0006'
  done.style.cssText = 'font: inherit; font-weight: 600; padding: 6px 18px; border: 0; border-radius: 8px; background: #fff; color: #1b2a4a; cursor: pointer'
  text.textContent = message
  done.textContent = 'Done'
  done.onclick = e => { if (e.isTrusted) buDone('') }
  box.append(text, done)
  inside.append(box)
  host.popover = 'manual' // the top layer: over the page's own dialogs
  const put = () => {
    if (host.isConnected || !document.documentElement) return
    document.documentElement.append(host)
    host.showPopover()
  }
  // The document may have no element yet, and pages that write themselves anew drop it.
  const watch = new MutationObserver(put)
  watch.observe(document, { childList: true, subtree: false })
  addEventListener('DOMContentLoaded', () => watch.observe(document.documentElement, { childList: true }))
  put()
  globalThis.removeBar = () => { watch.disconnect(); host.remove(); delete globalThis.removeBar }
}
