/** While the customer continues to type, the signal is repeated at this interval. */
const REPEAT_MILLISECONDS = 10_000;
/** A customer who types nothing for this long no longer counts as typing, whatever the field contains. */
const IDLE_MILLISECONDS = 20_000;

/** Signals to the business that the customer writes: at once, again while it goes on, and when it has stopped. */
export class CustomerTyping {
  #send;
  #said = 0;
  #timer = 0;

  /** @param {(state: "start"|"end") => Promise<any>} send */
  constructor(send) {
    this.#send = send;
  }

  /** A message was sent: the business knows that the customer has stopped. */
  clear() {
    this.#said = 0;
    clearTimeout(this.#timer);
  }

  /** @param {boolean} isTyping */
  async say(isTyping) {
    clearTimeout(this.#timer);
    if (isTyping) this.#timer = setTimeout(() => this.say(false), IDLE_MILLISECONDS);
    const now = Date.now();
    if (isTyping ? now - this.#said < REPEAT_MILLISECONDS : this.#said === 0) return;
    this.#said = isTyping ? now : 0;
    try {
      await this.#send(isTyping ? "start" : "end");
    } catch {
      // Safe: typing is a courtesy; it may be lost.
    }
  }
}

/** Dots go by themselves when the end of typing got lost. */
const SHOWN_MILLISECONDS = 30_000;

/** Whether the business types, as its server says it. */
export class BusinessTyping {
  #timer = 0;
  #show;

  /** @param {(isTyping: boolean) => void} show */
  constructor(show) {
    this.#show = show;
  }

  /** @param {boolean} isTyping */
  show(isTyping) {
    clearTimeout(this.#timer);
    if (isTyping) this.#timer = setTimeout(() => this.show(false), SHOWN_MILLISECONDS);
    this.#show(isTyping);
  }
}
