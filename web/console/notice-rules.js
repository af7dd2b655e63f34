/** Which events an agent is notified of, and when it is quiet. Pure. */

/** What is a notice to those who are concerned, by the event's type. */
const CHANGES = Object.freeze({
  "conversation.assigned": "handed", "conversation.team_changed": "moved", "conversation.closed": "closed",
  "conversation.reopened": "reopened", "conversation.participants_changed": "participants",
});

/**
 * What an event is to an agent; null for nothing.
 * @param {any} event of the live connection
 * @param {string} ownID the agent's
 * @param {(business: string) => boolean} handles whether the agent handles conversations of a business: who only reads there is
 *   not asked to answer
 * @returns {{reason: string, conversation: string}|null} `reason` is one of `noticeReasons`
 */
export function noticeOf({ type, time, business, conversation, data = {} }, ownID, handles) {
  if (type === "contact.saved") return ofName(data, ownID);
  const reason = { "message.accepted": ofMessage, "conversation.assigned": ofAssignment, "note.added": ofNote, "note.edited": ofEdit }[type]?.(data, ownID, time)
    ?? (type === "conversation.control_changed" ? ofHandOver(data) : ofChange(CHANGES[type], data, ownID));
  if (!reason || (reason === "unassigned" && !handles(business))) return null;
  return { reason, conversation };
}

/** A change by another of a conversation that one has, had, is a participant of or follows. */
function ofChange(reason, { conversation, by, change }, ownID) {
  if (!reason || !conversation || by?.id === ownID) return null;
  const concerned = [conversation.assignee, change?.assignee?.from, ...conversation.participants ?? [], ...conversation.watchers ?? [],
    ...change?.participants?.removed ?? []];
  if (concerned.some((one) => one?.id === ownID)) return reason;
  // It woke: the one who snoozed it need not be there.
  return reason === "reopened" && by?.type === "server" && !conversation.assignee ? "unassigned" : null;
}

/** A contact was renamed: its first conversation has its id. */
function ofName({ contact, change, concerned = [], by }, ownID) {
  const isConcerned = change?.name && by?.id !== ownID && concerned.includes(ownID);
  return isConcerned ? { reason: "renamed", conversation: contact.id } : null;
}

/** A customer's message but a score, in a conversation of one's own, or the first that waits in one that has no assignee. */
function ofMessage({ message, conversationState: now }, ownID) {
  if (message?.direction !== "inbound" || !now || now.satisfaction?.answer === message.id) return null;
  if (now.assignee) return now.assignee.id === ownID ? "mine" : null;
  return now.state === "open" && now.waitingSince === message.time ? "unassigned" : null;
}

/** A bot let go: from now on the customer waits for people, unless one of them was named, who is assigned then. */
function ofHandOver({ from, to }) {
  return from?.type === "bot" && (!to || to.type === "team") ? "unassigned" : null;
}

function ofAssignment({ conversation, by }, ownID) {
  return conversation?.assignee?.id === ownID && by?.id !== ownID ? "assigned" : null;
}

function ofNote({ note }, ownID) {
  const isMentioned = note?.mentions?.some((one) => one.id === ownID);
  return isMentioned && note.author?.id !== ownID ? "mention" : null;
}

/** Who was mentioned before has been notified: a corrected word of a note is no news. */
function ofEdit({ note }, ownID, time) {
  return ofNote({ note: { ...note, mentions: note?.mentions?.filter(({ since }) => since === time) } }, ownID);
}

/**
 * Whether a moment is in an agent's quiet hours; they may go over midnight.
 * @param {{isOn: boolean, from: string, until: string}} quiet times of day in the reader's zone, the last excluded
 * @param {Date} now
 */
export function isQuiet({ isOn, from, until }, now) {
  if (!isOn || from === until) return false;
  const clock = `${String(now.getHours()).padStart(2, "0")}:${String(now.getMinutes()).padStart(2, "0")}`;
  return from < until ? clock >= from && clock < until : clock >= from || clock < until;
}
