import { kinds } from "../composer/kinds.js";
import { h } from "../lib/dom.js";
import { summaryOf } from "../lib/erased.js";
import { t } from "../lib/i18n.js";
import { formatAgo, formatFarMoment } from "../lib/time.js";
import { shownMessage } from "./conversation-store.js";
import { authorLead, customerLetters, customerName, hueOf, initials } from "./names.js";
import { dueWords } from "./due.js";
import { isDue } from "./inbox-views.js";
import { labelDots } from "./label-parts.js";
import { presenceWords } from "./presence-store.js";
import { priorityMark } from "./priority.js";
import { writeRoute } from "./routes.js";
import { snoozeEnd } from "./snooze.js";

/**
 * One row of the list: two lines of always the same height, with or without colleagues at it.
 * @param {any} row the conversation
 * @param {import("./desk-state.js").DeskState} state
 * @param {{isSelected: boolean, place: {at: number, of: number}|null}} shown `place`: where in the list, when not all of it is drawn
 */
export function conversationRow(row, state, { isSelected, place }) {
  const { businesses } = state.session;
  const business = businesses.find((one) => one.id === row.business);
  const isOpen = state.open?.conversation.id === row.id;
  const name = customerName(row);
  return h("li", { class: isSelected ? "is-selected" : null, dataset: { key: row.id }, "aria-posinset": place?.at, "aria-setsize": place?.of }, h("a", {
    class: `row ${row.unread ? "is-unread" : ""}`, href: writeRoute({ name: "inbox", conversation: row.id }),
    dataset: { open: row.id }, "aria-current": isOpen ? "true" : null,
  },
  h("span", { class: "row-face" }, letters(row),
    business && businesses.length > 1
      ? h("i", { class: "business-dot", title: business.name, style: { background: business.colour } }) : null),
  h("span", { class: "row-name" }, h("bdi", null, name), priorityMark(row.priority),
    isMixed(state) && business?.mode === "test" ? h("span", { class: "mode-mark" }, t("console.test")) : null,
    business && businesses.length > 1 ? h("span", { class: "fd-hidden-text" }, ` ${business.name}`) : null),
  rowTime(row, state),
  h("span", { class: "row-text", dir: "auto" }, preview(row, state)),
  h("span", { class: "row-end" }, labelDots(state.lists.labelsOf(row)), faces(row, state),
    row.mentioned ? h("span", { class: "row-mention", title: t("console.mentioned") }, h("span", { "aria-hidden": "true" }, "@"),
      h("span", { class: "fd-hidden-text" }, t("console.mentioned"))) : null,
    row.unread ? h("span", { class: "unread", title: t("console.unreadLead"), "aria-label": t("console.unread", { count: row.unread }) }, row.unread) : null)),
  // By keyboard, x selects the row that has the focus.
  h("button", {
    type: "button", class: "row-check", role: "checkbox", tabindex: "-1", "aria-checked": String(isSelected), "aria-label": t("console.select", { name }),
  }));
}

/** A round face with a customer's letters. @param {any} conversation */
export function letters(conversation) {
  return h("span", {
    class: "face", "aria-hidden": "true", style: { "--hue": hueOf(conversation.customer?.id ?? conversation.id) },
  }, customerLetters(conversation));
}

/** Whether the list has conversations of both modes. */
function isMixed({ filter, session }) {
  return !filter.business && new Set(session.businesses.map((one) => one.mode)).size > 1;
}

/** When the snooze ends, how long the customer has waited, or when the last message came. */
function rowTime(row, { filter }) {
  if (row.state === "snoozed") {
    if (row.snoozedUntil) {
      const end = new Date(row.snoozedUntil);
      return h("time", { class: "row-time", datetime: row.snoozedUntil, title: formatFarMoment(end) }, snoozeEnd(end));
    }
    return h("span", { class: "row-time" }, t("console.untilAnswer"));
  }
  const due = dueWords(row);
  if (due && row.state === "open") {
    return h("time", { class: `row-time due-mark is-${due.state}`, datetime: due.at, title: formatFarMoment(new Date(due.at)) }, due.words);
  }
  const isWaiting = row.waitingSince && !row.left && row.state === "open";
  const at = isWaiting && (filter.view === "waiting" || isDue(row.waitingSince)) ? row.waitingSince : row.lastMessage?.time;
  if (!at) return null;
  const isLate = isWaiting && isDue(row.waitingSince);
  return h("time", { class: isLate ? "row-time is-due" : "row-time", datetime: at, title: formatFarMoment(new Date(at)) },
    isLate ? h("span", { class: "fd-hidden-text" }, `${t("console.waits")} `) : null, formatAgo(new Date(at)));
}

/** What the customer is doing, one's own draft, or what was written last. */
function preview(row, state) {
  if (state.isTyping(row.id)) return h("span", { class: "row-typing" }, t("console.customerTyping"));
  if (row.draft) return [h("span", { class: "row-draft" }, t("console.draft")), ` ${draftWords(row.draft)}`];
  if (row.left) return t("console.left");
  const last = shownMessage(row);
  return last ? `${authorLead(last, state.session.agent.id)}${summaryOf(last)}` : "";
}

/** The kind of a card that is written, and the text beside it. @param {{kind?: string, text: string}} draft */
function draftWords({ kind = "text", text }) {
  return kinds.some((one) => one.kind === kind && kind !== "text") ? [t(`composer.kind.${kind}`), text].filter(Boolean).join(" · ") : text;
}

/** Who looks at it, writes in it or is idle there now, and else whose it is. */
function faces(row, state) {
  const here = state.colleagues(row.id);
  if (here.length) {
    return here.map((one) => {
      const words = presenceWords(one);
      return h("span", { class: `small-face is-here is-${one.state}`, title: words, dataset: { letters: initials(one.name ?? "?") } },
        h("span", { class: "fd-hidden-text" }, words));
    });
  }
  const owner = row.assignee;
  if (!owner || state.filter.view === "mine") return null;
  const words = t("console.assignedTo", { name: owner.name ?? "?" });
  return h("span", { class: "small-face", title: words, dataset: { letters: initials(owner.name ?? "?") } },
    h("span", { class: "fd-hidden-text" }, words));
}
