// captureDialogs: alert, confirm, prompt and print that answer at once and keep what was said. Who wants them captured,
// the run ('run') or all runs ('stay'), is told by name with the answers, or with none to end it; when nobody does, the
// page's own functions are back. sessionStorage outlives a navigation within the site; where there is none (a page
// without an origin) the window keeps it.
(who, answers) => {
  const key = 'bu-dialogs', by = alert.by ?? {};
  const settle = () => { if (!by.run && !by.stay) Object.assign(window, alert.own) };
  if (answers) by[who] = answers; else delete by[who];
  if (alert.by) return settle();
  if (!answers) return;
  const own = { alert, confirm, prompt, print };
  let kept = [];
  const said = () => {
    try { return JSON.parse(sessionStorage.getItem(key)) ?? kept } catch { return kept }
  };
  const keep = (type, message, answer) => {
    kept = [...said(), {type, message: String(message ?? ''), answer, url: location.href}].slice(-100);
    try { sessionStorage.setItem(key, JSON.stringify(kept)) } catch {}
    return answer;
  };
  const given = () => by.run ?? by.stay;
  window.alert = message => { keep('alert', message, null) };
  window.confirm = message => keep('confirm', message, Boolean(given()[0]));
  window.prompt = (message, proposed) => keep('prompt', message, given()[1] ?? String(proposed ?? ''));
  window.print = () => { keep('print', '', null) };
  Object.assign(window.alert, { said, by, own });
  // A page that is kept to come back to may do so when the run is over.
  addEventListener('pagehide', e => { if (e.persisted && alert.by === by) { delete by.run; settle() } });
}
