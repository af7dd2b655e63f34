import { adopt, h, sheet } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { openPopup } from "../lib/popup.js";
import { labelColours } from "./label-colours.js";
import { keepBusiness } from "./kept-business.js";
import { field } from "./panel-parts.js";
import { hasUnsaved, mayLeave } from "./unsaved-forms.js";

const styles = sheet(`
.colour-button { flex: none; width: 36px; height: 36px; padding: 0; border: 1px solid var(--fd-field-line); border-radius: var(--fd-radius-sm); background: var(--fd-bg); display: grid; place-items: center; }
.colour-button::before { content: ""; width: 22px; height: 22px; border-radius: 6px; background: var(--label); }
.colour-popup { min-width: 0; }
.colour-grid { display: grid; grid-template-columns: repeat(5, 36px); gap: 4px; padding: 4px; }
.colour-grid .colour-button[aria-pressed="true"] { border-color: var(--fd-ink); box-shadow: inset 0 0 0 1px var(--fd-ink); }
.colour-other { display: flex; align-items: center; gap: 10px; padding: 8px 4px 4px; color: var(--fd-ink-2); }
.item-list { display: grid; gap: 8px; }
.item-list li { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; }
.item-list .fd-input { flex: 1 1 140px; min-width: 0; width: auto; }
.item-list .fd-button { flex: none; }
.item-list .is-icon { width: 36px; padding: 0; }
.item-words { flex: 1; min-width: 0; display: flex; align-items: center; gap: 6px; overflow-wrap: anywhere; }
.new-item { display: flex; align-items: flex-end; gap: 8px; }
.new-item .fd-field { flex: 1; min-width: 0; }
@media (max-width: 640px) { .item-list li { justify-content: flex-end; } }
`);

/** Adds the styles of these parts to the page, once. */
export function useSettingsStyles() {
  adopt(styles);
}

/**
 * The choice of a business, which a panel begins with, and the next one of this tab.
 * @param {string} id of the field
 * @param {any[]} businesses
 * @param {any} chosen
 * @param {(business: any) => Promise<void>} choose draws the panel of another business
 */
export function businessField(id, businesses, chosen, choose) {
  const select = h("select", { class: "fd-input" }, businesses.map((one) => h("option", { value: one.id }, one.name)));
  select.value = chosen.id;
  const made = field(id, t("console.business"), select);
  select.addEventListener("change", async () => {
    const panel = made.parentElement;
    if (hasUnsaved(panel, { isBusiness: true })) {
      const wanted = select.value;
      select.value = chosen.id;
      if (!await mayLeave(panel, { isBusiness: true })) return;
      select.value = wanted;
    }
    // What is below belongs to the former business: nothing more is written into it.
    while (made.nextSibling) made.nextSibling.remove();
    made.after(h("p", { class: "fd-help", role: "status" }, t("shared.loading")));
    const next = businesses.find((one) => one.id === select.value);
    keepBusiness(next);
    await choose(next);
    if (document.activeElement === document.body) document.getElementById(id)?.focus();
  });
  return made;
}

/**
 * A button that shows a colour and opens the choice of another.
 * @param {string} colour
 * @param {string} label
 * @param {(colour: string) => void} choose
 */
export function colourButton(colour, label, choose) {
  const button = h("button", {
    type: "button", class: "colour-button", "aria-haspopup": "dialog", "aria-expanded": "false", title: label, "aria-label": label,
    style: { "--label": colour }, onClick: () => open(),
  });
  button.value = colour;
  const take = (next) => {
    if (next === button.value) return;
    button.value = next;
    button.style.setProperty("--label", next);
    choose(next);
  };
  const open = () => {
    const other = h("input", { type: "color", class: "colour", value: button.value, onChange: () => take(other.value) });
    const popup = openPopup(button, [
      h("div", { class: "colour-grid" }, labelColours.map((one) => h("button", {
        type: "button", class: "colour-button", style: { "--label": one }, "aria-label": one, "aria-pressed": String(one === button.value),
        onClick: () => {
          popup.close();
          take(one);
        },
      }))),
      h("label", { class: "colour-other" }, other, t("items.otherColour")),
    ], { label, className: "colour-popup" });
    popup?.element.querySelector("[aria-pressed='true'], .colour-button")?.focus();
  };
  return button;
}
