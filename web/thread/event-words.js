/** What an event of a conversation says in the thread, in one line. */
import { t } from "../lib/i18n.js";
import { formatFarMoment } from "../lib/time.js";

/** @typedef {{id: string, type: string, time: string, afterSequence: number, by: any, state: string|null,
 *   assignee: {id: string, name: string|null}|null, snoozedUntil: string|null, data: any}} ThreadEvent */

/** The events that are shown; what a message shows already is not. */
const SHOWN = new Set([
  "conversation.assigned", "conversation.closed", "conversation.reopened", "conversation.snoozed", "conversation.pending",
  "conversation.labels_changed", "conversation.priority_changed", "conversation.team_changed",
  "conversation.attributes_changed", "conversation.answer_overdue", "conversation.satisfaction_answered",
  "conversation.participants_changed", "conversation.watchers_changed", "conversation.control_changed",
  "customer.left", "customer.returned", "customer.blocked", "customer.unblocked",
]);

/** @param {string} type */
export function isShownEvent(type) {
  return SHOWN.has(type);
}

/**
 * An event of the live connection in the shape of the pages; null for one that is not shown.
 * @param {any} event
 * @param {number} [newest] the sequence of the newest message that is known before it
 * @returns {ThreadEvent|null}
 */
export function threadEventOf(event, newest = 0) {
  const { conversation, by, change } = event.data ?? {};
  if (event.type === "conversation.control_changed") {
    return { id: event.id, type: event.type, time: event.time, afterSequence: newest, by: null, state: null, assignee: null, snoozedUntil: null, data: event.data };
  }
  if (!isShownEvent(event.type) || !conversation || typeof conversation !== "object") return null;
  const sequence = conversation.sequence ?? 0;
  return {
    // The conversation of an assignment by answering counts the answer already, which comes after it.
    id: event.id, type: event.type, time: event.time, afterSequence: change?.byReply ? sequence - 1 : sequence, by: by ?? null,
    state: conversation.state ?? null, assignee: conversation.assignee ?? null,
    snoozedUntil: conversation.snoozedUntil ?? null, data: { change },
  };
}

/**
 * @param {ThreadEvent} event
 * @param {{customer: string, ownID: string, labelNamed?: (id: string) => {name: string}|null, teamNamed?: (id: string) => {name: string}|null,
 *   botNamed?: (id: string) => {name: string}|null, memberNamed?: (id: string) => {name: string}|null}} names
 *   where a label's or a team's name is not known, the line says only that there was a change
 */
export function eventWords(event, { customer, ownID, labelNamed, teamNamed, botNamed, memberNamed }) {
  if (event.type === "conversation.control_changed") return controlWords(event.data ?? {}, { ownID, agent: memberNamed, team: teamNamed, bot: botNamed });
  const { by, assignee } = event;
  const who = by?.id === ownID ? t("thread.event.you") : by?.type === "rule" ? t("thread.event.rule", by) : by?.name ?? null;
  const say = (key, vars = {}) => who ? t(`thread.event.${key}`, { who, ...vars }) : t(`thread.event.${key}.noone`, vars);
  switch (event.type) {
    case "conversation.assigned": {
      const automatic = event.data?.change?.automatic;
      if (automatic) return automaticWords(automatic, event, ownID);
      if (!assignee) return say("unassigned");
      if (assignee.id === by?.id) return say("took");
      return say("assigned", { name: assignee.id === ownID ? t("thread.event.toYou") : assignee.name ?? "" });
    }
    case "conversation.snoozed":
      return event.snoozedUntil ? say("snoozed", { time: formatFarMoment(new Date(event.snoozedUntil)) }) : say("snoozedUntilAnswer");
    case "conversation.reopened":
      return by?.type === "customer" ? t("thread.event.wroteAgain", { name: customer }) : say("reopened");
    case "conversation.priority_changed": {
      const to = event.data?.change?.priority?.to;
      return to ? say("priority", { priority: t(`thread.priority.${to}`) }) : say("changed");
    }
    case "conversation.answer_overdue":
      return t("thread.event.overdue");
    case "conversation.satisfaction_answered": {
      const { score, before } = event.data?.change?.satisfaction ?? {};
      return t(`thread.event.${before ? "satisfactionAgain" : "satisfaction"}`, { score: score ?? "–", before });
    }
    case "customer.left":
      return t("thread.event.left", { name: customer });
    case "customer.returned":
      return t("thread.event.returned", { name: customer });
    case "conversation.closed":
      return say("closed");
    case "conversation.pending":
      return say("pending");
    case "conversation.labels_changed": {
      const { added = [], removed = [] } = event.data?.change?.labels ?? {};
      const names = (ids) => ids.map((id) => labelNamed?.(id)?.name);
      const [plus, minus] = [names(added), names(removed)];
      if (![...plus, ...minus].length || [...plus, ...minus].includes(undefined)) return say("labels");
      if (plus.length && minus.length) return say("labelsBoth", { added: plus.join(", "), removed: minus.join(", ") });
      return plus.length ? say("labelsAdded", { names: plus.join(", "), count: plus.length })
        : say("labelsRemoved", { names: minus.join(", "), count: minus.length });
    }
    case "conversation.attributes_changed":
      return say("attributes");
    case "conversation.participants_changed": {
      const { added = [], removed = [] } = event.data?.change?.participants ?? {};
      const names = (added.length ? added : removed).map((one) => one.id === ownID ? t("thread.event.toYou") : one.name ?? "").join(", ");
      return say(added.length ? "participantsAdded" : "participantsRemoved", { names });
    }
    case "conversation.watchers_changed":
      return say(event.data?.change?.watchers?.added?.length ? "follows" : "followsNoLonger");
    case "customer.blocked":
      return say("blocked");
    case "customer.unblocked":
      return say("unblocked");
    case "conversation.team_changed": {
      const { to } = event.data?.change?.team ?? {};
      const team = to && teamNamed?.(to);
      return to === null ? say("noTeam") : team ? say("teamSet", { team: team.name }) : say("team");
    }
    default:
      return say("changed");
  }
}

/** What the server assigned by itself. @param {string} cause @param {ThreadEvent} event @param {string} ownID */
function automaticWords(cause, { assignee, data }, ownID) {
  const one = assignee ?? data.change.assignee?.from;
  const whose = one?.id === ownID ? "you" : "other";
  return t(`thread.event.automatic.${cause === "given_back" ? "givenBack" : "assigned"}.${whose}`, {
    name: one?.name ?? "", why: assignee ? t(`thread.event.why.${cause}`) : "",
  });
}

/** Who controls from here on. @param {any} data @param {any} names how each kind of controller is named */
function controlWords({ from, to, offer, reason }, names) {
  const name = (one) => {
    const known = names[one.type]?.(one.id)?.name;
    if (!known) return t(`thread.event.control.some.${one.type}`);
    return one.type === "bot" ? t("thread.event.control.botNamed", { name: known }) : known;
  };
  if (reason === "offered" && offer) return t("thread.event.control.offered", { name: offer.id === names.ownID ? t("thread.event.toYou") : name(offer) });
  if (to?.type === "bot") return t(`thread.event.control.${reason === "returned" ? "returned" : "bot"}`, { name: name(to) });
  if (from?.type === "bot" && ["timeout", "error"].includes(reason)) return t(`thread.event.control.${reason}`, { name: name(from) });
  if (to?.id === names.ownID) return t("thread.event.control.you");
  return to ? t("thread.event.control.other", { name: name(to) }) : t("thread.event.control.people");
}
