import { h } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { onLanguageChange, t } from "../lib/i18n.js";
import { askFirst, openSheet } from "./bottom-sheet.js";
import { languageSwitch } from "./language-switch.js";

/**
 * Being notified of answers, mute, language, delete.
 * @param {import("./conversation.js").Conversation} conversation
 * @param {(text: string) => void} notify
 */
export function openMenuSheet(conversation, notify) {
  const note = h("p", { class: "menu-note", role: "status" });
  /** Says something in the sheet: over the field it would be below it, and said to no screen reader. */
  const say = (text) => {
    note.textContent = text;
    note.scrollIntoView({ block: "nearest" });
  };
  const content = () => {
    note.textContent = "";
    const canAct = conversation.hasCustomer && !conversation.hasLeft;
    const muting = h("button", {
      class: "switch", type: "button", role: "switch", "aria-checked": String(conversation.isMuted),
      id: "mute-switch", "aria-labelledby": "mute-label", "aria-describedby": "mute-hint", disabled: !canAct,
      onClick: () => toggle(),
    }, h("span"));
    const toggle = async () => {
      const wanted = !conversation.isMuted;
      muting.setAttribute("aria-checked", String(wanted));
      try {
        await conversation.mute(wanted);
      } catch {
        muting.setAttribute("aria-checked", String(!wanted));
        say(t("phone.failedAction"));
      }
    };
    const bell = h("li", { class: "menu-row", hidden: true });
    // In a frame a browser may not ask for permission.
    if (canAct && window.top === window) {
      import("./answer-notices.js").then((late) => late.fillBellRow(bell, conversation, say)).catch(() => {});  // Safe: the menu is there without it.
    }
    return [
      note, h("ul", { class: "fd-rows menu" }, bell,
        h("li", { class: "menu-row" }, icon(conversation.isMuted ? "bellOff" : "bell", 22),
          h("label", { class: "fd-row-words", for: "mute-switch" }, h("strong", { id: "mute-label" }, t("phone.mute")),
            h("small", { id: "mute-hint" }, t("phone.muteHint"))), muting),
        // A preview has the language that the page around it chose.
        !conversation.isPreview && h("li", { class: "menu-row" }, icon("globe", 22),
          h("span", { class: "fd-row-words" }, h("strong", null, t("phone.language"))),
          languageSwitch(say))),
      h("button", {
        class: "fd-button is-wide is-danger", type: "button", disabled: !canAct, onClick: remove,
      }, icon("trash", 20), t("phone.delete")),
    ];
  };
  const remove = async () => {
    const isSure = await askFirst({
      title: t("phone.deleteTitle"), confirm: t("phone.deleteConfirm"),
      hint: t("phone.deleteHint", { name: conversation.business.name }),
    });
    if (!isSure) return;
    try {
      await conversation.delete();
      sheet.close();
      notify(t("phone.deleted"));
    } catch {
      say(t("phone.failedAction"));
    }
  };
  const sheet = openSheet({
    title: t("phone.menu"), content: content(), onClose: () => endLanguage(),
  });
  const endLanguage = onLanguageChange(() =>
    sheet.fill({ title: t("phone.menu"), content: content() }));
}
