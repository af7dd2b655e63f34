import { t } from "../lib/i18n.js";
import { customerName } from "../lib/names.js";
import { namesOf } from "./label-parts.js";
import { snoozeWords } from "./snooze.js";

/** How often a way back is sent again without what was changed meanwhile. */
const MOST_TRIES = 4;

/** The refusals that have the conversation as it is now. */
const REFUSALS = Object.freeze(["already_assigned", "precondition_failed"]);

/**
 * The change that puts back what a change replaced; null where it changed nothing. Each part demands that the conversation is
 * still as the change left it, but labels: those that others add or remove meanwhile stay as they are.
 * @param {any} before the conversation as it was
 * @param {Record<string, any>} change a body of `PATCH /api/conversations/{id}`
 * @param {string} ownID the agent's, whom `me` means
 */
export function backOf(before, change, ownID) {
  const back = {};
  if (change.state) {
    [back.state, back.ifState] = [before.state, change.state];
    if (change.state === "closed" && before.state !== "closed") back.undoClose = true;
    if (before.state === "snoozed" && before.snoozedUntil) back.snoozedUntil = before.snoozedUntil;
  }
  if ("assignee" in change) {
    back.assignee = before.assignee?.id ?? null;
    back.ifAssignee = change.assignee === "me" ? ownID : change.assignee;
  }
  if ("team" in change) [back.team, back.ifTeam] = [before.team ?? null, change.team];
  if (change.priority) [back.priority, back.ifPriority] = [before.priority ?? "none", change.priority];
  if (change.labels) {
    const had = new Set(before.labels ?? []);
    const add = (change.labels.remove ?? []).filter((id) => had.has(id));
    const remove = (change.labels.add ?? []).filter((id) => !had.has(id));
    if (add.length || remove.length) back.labels = { add, remove };
  }
  return Object.keys(back).length ? back : null;
}

/** The parts of a way back: its demand, its members, and what the conversation has of it. */
const PARTS = Object.freeze([
  ["ifState", ["state", "snoozedUntil", "undoClose"], ({ state }) => state],
  ["ifPriority", ["priority"], ({ priority }) => priority ?? "none"],
  ["ifAssignee", ["assignee"], ({ assignee }) => assignee?.id ?? null],
  ["ifTeam", ["team"], ({ team }) => team ?? null],
]);

/**
 * The part of a way back that still applies: what is another by now than its demand says is as someone else wants it, and stays.
 * @param {Record<string, any>} back a change with demands, as `backOf` or the server gives it
 * @param {any} now the conversation as it is
 * @returns {{back: Record<string, any>|null, isLeft: boolean}} `isLeft`: something stays that is not what the way back leads to
 */
export function stillBack(back, now) {
  const kept = { ...back };
  let isLeft = false;
  for (const [demand, members, valueOf] of PARTS) {
    if (!(demand in back) || valueOf(now) === back[demand]) continue;
    if (valueOf(now) !== back[members[0]]) isLeft = true;
    for (const member of [demand, ...members]) delete kept[member];
  }
  delete kept.ifLabels;
  if (back.labels) {
    const has = new Set(now.labels ?? []);
    const add = (back.labels.add ?? []).filter((id) => !has.has(id));
    const remove = (back.labels.remove ?? []).filter((id) => has.has(id));
    if (add.length || remove.length) kept.labels = { add, remove };
    else delete kept.labels;
  }
  if (back.ifMetadata) {
    const has = (name) => now.metadata?.[name] ?? null;
    const names = Object.keys(back.metadata ?? {});
    if (names.some((name) => has(name) !== back.ifMetadata[name] && has(name) !== back.metadata[name])) isLeft = true;
    const still = names.filter((name) => has(name) === back.ifMetadata[name]);
    if (still.length) [kept.metadata, kept.ifMetadata] = [back.metadata, back.ifMetadata].map((values) => Object.fromEntries(still.map((name) => [name, values[name]])));
    else for (const member of ["metadata", "ifMetadata"]) delete kept[member];
  }
  return { back: Object.keys(kept).length ? kept : null, isLeft };
}

/**
 * Sends a way back, and what is left of it where others changed the conversation meanwhile: the server decides what that is.
 * @param {Record<string, any>} back
 * @param {(back: Record<string, any>) => Promise<unknown>} send
 * @returns {Promise<boolean>} whether something stays as others changed it
 */
export async function sendBack(back, send) {
  const { ifLabels: _, ...first } = back;
  for (let [still, isLeft, attempt] = [first, false, 1]; ; attempt += 1) {
    try {
      await send(still);
      return isLeft;
    } catch (problem) {
      const now = problem.body?.current;
      if (!now || !REFUSALS.includes(problem.code) || attempt === MOST_TRIES) throw problem;
      const rest = stillBack(still, now);
      isLeft ||= rest.isLeft;
      if (!rest.back) return isLeft;
      still = rest.back;
    }
  }
}

/** Whether a refused way back leads to what the conversation is already. @param {any} problem @param {Record<string, any>} back */
export function isBackAlready({ code, body }, back) {
  if (!REFUSALS.includes(code) || !body?.current) return false;
  const { back: still, isLeft } = stillBack(back, body.current);
  return !still && !isLeft;
}

/**
 * A change of state, assignee or team counts only while they are as the agent saw them: of two quick changes the second is refused.
 * @param {Record<string, any>} change
 * @param {any} seen the conversation on screen
 */
export function asSeen(change, { state, assignee, team }) {
  return {
    ...change, ...change.state ? { ifState: state } : {},
    ..."assignee" in change ? { ifAssignee: assignee?.id ?? null } : {}, ..."team" in change ? { ifTeam: team ?? null } : {},
  };
}

/** Whether a conversation has the state that a change leads to; put off once more it is put off until another time. */
export function isStateAlready(change, { state }) {
  return change.state === state && state !== "snoozed";
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
  if (change.state === "snoozed") return snoozeWords(conversation.snoozedUntil, customerName(conversation));
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
