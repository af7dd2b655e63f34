import { api } from "../lib/api.js";
import { isReference } from "../lib/payload.js";

/**
 * Reads the payloads that are too large to travel with a stream, where only their size came, by the ids of their messages.
 * @param {import("./thread-state.js").ThreadState} thread
 * @param {string} base where the conversation is asked for
 * @param {() => void} changed
 */
export async function fillThin(thread, base, changed) {
  for (const message of thread.messages.filter(({ payload }) => isReference(payload))) {
    try {
      const whole = await api.get(`${base}/messages/${encodeURIComponent(message.id)}`);
      if (thread.add([whole])) changed();
    } catch {
      return;  // Safe: the card shows that it is loading until the next reading.
    }
  }
}
