/** Two to five short answers to tap. */
import { h } from "../../lib/dom.js";
import { icon } from "../../lib/icons.js";
import { t } from "../../lib/i18n.js";
import { list, record, words } from "../card-model.js";
import { linked } from "../text-view.js";

export default {
  kind: "quickReply", features: ["quick-reply"], answeredBy: "bubble", chosen,
  bubble: ({ payload, reply, isAnswer, isInteractive, open }) => isAnswer
    ? answer(payload) : question(payload, reply, isInteractive, open),
  /** The content of the phone's sheet: a question and the answers, one to pick. */
  pick: (payload) => {
    const { summary, items } = readQuickReply(payload);
    return { question: summary, items };
  },
};

/** The quick reply, and the row chosen when the payload is an answer. @param {unknown} payload */
export function readQuickReply(payload) {
  const quick = record(record(record(record(payload).interactiveData).data)["quick-reply"]);
  const items = list(quick.items).map((item) => ({
    identifier: words(record(item).identifier), title: words(record(item).title),
  }));
  const byIndex = items[Number(quick.selectedIndex)] ?? null;
  const chosen = items.find((item) => item.identifier === words(quick.selectedIdentifier))
    ?? (quick.selectedIndex === undefined ? null : byIndex);
  return { summary: words(quick.summaryText), items, chosen };
}

function chosen(reply) {
  const one = readQuickReply(reply).chosen;
  return one ? [one.identifier] : [];
}

function answer(payload) {
  const { chosen: one } = readQuickReply(payload);
  return h("p", { class: "bubble", dir: "auto" }, one?.title || t("card.quickReply"));
}

/** Quick replies: the summary as a bubble, the choices as chips under it. */
function question(payload, reply, isInteractive, open) {
  const model = readQuickReply(payload);
  const picked = new Set(chosen(reply));
  return [
    h("p", { class: "bubble", dir: "auto" },
      model.summary ? linked(model.summary) : t("card.quickReply")),
    h("div", { class: "chips", role: "group", "aria-label": t("card.quickReply") },
      model.items.map((item) => {
        const isChosen = picked.has(item.identifier);
        const inside = [isChosen && icon("check", 15), item.title || t("card.untitled"),
          isChosen && h("span", { class: "fd-hidden-text" }, t("card.selected"))];
        if (!isInteractive || reply) {
          const standing = isChosen ? " is-chosen" : reply ? " is-over" : "";
          return h("span", { class: `chip${standing}` }, inside);
        }
        return h("button", {
          class: "chip", type: "button", onClick: () => open(item.identifier),
        }, inside);
      })),
  ];
}
