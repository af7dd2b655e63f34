import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { openSheet } from "./bottom-sheet.js";

const REASONS = ["invalid", "not_offered", "too_large", "unauthenticated", "not_found"];

/**
 * Why a message was not sent, and what can be done about it.
 * @param {import("./outbox.js").OutboxItem} item
 * @param {import("./conversation.js").Conversation} conversation
 */
export function openUnsentSheet(item, conversation) {
  const { code = "other", body } = item;
  const isDeadCode = code === "not_found" && body?.entry?.code;
  const reason = isDeadCode ? t("phone.gone.hint") : t(`phone.failure.${REASONS.includes(code) ? code : "other"}`);
  const act = (name) => () => {
    conversation.outbox[name](item.id);
    sheet.close();
  };
  const sheet = openSheet({
    title: t("phone.failedTitle"), content: h("p", null, reason),
    footer: [
      h("button", { class: "fd-button is-wide is-primary", type: "button", onClick: act("retry") }, t("phone.retry")),
      h("button", { class: "fd-button is-wide is-danger", type: "button", onClick: act("remove") }, t("phone.discard")),
    ],
  });
}
