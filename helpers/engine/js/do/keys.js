// dispatchKey: keyboard events made by script. Chrome takes keyCode and charCode in the
// constructor, as pages that look at nothing else need it.

engine.keys = (target, types, key, code, keyCode, char) => {
  const at = target ? find(target) : inFocus() || document.body;
  for (const type of types) {
    const press = type === 'keypress', n = press ? char : keyCode;
    at.dispatchEvent(new KeyboardEvent(type, {
      key, code, keyCode: n, which: n, charCode: press ? char : 0, bubbles: true, cancelable: true, composed: true,
    }));
  }
};
