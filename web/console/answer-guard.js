/** Whether a colleague has answered since an answer was begun. Pure. */

export class AnswerGuard {
  /** The newest message that there was when each draft was begun, by conversation. */
  #begun = new Map();

  /**
   * Notes that a draft is there, or no longer.
   * @param {string} conversation
   * @param {boolean} isWritten
   * @param {number} sequence of the newest message on screen
   */
  see(conversation, isWritten, sequence) {
    if (!isWritten) this.#begun.delete(conversation);
    else if (!this.#begun.has(conversation)) this.#begun.set(conversation, sequence);
  }

  /** A draft was found that was begun elsewhere, or before a reload. @param {string} conversation @param {number} sequence */
  restore(conversation, sequence) {
    this.#begun.set(conversation, sequence);
  }

  /** The newest message when the draft was begun; undefined without a draft. @param {string} conversation */
  begun(conversation) {
    return this.#begun.get(conversation);
  }

  /**
   * The newest answer of another author since the draft was begun; null when there is none.
   * @param {string} conversation
   * @param {any[]} messages ascending
   * @param {string} ownID
   */
  answered(conversation, messages, ownID) {
    const begun = this.#begun.get(conversation);
    if (begun === undefined) return null;
    for (let at = messages.length - 1; at >= 0 && messages[at].sequence > begun; at -= 1) {
      const { direction, author } = messages[at];
      if (direction === "outbound" && author?.id !== ownID) return messages[at];
    }
    return null;
  }
}
