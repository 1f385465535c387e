// captureDialogs: alert, confirm and prompt that answer at once and keep what was said.
// sessionStorage outlives a navigation within the site; where there is none (a page
// without an origin) the window keeps it.
(confirmAnswer, promptAnswer) => {
  let kept = [];
  const key = 'bu-dialogs';
  const said = () => {
    try { return JSON.parse(sessionStorage.getItem(key)) ?? kept } catch { return kept }
  };
  const keep = (type, message, answer) => {
    kept = [...said(), {type, message: String(message ?? ''), answer, url: location.href}].slice(-100);
    try { sessionStorage.setItem(key, JSON.stringify(kept)) } catch {}
    return answer;
  };
  window.alert = message => { keep('alert', message, null) };
  window.confirm = message => keep('confirm', message, Boolean(confirmAnswer));
  window.prompt = (message, proposed) => keep('prompt', message, promptAnswer ?? String(proposed ?? ''));
  window.alert.said = said;
}
