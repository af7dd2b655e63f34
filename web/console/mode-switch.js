import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { keyHint } from "./shortcuts.js";

const WORDS = { reply: "console.reply", note: "console.writeNote" };

/**
 * The switch between an answer to the customer and a note for colleagues.
 * @param {"reply"|"note"} mode of the box that it stands in
 * @param {Record<"reply"|"note", () => void>} choose
 */
export function modeSwitch(mode, choose) {
  return h("div", { class: "modes", role: "group", "aria-label": t("console.modes") },
    Object.entries(WORDS).map(([name, text]) => h("button", {
      type: "button", class: "mode", "aria-pressed": String(name === mode), ...keyHint(name), onClick: choose[name],
    }, t(text))));
}
