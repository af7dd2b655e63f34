/** The folded part "Card texts": the texts of the card before and after the customer's choice. */
import { t } from "../lib/i18n.js";
import { fold, row, selectField, textField } from "./fields.js";
import { h } from "../lib/dom.js";
import { pictureField } from "./picture-field.js";

/** The longest text a card line may have, in characters. */
export const cardLineLimit = 512;

/** A card text without content. */
export function blankCard(title = "", style = "icon") {
  return { title, subtitle: "", style, picture: null, alternateTitle: "" };
}

const styles = () => ["icon", "small", "large"].map((style) => [style, t(`composer.style.${style}`)]);

/**
 * @param {object} draft with `received` and maybe `reply`
 * @param {() => void} changed
 * @param {{hasReply?: boolean, hidesTitle?: boolean, withPicture?: boolean}} options
 */
export function cardTexts(draft, changed, { hasReply = true, hidesTitle = false, withPicture = true } = {}) {
  const part = (card, name, withTitle) => {
    const pointer = (member) => () => `/interactiveData/${name}/${member}`;
    const line = (key, label) => textField({
      label, draft: card, key, changed, maxLength: cardLineLimit, pointer: pointer(key),
    });
    return h("div", { class: "cp-cardtext" },
      h("h4", null, t(`composer.card.${name}`)),
      withTitle ? line("title", t("composer.card.title")) : null,
      row(line("subtitle", t("composer.card.subtitle")),
        selectField({
          label: t("composer.card.style"), draft: card, key: "style", changed, choices: styles(),
          pointer: pointer("style"),
        })),
      name === "replyMessage" ? line("alternateTitle", t("composer.card.alternateTitle")) : null,
      withPicture ? pictureField({ label: t("composer.card.picture"), draft: card, key: "picture", changed }) : null);
  };
  return fold(t("composer.card.fold"),
    part(draft.received, "receivedMessage", !hidesTitle),
    hasReply ? part(draft.reply, "replyMessage", true) : null);
}
