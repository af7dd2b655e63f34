import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { openPopup } from "../lib/popup.js";
import { emojiGroups, rememberEmoji, usedEmoji } from "./emoji.js";

/** As many beside each other as `emoji-grid` of the styles has columns. */
const COLUMNS = 8;

/**
 * Opens the emoji beside a button; a press inserts one and closes the popup.
 * @param {HTMLElement} anchor
 * @param {(emoji: string) => void} insert
 */
export function openEmoji(anchor, insert) {
  const popup = openPopup(anchor, null, { label: t("composer.emoji"), className: "emoji-popup", side: "above" });
  if (!popup) return;
  const used = usedEmoji();
  const groups = [...used.length ? [{ name: "used", all: used }] : [], ...emojiGroups];
  replace(popup.element, groups.map(({ name, all }) => h("section", { "aria-label": t(`composer.emoji.${name}`) },
    h("h3", { class: "emoji-title" }, t(`composer.emoji.${name}`)),
    h("div", { class: "emoji-grid" }, all.map((emoji) => h("button", {
      type: "button", class: "emoji", onClick: () => {
        popup.close();
        rememberEmoji(emoji);
        insert(emoji);
      },
    }, emoji))))));
  popup.settle();
  const buttons = /** @type {HTMLElement[]} */ ([...popup.element.querySelectorAll("button")]);
  popup.element.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: COLUMNS, ArrowUp: -COLUMNS }[event.key];
    const at = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (!step || at < 0) return;
    event.preventDefault();
    buttons[Math.max(0, Math.min(buttons.length - 1, at + step))].focus();
  });
  buttons[0].focus();
}
