/** What only the asking agent gets; it is no part of an event. */
const OWN = ["draft", "mentioned"];

/**
 * The conversations that the list knows, by id; an older state never replaces a newer one. The
 * server's `revision` says which is newer: it rises with every event, messages or not.
 */
export class ConversationStore {
  #byID = new Map();

  /** @param {any[]} [conversations] */
  constructor(conversations = []) {
    for (const conversation of conversations) this.put(conversation);
  }

  /** @param {any} conversation */
  put(conversation) {
    const known = this.#byID.get(conversation.id);
    if (known && known.revision > conversation.revision) return;
    const own = Object.fromEntries(OWN.filter((name) => known?.[name] && !(name in conversation)).map((name) => [name, known[name]]));
    const fresh = { ...conversation, ...own, ...keptWords(known, conversation) };
    this.#byID.set(conversation.id, known?.revision === conversation.revision
      // Reading is no event: between two events the count of unread messages only falls.
      ? { ...fresh, unread: Math.min(known.unread, fresh.unread) } : fresh);
  }

  /** @param {string} id */
  get(id) {
    return this.#byID.get(id);
  }

  /**
   * Those that belong, the latest message first, the oldest, or the longest wait.
   * @param {(conversation: any) => boolean} belongs
   * @param {"newest"|"oldest"|"wait"|"due"} [order]
   */
  rows(belongs = () => true, order = "newest") {
    const byOrder = ORDERS[order];
    return [...this.#byID.values()].filter(belongs).sort((a, b) => byOrder(a, b) || compare(a.id, b.id));
  }
}

const ORDERS = {
  newest: (a, b) => compare(lastTime(b), lastTime(a)), oldest: (a, b) => compare(lastTime(a), lastTime(b)),
  due: (a, b) => compare(a.answerDue?.at ?? "", b.answerDue?.at ?? ""),
  wait: (a, b) => compare(a.waitingSince ?? "", b.waitingSince ?? ""),
};

/** Times and ids are of one alphabet; the rules of a language would make thousands of rows slow. */
function compare(one, other) {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * What is known of what was written last before an automatic message: an event does not say it, an answer of the server does.
 * @param {any} known the conversation as it was
 * @param {any} conversation as it is
 */
function keptWords(known, conversation) {
  if ("lastNonAutomatic" in conversation || !isAutomatic(conversation.lastMessage)) return {};
  const last = known && shownMessage(known);
  return last && !isAutomatic(last) ? { lastNonAutomatic: last } : {};
}

/** Whether the server or a rule sent a message. @param {{author?: {type: string}}|null} [message] */
function isAutomatic(message) {
  return ["server", "rule"].includes(message?.author?.type);
}

/** What rows show of a conversation: what was written last, and an automatic message only where nothing else is known. @param {any} conversation */
export function shownMessage({ lastMessage, lastNonAutomatic }) {
  return isAutomatic(lastMessage) ? lastNonAutomatic ?? lastMessage : lastMessage;
}

/** Whether only the server may know what was written last. @param {any} conversation */
export function lacksWords(conversation) {
  return isAutomatic(conversation.lastMessage) && conversation.lastNonAutomatic === undefined;
}

/** When the last message came, or the conversation was begun. @param {any} conversation */
export function lastTime(conversation) {
  return conversation.lastMessage?.time ?? conversation.openedAt ?? "";
}
