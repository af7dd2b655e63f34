import { h, sheet } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./i18n.js";

/** How long a toast stays while no pointer and no focus is on it, in milliseconds, and how many there are at once. */
const SHOWN_MILLISECONDS = 8_000;
const MOST = 3;

const styles = sheet(`
.fd-toasts { position: fixed; inset: 64px auto auto 50%; translate: -50% 0; z-index: 20; display: grid; gap: 8px; width: max-content;
  max-width: calc(100vw - 24px); pointer-events: none; }
.fd-toast { display: flex; align-items: center; gap: 8px; justify-self: center; max-width: 100%; min-height: 40px; padding: 4px 6px 4px 16px;
  border-radius: var(--fd-radius-md); background: var(--fd-ink); color: var(--fd-bg); box-shadow: var(--fd-shadow-3);
  font-size: var(--fd-text-sm); pointer-events: auto; animation: fd-toast-in var(--fd-calm) var(--fd-ease); }
@keyframes fd-toast-in { from { opacity: 0; transform: translateY(-8px); } }
@media (prefers-reduced-motion: reduce) { .fd-toast { animation: none; } }
.fd-toast button { display: grid; place-items: center; min-width: 32px; min-height: 32px; padding: 0 10px; border: 0; border-radius: var(--fd-radius-sm);
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
 * Says what has happened, above the page, for a short time; a pointer or the focus on it holds it.
 * @param {string} text
 * @param {{undo?: () => void, action?: string}} [options] `undo`: offered as a button, which says `action` or "Undo"
 */
export function showToast(text, { undo, action } = {}) {
  const list = stackOfPage();
  const end = () => {
    clearTimeout(timer);
    toast.remove();
  };
  const toast = h("div", { class: "fd-toast" }, h("span", null, text),
    undo ? h("button", {
      type: "button", onClick: () => {
        end();
        undo();
      },
    }, action ?? t("shared.undo")) : null,
    h("button", { type: "button", class: "fd-toast-close", "aria-label": t("shared.dismiss"), onClick: end }, icon("close", 16)));
  let timer = setTimeout(end, SHOWN_MILLISECONDS);
  const hold = () => clearTimeout(timer);
  const release = () => {
    clearTimeout(timer);
    timer = setTimeout(end, SHOWN_MILLISECONDS);
  };
  toast.addEventListener("pointerenter", hold);
  toast.addEventListener("focusin", hold);
  toast.addEventListener("pointerleave", release);
  toast.addEventListener("focusout", release);
  list.append(toast);
  while (list.children.length > MOST) list.firstElementChild.remove();
}
