/** Rules and macros as the rows of their editors: what a row shows for what the server stores, and back. Pure. */

/**
 * @typedef {{kind: string, not?: boolean, value?: any, values?: Record<string, any>}} Part one row: a condition or an action
 */

/** What a rule waits for, in the order in which it is offered. */
export const triggers = Object.freeze(["conversationBegun", "customerMessage", "messageSent", "assigned", "teamChanged", "labelAdded",
  "closed", "reopened", "snoozeEnded", "priorityChanged", "firstAnswerOverdue", "nextAnswerOverdue", "satisfactionAnswered"]);

/** The triggers that have a message, whose words, kind and channel can be asked for. */
export const triggersWithMessage = Object.freeze(["conversationBegun", "customerMessage", "messageSent"]);

export const conditionKinds = Object.freeze(["state", "assignee", "team", "label", "priority", "language", "hours", "text", "kind", "channel", "intent", "group", "scoreAtMost"]);

/** The conditions on a message. */
export const messageConditions = Object.freeze(["text", "kind", "channel"]);

export const actionKinds = Object.freeze(["assign", "team", "addLabel", "removeLabel", "priority", "state", "snooze", "note", "template"]);

/** @param {any[]} conditions as the server has them @returns {Part[]} */
export function partsOfConditions(conditions) {
  return conditions.map(({ not = false, ...test }) => {
    const [kind, value] = Object.entries(test)[0];
    return { kind, not, value };
  });
}

/** @param {Part[]} parts */
export function conditionsOfParts(parts) {
  return parts.map(({ kind, not, value }) => ({ ...not ? { not: true } : {}, [kind]: value }));
}

/** @param {any[]} actions as the server has them @returns {Part[]} */
export function partsOfActions(actions) {
  return actions.flatMap((action) => {
    const [kind, value] = Object.entries(action)[0];
    if (kind === "labels") {
      return [...(value.remove ?? []).map((id) => ({ kind: "removeLabel", value: id })), ...(value.add ?? []).map((id) => ({ kind: "addLabel", value: id }))];
    }
    if (kind === "template") return [{ kind, value: value.name, values: value.values ?? {} }];
    if (action.state === "snoozed") return [{ kind: "snooze", value: action.snoozeMinutes ?? null }];
    return [{ kind, value }];
  });
}

/** @param {Part[]} parts */
export function actionsOfParts(parts) {
  return parts.map(({ kind, value, values }) => {
    switch (kind) {
      case "addLabel":
        return { labels: { add: [value] } };
      case "removeLabel":
        return { labels: { remove: [value] } };
      case "snooze":
        return value ? { state: "snoozed", snoozeMinutes: value } : { state: "snoozed" };
      case "template":
        return { template: { name: value, ...values && Object.keys(values).length ? { values } : {} } };
      default:
        return { [kind]: value };
    }
  });
}

/**
 * The row of each action of the server: an action on several labels has several rows.
 * @param {any[]} actions
 * @param {string} pointer such as `/then/2`
 * @returns {number} the row, or -1 for none
 */
export function rowOfPointer(actions, pointer) {
  const place = Number(/^\/(?:if|then|actions)\/(\d+)/.exec(pointer)?.[1] ?? -1);
  if (place < 0 || place >= actions.length) return -1;
  return partsOfActions(actions.slice(0, place)).length;
}

/**
 * Whether actions name what is not there any more, so that the server refuses them: a person who left, a team or a label that is retired, a
 * template that was removed.
 * @param {any[]} actions as the server has them
 * @param {{members: any[], teams: any[], labels: any[], templates: any[]}} known what the business has
 */
export function namesGone(actions, { members, teams, labels, templates }) {
  const isUsed = (list, id) => list.some((one) => one.id === id && !one.retired);
  return partsOfActions(actions).some(({ kind, value }) => {
    switch (kind) {
      case "assign":
        return value !== null && value !== "me" && !members.some((one) => one.id === value && one.assignable !== false);
      case "team":
        return value !== null && !isUsed(teams, value);
      case "addLabel":
        return !isUsed(labels, value);
      case "template":
        return !templates.some(({ name }) => name === value);
      default:
        return false;
    }
  });
}
