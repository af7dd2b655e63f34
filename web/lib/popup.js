import { adopt, h, replace, sheet } from "./dom.js";
import { focusAgain, rememberPlace, successorOf } from "./focus-return.js";

/** The distance of a popup from its button, and from the edges of the window, in pixels. */
const GAP = 6;
const EDGE = 8;

const styles = sheet(`
.fd-popup { position: fixed; inset: auto; margin: 0; padding: 6px; min-width: 180px; max-width: min(340px, calc(100vw - 16px));
  overflow-y: auto; border: 1px solid var(--fd-line); border-radius: var(--fd-radius-md); background: var(--fd-bg-raised);
  color: var(--fd-ink); box-shadow: var(--fd-shadow-3); font: 400 var(--fd-text-sm) / 1.4 var(--fd-font); }
.fd-menu-item { display: flex; align-items: center; gap: 10px; width: 100%; min-height: 34px; padding: 5px 10px; border: 0;
  border-radius: var(--fd-radius-sm); background: none; color: inherit; text-align: start; cursor: pointer; }
.fd-menu-item:is(:hover, :focus-visible, [aria-selected="true"]) { background: var(--fd-bg-hover); }
.fd-menu-item:focus-visible { outline-offset: -2px; }
.fd-menu-item[aria-checked="true"] { color: var(--fd-accent-text); }
.fd-menu-item > svg { flex: none; color: var(--fd-ink-2); }
.fd-menu-item > .fd-menu-words { flex: 1; min-width: 0; display: grid; overflow-wrap: anywhere; }
.fd-menu-note { color: var(--fd-ink-3); font-size: var(--fd-text-xs); }
.fd-menu-aside { color: var(--fd-ink-3); font-size: var(--fd-text-xs); font-variant-numeric: tabular-nums; }
.fd-menu-line { height: 1px; margin: 6px 4px; background: var(--fd-line); }
@media (max-width: 640px) { .fd-menu-item { min-height: 44px; } }
`);

/** The open popup of each button, and the button of each popup. */
const opened = new WeakMap();
const anchors = new WeakMap();

/** Whether a node is in a popup, or in one that was opened from within it. */
function isWithin(popup, node) {
  for (let at = node instanceof Element ? node.closest(".fd-popup") : null; at; at = anchors.get(at)?.closest(".fd-popup") ?? null) {
    if (at === popup) return true;
  }
  return false;
}

/**
 * Opens a popup beside a button: above the page, closed by Escape, a press elsewhere, focus elsewhere, or a
 * second press of its button. The focus returns to the button when it was in the popup, or to the one that a redraw has
 * put in its place: the popup stays beside that one, and a menu whose button has no successor is closed.
 * @param {HTMLElement} button
 * @param {import("./dom.js").Child} content
 * @param {{label: string, role?: string, className?: string, side?: "above"|"below", beside?: HTMLElement, onClose?: () => void}} options `beside`: what it
 *   must not cover, the button unless stated
 * @returns {{element: HTMLElement, close: () => void, settle: () => void}|null} `settle` places it again after
 *   its content changed; null when the press closed an open one
 */
export function openPopup(button, content, { label, role = "dialog", className = "", side = "below", beside, onClose }) {
  // What is chosen in a menu may open another popup at its button, and that may be another node by then.
  let anchor = successorOf(button) ?? button;
  const known = opened.get(anchor);
  if (known) {
    known.close();
    return null;
  }
  adopt(styles);
  const element = h("div", { class: `fd-popup ${className}`, role, "aria-label": label, tabindex: "-1", popover: "manual" }, content);
  const end = new AbortController();
  const close = () => {
    if (end.signal.aborted) return;
    end.abort();
    redraws.disconnect();
    const hadFocus = element.contains(document.activeElement);
    opened.delete(anchor);
    element.remove();
    (successorOf(anchor) ?? anchor).setAttribute("aria-expanded", "false");
    if (hadFocus) focusAgain(anchor);
    onClose?.();
  };
  const { signal } = end;
  /** Hangs the popup on a button. */
  const hangOn = (node) => {
    anchor = node;
    opened.set(anchor, { close });
    anchors.set(element, anchor);
    rememberPlace(anchor);
    anchor.setAttribute("aria-expanded", "true");
    // After a press the focus may still be on the button.
    anchor.addEventListener("keydown", leave, { signal });
  };
  const redraws = new MutationObserver(() => {
    if (anchor.isConnected) return;
    const next = successorOf(anchor);
    if (next) {
      opened.delete(anchor);
      hangOn(next);
      settle();
    } else if (role === "menu") close();
  });
  const leave = (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    close();
  };
  element.addEventListener("keydown", (event) => {
    // The keys of the page are not meant while the popup has the focus.
    if (!event.metaKey && !event.ctrlKey) event.stopPropagation();
    leave(event);
  });
  element.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !isWithin(element, event.relatedTarget) && event.relatedTarget !== anchor) close();
  });
  addEventListener("resize", close, { signal });
  document.addEventListener("pointerdown", (event) => {
    const path = event.composedPath();
    if (!isWithin(element, event.target) && !path.includes(anchor)) close();
  }, { capture: true, signal });
  const settle = () => {
    const at = beside?.isConnected ? beside : successorOf(anchor);
    if (at) place(element, at, side);
  };
  hangOn(anchor);
  document.body.append(element);
  element.showPopover();
  for (let root = anchor.getRootNode(); root; root = root instanceof ShadowRoot ? root.host.getRootNode() : null) {
    redraws.observe(root, { childList: true, subtree: true });
    // What is said within a shadow tree is heard there alone.
    root.addEventListener("scroll", ({ target }) => { if (!element.contains(target)) settle(); }, { capture: true, passive: true, signal });
  }
  settle();
  return { element, close, settle };
}

