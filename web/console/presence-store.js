import { t } from "../lib/i18n.js";

/**
 * What a colleague does at a conversation, in words.
 * @param {{name: string, state: string}} colleague
 */
export function presenceWords({ name, state }) {
  return t({ writing: "console.writing", away: "presence.idleHere" }[state] ?? "console.looking", { name });
}

/**
 * Which colleagues look at or write in which conversation, or are idle there, as the server reports it. The server says
 * all of it when the line opens and every change after that; nothing here runs out by itself.
 */
export class PresenceStore {
  #byConversation = new Map();
  #send;
  /** This agent's presence for colleagues; sent again whenever the connection opens. */
  #own = null;

  /** @param {(frame: Record<string, any>) => void} [send] over the live connection */
  constructor(send = () => {}) {
    this.#send = send;
  }

  /** Says what this agent does at a conversation. @param {string} conversation @param {"looking"|"writing"|"idle"} state */
  say(conversation, state) {
    const frame = { type: "presence", conversation, state };
    this.#own = state === "idle" ? null : frame;
    this.#send(frame);
  }

  /** Says again what this agent does: over a new connection, or as idle and back. @param {boolean} isIdle */
  repeat(isIdle) {
    if (this.#own) this.#send(isIdle ? { ...this.#own, state: "away" } : this.#own);
  }

  /**
   * Applies one frame.
   * @param {{conversation: string, who: {id: string}, state: "looking"|"writing"|"away"|"idle"}} frame
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
