/** The kinds in the composer's foot: common ones as buttons, all of them in one menu. */
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { openMenu } from "../lib/popup.js";
import { icon } from "./icons.js";
import { canShow, kinds } from "./kinds.js";

/**
 * A button of the foot; its words are its name and its tooltip.
 * @param {Node} drawing
 * @param {string} label
 * @param {() => void} press
 */
export function toolButton(drawing, label, press) {
  return h("button", {
    type: "button", class: "cp-tool", "aria-label": label, dataset: { tip: label }, onclick: press,
  }, drawing);
}

/**
 * The buttons of the kinds; a press on the open kind goes back to Text. Where there is no room for
 * them, the styles hide them, and the menu has all.
 * @param {(kind: string) => void} select
 */
export function makeKindStrip(select) {
  const state = { kind: "text", capabilities: null };
  const cards = kinds.filter(({ kind }) => kind !== "text");
  const buttons = cards.filter(({ isRare }) => !isRare).map((entry) => {
    const button = toolButton(icon(entry.kind, entry.drawing), "", () => select(state.kind === entry.kind ? "text" : entry.kind));
    button.classList.add("cp-kind");
    button.dataset.kind = entry.kind;
    return button;
  });
  const more = toolButton(icon("plus"), t("composer.moreKinds"), () => {
    const isNarrow = !buttons[0].checkVisibility();
    const items = cards.filter(({ isRare }) => isRare || isNarrow).map((entry) => ({
      text: t(`composer.kind.${entry.kind}`), icon: icon(entry.kind, entry.drawing),
      note: canShow(entry, state.capabilities) ? "" : t("composer.blocked.mark"),
      isChecked: state.kind === entry.kind, run: () => select(entry.kind),
    }));
    openMenu(more, items, { label: t("composer.kinds"), side: "above" });
  });
  more.classList.add("cp-more");
  more.setAttribute("aria-haspopup", "menu");
  more.setAttribute("aria-expanded", "false");
  return {
    buttons, more,
    /** Shows the open kind, and the kinds that the customer's device cannot show. */
    mark(kind, capabilities) {
      Object.assign(state, { kind, capabilities });
      for (const button of buttons) {
        const entry = kinds.find((one) => one.kind === button.dataset.kind);
        const isShown = canShow(entry, capabilities);
        const name = t(`composer.kind.${entry.kind}`);
        button.setAttribute("aria-pressed", String(kind === entry.kind));
        button.setAttribute("aria-label", isShown ? name : t("composer.blocked.short", { kind: name }));
        button.dataset.tip = button.getAttribute("aria-label");
        button.classList.toggle("cp-tool-blocked", !isShown);
      }
      const entry = kinds.find((one) => one.kind === kind);
      more.classList.toggle("is-rare-open", Boolean(entry?.isRare));
      more.classList.toggle("is-card-open", kind !== "text");
    },
  };
}
