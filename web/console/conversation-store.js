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
    // An agent's own draft is no part of an event.
    const fresh = known?.draft && !("draft" in conversation) ? { ...conversation, draft: known.draft } : conversation;
    this.#byID.set(conversation.id, known?.revision === conversation.revision
      // Reading is no event: between two events the count of unread messages only falls.
      ? { ...fresh, unread: Math.min(known.unread, fresh.unread) } : fresh);
  }

  /** @param {string} id */
  get(id) {
    return this.#byID.get(id);
  }

  /**
   * Those that belong, the latest message first, or the longest wait.
   * @param {(conversation: any) => boolean} belongs
   * @param {boolean} [isByWait]
   */
  rows(belongs = () => true, isByWait = false) {
    const order = isByWait ? (a, b) => (a.waitingSince ?? "").localeCompare(b.waitingSince ?? "")
      : (a, b) => lastTime(b).localeCompare(lastTime(a));
    return [...this.#byID.values()].filter(belongs).sort((a, b) => order(a, b) || a.id.localeCompare(b.id));
  }
}

function lastTime(conversation) {
  return conversation.lastMessage?.time ?? conversation.openedAt ?? "";
}
