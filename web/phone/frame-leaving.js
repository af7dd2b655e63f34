import { handOver } from "./hand-over.js";
import { holdFiles, readFile, unsentFiles } from "./held-files.js";
import { forgetAll, recall, remember } from "./memory.js";

/** How long a frame without a name is kept at most while its customer signs in. */
const SIGN_IN_MILLISECONDS = 5000;

/** What the frame of a widget keeps for the next one, as its customer signs in or the browser gets another one. */
export class FrameLeaving {
  #chat;

  /** @param {import("./phone-chat.js").PhoneChat} chat */
  constructor(chat) {
    this.#chat = chat;
  }

  /**
   * The customer is about to sign in, which ends this frame: what can be sent is sent, and files are kept for the next.
   * @param {string} holder the name of this tab
   */
  async settle(holder) {
    const { key, conversation, composer, embedding } = this.#chat;
    const heldKey = this.#chat.heldKey = `${key}.${holder}`;
    const read = (id) => readFile(conversation.attachmentUrl(id));
    const hold = async () => holdFiles(heldKey, await unsentFiles(composer.files, conversation.outbox.items, read));
    // Those of the field first, and all at once too: the page around this one does not wait for a server that hangs.
    await holdFiles(heldKey, composer.files);
    await Promise.all([hold(), conversation.outbox.settle()]);
    await hold();
    embedding.settled();
  }

  /** Files were sent or removed: a copy of them would come back. Signing in may have failed, too. */
  async holdRest() {
    const { heldKey, composer, embedding } = this.#chat;
    if (!heldKey) return;
    await holdFiles(heldKey, composer.files);
    if (composer.files.length === 0) embedding.released();
  }

  /** The stream ended: without a name the customer is asked for once a frame that is left for signing in is gone. */
  askLater() {
    const { conversation, isNamed } = this.#chat;
    if (isNamed || !conversation.isKept) return;
    setTimeout(() => conversation.check().catch(() => {}), SIGN_IN_MILLISECONDS);  // Safe: without a line nothing is known of it.
  }

  /** The customer without a name is gone, as after signing out on another host. What waits to be sent finds that out by itself. */
  forget() {
    const { key, conversation } = this.#chat;
    if (conversation.outbox.items.length > 0) return;
    forgetAll(`${key}.`);
    location.reload();
  }

  /**
   * The browser has another customer or none, and the page begins anew. Another customer sees nothing of a signed-in one;
   * what was being written without a name is that customer's who has signed in meanwhile, or goes on without a name.
   * @param {string} [text] what could not be sent, where the browser has no customer any more
   */
  loadAnew(text) {
    const { key, isNamed } = this.#chat;
    if (!isNamed) {
      handOver(key, key);
      remember(`${key}.place`, null);
      // Once only: from now on it may be a signed-in customer's.
      const wanted = new URLSearchParams(location.hash.slice(1));
      wanted.set("named", "1");
      history.replaceState(null, "", `#${wanted}`);
      return location.reload();
    }
    // Another customer's words are not shown to this one.
    const kept = text === undefined ? [] : [text, recall(`${key}.draft`)].filter(Boolean);
    forgetAll(`${key}.`);
    if (kept.length > 0) remember(`${key}.draft`, kept.join("\n\n"));
    location.reload();
  }
}
