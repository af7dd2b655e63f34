import { h } from "./dom.js";

/**
 * Some choices side by side, of which one is pressed; each is also the text of its own language where `isLanguage`.
 * @param {string} label
 * @param {[string, string][]} pairs value and text
 * @param {string} chosen
 * @param {(value: string) => void} choose
 * @param {boolean} [isLanguage]
 */
export function segments(label, pairs, chosen, choose, isLanguage = false) {
  const group = h("div", { class: "fd-segments", role: "group", "aria-label": label }, pairs.map(([value, text]) => h("button", {
    type: "button", lang: isLanguage ? value : null, dataset: { choice: value }, "aria-pressed": String(value === chosen),
    onClick: () => {
      for (const one of group.children) one.setAttribute("aria-pressed", String(one.dataset.choice === value));
      choose(value);
    },
  }, text)));
  return group;
}
