/** Signals to the customer that the agent is typing: at the start, now and then as long as it goes on, and once when it stops. */
import { api } from "../lib/api.js";

/** Without a keystroke for this long, writing counts as stopped. */
const idleMilliseconds = 8000;
/** WhatsApp shows a sign of typing for 25 seconds. */
const againMilliseconds = 20_000;

export class TypingSignal {
  #path = null;
  #isOn = false;
  #timer = 0;
  #sentAt = 0;

  /** @param {string|null} path of the conversation's typing route */
  aim(path) {
    if (path === this.#path) return;
    this.stop();
    this.#path = path;
  }

  /** Called on every keystroke. */
  touch() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.stop(), idleMilliseconds);
    if (!this.#isOn || Date.now() - this.#sentAt >= againMilliseconds) this.#send("start");
  }

  /** The typing has ended; a sent message ends it by itself. */
  stop({ silently = false } = {}) {
    clearTimeout(this.#timer);
    if (!this.#isOn) return;
    if (silently) this.#isOn = false;
    else this.#send("end");
  }

  #send(state) {
    this.#isOn = state === "start";
    this.#sentAt = Date.now();
    if (!this.#path) return;
    // Safe: a typing signal may be lost; nothing depends on it.
    api.post(this.#path, { state }).catch(() => {});
  }
}
