/**
 * Which colleagues look at or write in which conversation, as the server reports it. The server says
 * all of it when the line opens and every change after that; nothing here runs out by itself.
 */
export class PresenceStore {
  #byConversation = new Map();

  /**
   * Applies one frame.
   * @param {{conversation: string, who: {id: string}, state: "looking"|"writing"|"idle"}} frame
   */
  apply({ conversation, who, state }) {
    const there = this.#byConversation.get(conversation) ?? new Map();
    if (state === "idle") there.delete(who.id);
    else there.set(who.id, { ...who, state });
    if (there.size) this.#byConversation.set(conversation, there);
    else this.#byConversation.delete(conversation);
  }

  /** Clears all: the connection is down, or the server is about to send everything again. */
  clear() {
    this.#byConversation.clear();
  }

  /** Those who are at a conversation now. @param {string} id */
  at(id) {
    return [...this.#byConversation.get(id)?.values() ?? []];
  }
}