function place(element, anchor, side) {
  const at = anchor.getBoundingClientRect();
  const above = at.top - GAP - EDGE;
  const below = innerHeight - at.bottom - GAP - EDGE;
  const wanted = element.offsetHeight;
  const isAbove = side === "above" ? above >= Math.min(wanted, below) : below < wanted && above > below;
  element.style.setProperty("max-height", `${Math.max(96, isAbove ? above : below)}px`);
  const height = element.offsetHeight;
  const top = isAbove ? at.top - GAP - height : at.bottom + GAP;
  const left = at.left + element.offsetWidth > innerWidth - EDGE ? at.right - element.offsetWidth : at.left;
  element.style.setProperty("top", `${Math.max(EDGE, Math.min(top, innerHeight - EDGE - height))}px`);
  element.style.setProperty("left", `${Math.max(EDGE, Math.min(left, innerWidth - EDGE - element.offsetWidth))}px`);
}

/** After a pause of this length what is typed in a menu begins anew. */
const PAUSE_MILLISECONDS = 1000;

/**
 * @typedef {{text: string, run: () => void, icon?: Node, note?: string|Node, aside?: string, isChecked?: boolean}
 *   | {isLine: true}} MenuItem `isChecked` makes it one of several to choose from
 */

/**
 * Opens a menu: arrow keys, Home, End and the first letters of an item move, Enter and a press choose.
 * @param {HTMLElement} anchor
 * @param {MenuItem[]} items
 * @param {{label: string, side?: "above"|"below", onClose?: () => void}} options
 * @returns {boolean} false when the press closed an open one
 */
export function openMenu(anchor, items, options) {
  const popup = openPopup(anchor, null, { ...options, role: "menu" });
  if (!popup) return false;
  const buttons = [];
  replace(popup.element, items.map((item) => {
    if (item.isLine) return h("div", { class: "fd-menu-line", role: "separator" });
    const button = h("button", {
      type: "button", class: "fd-menu-item", tabindex: buttons.length ? "-1" : "0",
      role: item.isChecked === undefined ? "menuitem" : "menuitemradio",
      "aria-checked": item.isChecked === undefined ? null : String(item.isChecked),
      onClick: () => {
        popup.close();
        item.run();
      },
    }, item.icon, h("span", { class: "fd-menu-words" }, h("span", null, item.text),
      item.note ? h("span", { class: "fd-menu-note" }, item.note) : null),
    item.aside ? h("span", { class: "fd-menu-aside" }, item.aside) : null);
    buttons.push(button);
    return button;
  }));
  popup.settle();
  const typing = { words: "", at: 0 };
  popup.element.addEventListener("keydown", (event) => move(event, buttons, typing));
  buttons[0]?.focus();
  return true;
}

function move(event, buttons, typing) {
  const at = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const count = buttons.length;
  const next = {
    ArrowDown: (at + 1) % count, ArrowUp: (at - 1 + count) % count, Home: 0, End: count - 1,
  }[event.key] ?? firstLetters(event, buttons, at, typing);
  if (next === undefined || next < 0) return;
  event.preventDefault();
  // One item is in the order of Tab: a long menu can be scrolled by keys alone.
  if (at >= 0) buttons[at].tabIndex = -1;
  buttons[next].tabIndex = 0;
  buttons[next].focus();
}

/** The item that begins with what is typed without a pause; one letter alone, or again and again, leads from item to item. */
function firstLetters(event, buttons, at, typing) {
  if ([...event.key].length !== 1 || event.key === " " || event.metaKey || event.ctrlKey || event.altKey) return undefined;
  const key = event.key.toLocaleLowerCase();
  typing.words = event.timeStamp - typing.at < PAUSE_MILLISECONDS && typing.words !== key ? typing.words + key : key;
  typing.at = event.timeStamp;
  // The menu itself may have the focus, as after a press beside its items.
  const first = typing.words.length > 1 ? Math.max(at, 0) : at + 1;
  const order = buttons.map((_, index) => (first + index) % buttons.length);
  return order.find((index) => buttons[index].querySelector(".fd-menu-words").textContent.toLocaleLowerCase().startsWith(typing.words));
}
