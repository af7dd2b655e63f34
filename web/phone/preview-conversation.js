import { ThreadState } from "./thread-state.js";

/**
 * A conversation that is shown and cannot be written in: the page around it hands in what it shows. It has no
 * connection, no storage and no customer. No drawing.
 *
 * Events: `change`; `nothing-sent` when something would have been sent.
 */
export class PreviewConversation extends EventTarget {
  isPreview = true;
  hasCustomer = true;
  hasLeft = false;
  isMuted = false;
  isLoaded = true;
  id = "preview";
  thread = new ThreadState();
  /** Nothing waits to be sent. */
  outbox = { items: [], retry() {}, remove() {} };
  /** @type {(id: string, message?: string) => string} */
  attachmentUrl = () => "";

  /** @param {any} business */
  constructor(business) {
    super();
    this.business = business;
  }

  /** Shows these messages and no others. @param {any[]} messages */
  show(messages) {
    this.thread.clear();
    this.thread.add(messages);
    this.dispatchEvent(new CustomEvent("change"));
  }

  get line() { return "none"; }

  async start() {}
  async sayTyping() {}
  async loadEarlier() { return 0; }

  sendText() { return this.#refuse(); }
  answer() { return this.#refuse(); }
  signIn() { return this.#refuse(); }
  async pay() { this.#refuse(); }
  async mute() { this.#refuse(); }
  async delete() { this.#refuse(); }
  async askMerchant() { return { update: {}, problem: null }; }
  upload() {
    this.#refuse();
    return new Promise(() => {});
  }

  #refuse() {
    this.dispatchEvent(new CustomEvent("nothing-sent"));
    return true;
  }
}
