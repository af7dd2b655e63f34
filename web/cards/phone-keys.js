/** What shows that the page in the frame is used. */
const SIGNS = ["pointermove", "pointerdown", "keydown", "wheel"];

/**
 * Lets the page around a frame know that the page in it is used (`phone-used`), and gives it the keys that the page in it
 * has no use for: single keys outside fields, Ctrl+K or ⌘K, and Escape, which leaves the frame.
 * @param {Window} inside
 * @param {HTMLElement} host the element around the frame; it gets the focus that leaves it
 */
export function passOnUse(inside, host) {
  for (const sign of SIGNS) {
    inside.addEventListener(sign, ({ type, movementX, movementY }) => {
      if (type === "pointermove" && movementX === 0 && movementY === 0) return;
      host.dispatchEvent(new CustomEvent("phone-used", { bubbles: true, composed: true }));
    }, { capture: true, passive: true });
  }
  inside.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || isInDialog(event) || inside.document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") {
      event.preventDefault();
      host.focus();
    } else if (isForPageAround(event)) {
      const { key, ctrlKey, metaKey, shiftKey } = event;
      const again = new KeyboardEvent("keydown", { key, ctrlKey, metaKey, shiftKey, bubbles: true, composed: true, cancelable: true });
      if (!host.dispatchEvent(again)) event.preventDefault();
    }
  });
}

/** A dialog may be in a shadow root. */
function isInDialog(event) {
  return event.composedPath().some(({ localName }) => localName === "dialog");
}

function isForPageAround(event) {
  if (event.altKey) return false;
  if (event.ctrlKey || event.metaKey) return event.key.toLowerCase() === "k";
  const [target] = event.composedPath();
  const isField = target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
  return !isField && [...event.key].length === 1 && event.key !== " ";
}
