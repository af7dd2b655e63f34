import { h, sheet } from "./dom.js";
import { focusAgain, rememberPlace } from "./focus-return.js";
import { icon } from "./icons.js";
import { t } from "./i18n.js";

/** How long a toast stays while no pointer and no focus is on it, in milliseconds, and how many there are at most. */
const SHOWN_MILLISECONDS = 8_000;
const MOST = 5;

/* Only the newest is shown; the page says where, and keeps that place free. */
const styles = sheet(`
.fd-toasts { position: fixed; inset: auto auto 16px 50%; translate: -50% 0; z-index: 20; display: grid;
  max-width: calc(100vw - 16px); pointer-events: none; }
.fd-toast { display: flex; align-items: center; gap: 8px; min-height: 44px; padding: 4px 6px 4px 14px;
  border-radius: var(--fd-radius-md); background: var(--fd-ink); color: var(--fd-bg); box-shadow: var(--fd-shadow-2);
  font-size: var(--fd-text-sm); line-height: 18px; pointer-events: auto; animation: fd-toast-in var(--fd-calm) var(--fd-ease); }
.fd-toast:not(:last-child) { display: none; }
.fd-toast-words { flex: 1; min-width: 0; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
.fd-toast:has(.fd-toast-action) { flex-wrap: wrap; justify-content: end; padding-block: 8px; }
.fd-toast:has(.fd-toast-action) .fd-toast-words { flex: 1 1 104px; }
.fd-toast:has(.fd-toast-action ~ .fd-toast-undo) .fd-toast-words { flex-basis: 100%; }
.fd-toast-more { flex: none; font-size: var(--fd-text-xs); font-variant-numeric: tabular-nums; opacity: 0.8; }
.fd-toast-more:empty { display: none; }
@keyframes fd-toast-in { from { opacity: 0; transform: translateY(8px); } }
@media (prefers-reduced-motion: reduce) { .fd-toast { animation: none; } }
.fd-toast button { flex: none; display: grid; place-items: center; min-width: 32px; min-height: 32px; padding: 0 10px; border: 0; border-radius: var(--fd-radius-sm);
  background: color-mix(in srgb, var(--fd-bg) 14%, transparent); color: inherit; font-weight: 600; cursor: pointer; }
.fd-toast .fd-toast-close { padding: 0; background: none; }
.fd-toast button:focus-visible { outline-color: var(--fd-bg); outline-offset: -3px; }
`);

let stack = null;

function stackOfPage() {
  if (!stack) {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, styles];
    stack = h("div", { class: "fd-toasts", role: "status", "aria-live": "polite" });
  }
  if (!stack.isConnected) document.body.append(stack);
  return stack;
}

/**
 * Says what has happened, for a short time; a pointer or the focus on it holds it. Earlier ones wait behind the newest, and
 * their time goes on when they are shown again.
 * @param {string} text
 * @param {{undo?: () => void, action?: string, more?: {action: string, run: () => void}}} [options] `undo`: offered as a
 *   button, which says `action` or "Undo"; `more`: what may be done next, as a button before it
 */
export function showToast(text, { undo, action, more } = {}) {
  const list = stackOfPage();
  let timer = 0;
  const end = () => {
    clearTimeout(timer);
    toast.remove();
    drawStack();
  };
  /** What had the focus before it came here. @type {HTMLElement|null} */
  let before = null;
  const press = (run) => {
    end();
    run?.();
    // What the press did may have put the focus elsewhere itself.
    if (before && document.activeElement === document.body) focusAgain(before);
  };
  const button = (kind, words, run) => h("button", { type: "button", class: kind, onClick: () => press(run) }, words);
  const toast = h("div", { class: "fd-toast" }, h("span", { class: "fd-toast-words" }, text),
    h("span", { class: "fd-toast-more", "aria-hidden": "true" }),
    more ? button("fd-toast-action", more.action, more.run) : null,
    undo ? button("fd-toast-undo", action ?? t("shared.undo"), undo) : null,
    h("button", { type: "button", class: "fd-toast-close", "aria-label": t("shared.dismiss"), onClick: () => press() }, icon("close", 16)));
  toast.hold = () => clearTimeout(timer);
  toast.release = () => {
    clearTimeout(timer);
    timer = setTimeout(end, SHOWN_MILLISECONDS);
  };
  toast.addEventListener("pointerenter", toast.hold);
  toast.addEventListener("focusin", (event) => {
    toast.hold();
    const from = /** @type {HTMLElement|null} */ (event.relatedTarget);
    if (!from || stackOfPage().contains(from)) return;
    before = from;
    rememberPlace(from);
  });
  toast.addEventListener("pointerleave", toast.release);
  toast.addEventListener("focusout", toast.release);
  list.lastElementChild?.hold();
  list.append(toast);
  while (list.children.length > MOST) list.firstElementChild.remove();
  drawStack();
}

/** Removes all: who signs in next has nothing to do with what was done before. */
export function dropToasts() {
  for (const toast of [...stack?.children ?? []]) {
    toast.hold();
    toast.remove();
  }
}

/** Presses the way back of the newest toast; false when there is none. */
export function pressUndo() {
  const button = /** @type {HTMLElement|null} */ (stack?.lastElementChild?.querySelector(".fd-toast-undo"));
  button?.click();
  return Boolean(button);
}

/** Says how many wait behind the newest, whose time runs. */
function drawStack() {
  const newest = stack.lastElementChild;
  if (!newest) return;
  const behind = stack.children.length - 1;
  newest.querySelector(".fd-toast-more").textContent = behind ? `+${behind}` : "";
  if (!newest.matches(":hover, :focus-within")) newest.release();
}
