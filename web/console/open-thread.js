/** The content of one conversation on screen, from pages and from events that arrived meanwhile. Pure. */

/**
 * @typedef {{conversation: any, messages: any[], notes: any[], hasMore: boolean,
 *   unreadAfter: number|null, damaged: number[], events: any[], readUpTo: number,
 *   draft?: {version: number}|null, scheduled?: any[], isOpening?: boolean}} OpenThread
 *   `isOpening`: its messages are on their way
 */

/** The number of the newest message that an agent can have seen. @param {OpenThread|null} open */
export function lastSequence(open) {
  return open?.messages.at(-1)?.sequence ?? open?.conversation.sequence ?? 0;
}

/**
 * The thread after its newest page was read: events that arrived during the request are in it,
 * and so are earlier pages that a reader had fetched, where the two meet.
 * @param {any} conversation
 * @param {{data: any[], notes?: any[], events?: any[], hasMore: boolean, damaged?: number[]}} page
 * @param {OpenThread|null} before the same conversation as it was shown so far
 * @param {{messages: any[], notes: any[], events?: any[]}} arrived
 * @returns {OpenThread}
 */
export function makeThread(conversation, page, before, arrived) {
  const first = page.data[0]?.sequence ?? 0;
  const last = page.data.at(-1)?.sequence ?? 0;
  const known = before?.messages ?? [];
  const inPage = new Set(page.data.map((message) => message.id));
  const meets = page.hasMore && known.some((message) => inPage.has(message.id));
  const earlier = meets ? known.filter((message) => message.sequence < first) : [];
  const later = [...known, ...arrived.messages].filter((message) => message.sequence > last);
  const messages = [...earlier, ...page.data, ...onceEach(later)]
    .sort((one, other) => one.sequence - other.sequence);
  const unread = before ? before.unreadAfter
    : conversation.unread > 0 ? unreadAfter(messages, conversation.unread) : null;
  return {
    conversation, messages,
    events: onceEach([...page.events ?? [], ...before?.events ?? [], ...arrived.events ?? []]),
    readUpTo: before?.readUpTo ?? unread ?? (conversation.unread > 0 ? 0 : conversation.sequence ?? 0),
    notes: newestOf([...before?.notes ?? [], ...page.notes ?? [], ...arrived.notes]),
    damaged: withDamaged(meets ? before?.damaged ?? [] : [], page),
    hasMore: earlier.length ? before.hasMore : page.hasMore,
    unreadAfter: unread,
  };
}

/**
 * The sequences of messages that cannot be shown, with those of one more page.
 * @param {number[]} known
 * @param {{data: any[], damaged?: number[]}} page
 */
export function withDamaged(known, page) {
  const whole = new Set(page.data.map((message) => message.sequence));
  return [...new Set([...known, ...page.damaged ?? []])].filter((sequence) => !whole.has(sequence));
}

/**
 * The lowest sequence on screen, shown or damaged; undefined when there is none.
 * @param {{messages: any[], damaged: number[]}} open
 */
export function firstSequence(open) {
  const found = [...open.damaged, ...open.messages.slice(0, 1).map((message) => message.sequence)];
  return found.length ? Math.min(...found) : undefined;
}

/** Each note once, as it was changed last. @param {any[]} notes */
export function newestOf(notes) {
  const newest = new Map();
  for (const note of notes) {
    const known = newest.get(note.id);
    if (!known || changedAt(note) >= changedAt(known)) newest.set(note.id, note);
  }
  return [...newest.values()];
}

function changedAt({ time, editedAt, deletedAt }) {
  return deletedAt ?? editedAt ?? time ?? "";
}

function onceEach(items) {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

/** The sequence after which the last `unread` inbound messages are. */
function unreadAfter(messages, unread) {
  const inbound = messages.filter((message) => message.direction === "inbound");
  const first = inbound.at(-Math.min(unread, inbound.length));
  return first ? first.sequence - 1 : null;
}
