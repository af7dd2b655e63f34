import { copyText } from "../lib/clipboard.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** A button that copies a text and says that it did. @param {string} label @param {string} text */
export function copyButton(label, text) {
  const button = h("button", { type: "button" }, label);
  button.addEventListener("click", async () => {
    button.textContent = (await copyText(text)) ? t("shared.copied") : label;
    setTimeout(() => { button.textContent = label; }, 1600);
  });
  return button;
}
