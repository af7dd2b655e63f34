/** The sandbox's conversations, from the API's answers and the log's events. Pure. */

import { withErased } from "../lib/erased.js";

/** The most messages kept for the conversation on screen. */
const messageLimit = 500;

export class ConversationStore {
  /** @type {Map<string, any>} */
  conversations = new Map();
  /** @type {any[]} messages of the open conversation, ascending */
  messages = [];
  /** @type {string|null} */
  openID = null;

  /** The open conversation, null while the page waits. */
  get open() {
    return this.openID ? this.conversations.get(this.openID) ?? null : null;
  }

  /** Conversations with the newest message first. */
  get sorted() {
    const time = (conversation) => conversation.lastMessage?.time ?? conversation.openedAt ?? "";
    return [...this.conversations.values()].sort((one, other) => (time(one) < time(other) ? 1 : -1));
  }

  /** Replaces all by a fresh list. */
  replaceAll(conversations) {
    this.conversations = new Map(conversations.map((conversation) => [conversation.id, conversation]));
  }

  /** Turns to a conversation; its messages are to be put in. */
  turnTo(id) {
    this.openID = id;
    this.messages = [];
  }

  /** Puts messages in; each is kept once, in the order of the conversation. */
  addMessages(messages) {
    const known = new Map(this.messages.map((message) => [message.id, message]));
    for (const message of messages) known.set(message.id, message);
    this.messages = [...known.values()]
      .sort((one, other) => one.sequence - other.sequence)
      .slice(-messageLimit);
  }

  /**
   * Applies one event of the log.
   * @returns {{arrived: any|null, entryCode: string|null}} the message that arrived, if one did
   */
  apply(event) {
    const conversation = event.data?.conversationState ?? event.data?.conversation;
    if (conversation?.id) this.conversations.set(conversation.id, conversation);
    if (event.type === "message.erased") this.messages = withErased(this.messages, event);
    const message = event.type === "message.accepted" ? event.data?.message : null;
    if (!message) return { arrived: null, entryCode: null };
    if (message.conversation === this.openID) this.addMessages([message]);
    return { arrived: message, entryCode: event.data.entry?.code ?? null };
  }
}

/**
 * Whether a message makes the waiting page turn to its conversation: the first one of a code of
 * this page, or any customer's message that belongs to no other page's code.
 * @param {any} message
 * @param {string|null} entryCode
 * @param {Set<string>} ownCodes
 */
export function opensPage(message, entryCode, ownCodes) {
  if (message.direction !== "inbound" || message.author?.type !== "customer") return false;
  return entryCode === null || ownCodes.has(entryCode);
}
