import { focusAgain, rememberPlace } from "../lib/focus-return.js";

const KEY = "fd.side";

/** What has the Escape key to itself. */
const FIELDS = "input, textarea, select, [contenteditable]";

/** What had the focus before the third column came over it. @type {WeakMap<Element, HTMLElement>} */
const before = new WeakMap();

/**
 * Opens or closes the third column: beside the thread where there is room, else over it. There it has the focus, which would
 * stay on what it covers, and gives it back.
 * @param {HTMLElement} view the section that has the column @param {HTMLElement} side @param {boolean} [isShown]
 */
export function toggleSide(view, side, isShown) {
  if (!matchMedia("(max-width: 1100px)").matches) {
    const isClosed = !(isShown ?? view.classList.contains("is-side-closed"));
    view.classList.toggle("is-side-closed", isClosed);
    rememberSide(isClosed);
    return;
  }
  const wasShown = view.classList.contains("shows-side");
  const had = /** @type {HTMLElement} */ (document.activeElement);
  if (view.classList.toggle("shows-side", isShown) === wasShown) return;
  if (wasShown) {
    const control = before.get(view);
    if (control) focusAgain(control);
    return;
  }
  before.set(view, had);
  rememberPlace(had);
  const part = /** @type {HTMLElement} */ (side.firstElementChild);
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
}

/** Escape closes the column where it is over the thread, but not from a field of it. @param {HTMLElement} view @param {HTMLElement} side */
export function closeByEscape(view, side) {
  side.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.key !== "Escape" || event.defaultPrevented || !view.classList.contains("shows-side") || target.matches(FIELDS)) return;
    event.preventDefault();
    toggleSide(view, side, false);
  });
}

/** Whether the column was closed on this device. */
export function isSideClosed() {
  try {
    return localStorage.getItem(KEY) === "closed";
  } catch {
    return false;  // Safe: without storage it is open.
  }
}

/** @param {boolean} isClosed */
function rememberSide(isClosed) {
  try {
    localStorage.setItem(KEY, isClosed ? "closed" : "open");
  } catch {
    // Safe: as above.
  }
}
