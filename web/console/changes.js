import { t } from "../lib/i18n.js";
import { customerName } from "../lib/names.js";
import { namesOf } from "./label-parts.js";
import { snoozeWords } from "./snooze.js";

/**
 * The change that puts back what a change replaced; null where it changed nothing. Labels that others add or remove
 * meanwhile stay as they are.
 * @param {any} before the conversation as it was
 * @param {Record<string, any>} change a body of `PATCH /api/conversations/{id}`
 * @param {string} ownID the agent's, whom `me` means
 */
export function backOf(before, change, ownID) {
  const back = {};
  if (change.state) {
    back.state = before.state;
    if (change.state === "closed" && before.state !== "closed") back.undoClose = true;
    if (before.state === "snoozed" && before.snoozedUntil) back.snoozedUntil = before.snoozedUntil;
  }
  // What another agent has changed since stays.
  if ("assignee" in change) {
    back.assignee = before.assignee?.id ?? null;
    back.ifAssignee = change.assignee === "me" ? ownID : change.assignee;
  }
  if ("team" in change) [back.team, back.ifTeam] = [before.team ?? null, change.team];
  if (change.priority) back.priority = before.priority ?? "none";
  if (change.labels) {
    const had = new Set(before.labels ?? []);
    const add = (change.labels.remove ?? []).filter((id) => had.has(id));
    const remove = (change.labels.add ?? []).filter((id) => !had.has(id));
    if (add.length || remove.length) back.labels = { add, remove };
  }
  return Object.keys(back).length ? back : null;
}

/**
 * The part of a way back that still applies: a state or a priority that is another by now than the change left is as someone else
 * wants it, and stays. Assignee and team have conditions of their own.
 * @param {Record<string, any>} back
 * @param {any} after the conversation as the change left it
 * @param {any} now the conversation as it is
 * @returns {{back: Record<string, any>|null, isLeft: boolean}} `isLeft`: something stays that is not what the way back leads to
 */
export function stillBack(back, after, now) {
  const { state, snoozedUntil, undoClose, priority, ...rest } = back;
  const kept = { ...rest };
  let isLeft = false;
  if (state && now.state === after.state) Object.assign(kept, { state }, snoozedUntil ? { snoozedUntil } : {}, undoClose ? { undoClose } : {});
  else if (state && now.state !== state) isLeft = true;
  if (priority && (now.priority ?? "none") === (after.priority ?? "none")) kept.priority = priority;
  else if (priority && (now.priority ?? "none") !== priority) isLeft = true;
  return { back: Object.keys(kept).length ? kept : null, isLeft };
}

/**
 * A change of assignee or team counts only while they are as the agent saw them: of two quick changes the second is refused.
 * @param {Record<string, any>} change
 * @param {any} seen the conversation on screen
 */
export function asSeen(change, { assignee, team }) {
  return { ...change, ..."assignee" in change ? { ifAssignee: assignee?.id ?? null } : {}, ..."team" in change ? { ifTeam: team ?? null } : {} };
}

/**
 * The sentence about what another agent did first, by the code of the refusal.
 * @param {any} problem
 * @param {Record<string, any>} change
 * @returns {Record<string, string>}
 */
export function takenWords({ code, body }, change) {
  if (code !== "already_assigned") return {};
  if ("team" in change) return { already_assigned: t("console.movedFirst") };
  const name = body.current?.assignee?.name;
  return { already_assigned: name ? t("console.assignedFirst", { name }) : t("console.unassignedFirst") };
}

/**
 * What a change did, in a line for a toast.
 * @param {Record<string, any>} change
 * @param {any} conversation as it is now
 * @param {import("./business-lists.js").BusinessLists} lists
 */
export function changeWords(change, conversation, lists) {
  if (change.state === "snoozed") return snoozeWords(conversation.snoozedUntil);
  if (change.state) return t(`console.done.${change.state}`, { name: customerName(conversation) });
  if (change.priority) return t("console.done.priority", { priority: t(`thread.priority.${change.priority}`) });
  if (change.labels) return labelWords(change.labels, (id) => lists.labelNamed(id));
  if ("team" in change) {
    return change.team ? t("console.done.team", { name: lists.teamNamed(change.team)?.name ?? "" }) : t("console.done.noTeam");
  }
  return conversation.assignee ? t("console.done.assigned", { name: conversation.assignee.name }) : t("console.done.unassigned");
}

function labelWords({ add = [], remove = [] }, nameOf) {
  const names = (ids) => namesOf(ids.map(nameOf).filter(Boolean));
  if (add.length && remove.length) return t("console.done.labels", { added: names(add), removed: names(remove) });
  return add.length ? t("console.done.labelAdded", { names: names(add), count: add.length })
    : t("console.done.labelRemoved", { names: names(remove), count: remove.length });
}
