import { adopt, h, sheet } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { openPopup } from "../lib/popup.js";
import { reconcileRows } from "../lib/reconcile.js";

const styles = sheet(`
.pick-popup { width: 260px; padding: 0; display: grid; grid-template-rows: auto minmax(0, 1fr) auto; overflow: hidden; }
.pick-search { width: 100%; min-height: 40px; padding: 8px 14px; border: 0; border-bottom: 1px solid var(--fd-line); background: none; color: inherit; font: inherit; }
.pick-search:focus-visible { outline: none; }
.pick-search::placeholder { color: var(--fd-ink-3); opacity: 1; }
.pick-list { padding: 6px; overflow-y: auto; max-height: 320px; }
.pick-item { display: flex; align-items: center; gap: 10px; min-height: 34px; padding: 5px 10px; border-radius: var(--fd-radius-sm); cursor: pointer; }
.pick-item.is-at { background: var(--fd-bg-hover); box-shadow: inset 2px 0 0 var(--fd-accent); }
.pick-words { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.pick-item svg { flex: none; visibility: hidden; color: var(--fd-accent-text); }
.pick-item[aria-checked="true"] svg, .pick-item.is-making svg { visibility: visible; }
.pick-item[aria-checked="mixed"]::after { content: ""; flex: none; width: 10px; height: 2px; margin-inline-end: 3px; background: var(--fd-accent-text); }
.pick-item[aria-checked="mixed"] svg { display: none; }
.pick-none { padding: 8px 10px; color: var(--fd-ink-3); }
.pick-foot { display: block; padding: 10px 14px; border-top: 1px solid var(--fd-line); color: var(--fd-ink-2); font-size: var(--fd-text-xs); text-decoration: none; }
a.pick-foot:hover { background: var(--fd-bg-hover); color: var(--fd-ink); }
@media (max-width: 640px) { .pick-item { min-height: 44px; } .pick-search { min-height: 44px; } }
`);

/**
 * @typedef {{id: string, text: string, mark?: Node|null, checked?: "true"|"false"|"mixed"}} PickItem
 */

/**
 * Opens a menu that is searched by typing: arrow keys move, Enter and a press choose, and it stays open where several
 * can be chosen.
 * @param {HTMLElement} anchor
 * @param {{label: string, items: () => PickItem[], choose: (id: string) => void, isMany?: boolean, make?: (name: string) => void,
 *   none?: string, foot?: Node|null, changes?: EventTarget}} options `items` is asked again after each `change` of
 *   `changes`; `make` is offered for a name that no item has
 */
export function openPickMenu(anchor, { label, items, choose, isMany = false, make, none = t("console.nothingFound"), foot = null, changes }) {
  adopt(styles);
  const menu = { shown: [], at: 0 };
  const go = (place) => {
    menu.at = place;
    draw();
  };
  const search = h("input", {
    class: "pick-search", type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": "pick-list", autocomplete: "off",
    "aria-label": label, placeholder: label, onInput: () => go(0),
  });
  const list = h("ul", { class: "pick-list", id: "pick-list", role: "listbox", "aria-label": label, "aria-multiselectable": isMany ? "true" : null });
  const empty = h("p", { class: "pick-none", role: "status", hidden: true });
  /** Draws the items as they are now; the one that was gone to stays that, whatever came above it. */
  const drawAgain = () => draw(menu.shown[menu.at]?.id);
  const draw = (at = "") => {
    const words = search.value.trim().toLocaleLowerCase();
    const all = items();
    menu.shown = all.filter((one) => one.text.toLocaleLowerCase().includes(words));
    const isKnown = all.some((one) => one.text.toLocaleLowerCase() === words);
    if (make && words && !isKnown) menu.shown.push({ id: "", text: t("console.pick.make", { name: search.value.trim() }), isMaking: true });
    const place = at ? menu.shown.findIndex((one) => one.id === at) : -1;
    menu.at = place >= 0 ? place : Math.max(0, Math.min(menu.at, menu.shown.length - 1));
    reconcileRows(list, menu.shown.map((one, index) => row(one, index === menu.at, isMany)));
    list.hidden = !menu.shown.length;
    empty.hidden = menu.shown.length > 0;
    empty.textContent = all.length ? t("console.nothingFound") : none;
    search.setAttribute("aria-activedescendant", menu.shown.length ? `pick-${menu.shown[menu.at].id}` : "");
    list.children[menu.at]?.scrollIntoView({ block: "nearest" });
  };
  const popup = openPopup(anchor, [search, h("div", null, list, empty), foot], {
    label, className: "pick-popup", onClose: () => changes?.removeEventListener("change", drawAgain),
  });
  if (!popup) return;
  changes?.addEventListener("change", drawAgain);
  // What leads to another page leaves no menu over it.
  foot?.addEventListener("click", ({ metaKey, ctrlKey }) => { if (!metaKey && !ctrlKey) popup.close(); }, { capture: true });
  const run = (one) => {
    if (!one) return;
    if (!isMany) popup.close();
    if (one.isMaking) make(search.value.trim());
    else choose(one.id);
    search.value = "";
    drawAgain();
  };
  list.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-key]");
    if (!pressed) return;
    run(menu.shown.find((one) => one.id === pressed.dataset.key));
    search.focus();
  });
  search.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      go((menu.at + step + menu.shown.length) % (menu.shown.length || 1));
    } else if (event.key === "Enter") run(menu.shown[menu.at]);
    else return;
    event.preventDefault();
  });
  draw();
  popup.settle();
  search.focus();
}

function row({ id, text, mark, checked = "false", isMaking }, isAt, isMany) {
  return h("li", {
    class: `pick-item${isAt ? " is-at" : ""}${isMaking ? " is-making" : ""}`, id: `pick-${id}`, role: "option", dataset: { key: id },
    "aria-selected": String(isMany ? checked === "true" : isAt), "aria-checked": isMaking ? null : checked,
  }, mark, h("span", { class: "pick-words" }, text), icon(isMaking ? "add" : "check", 16));
}
