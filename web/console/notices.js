import { t } from "../lib/i18n.js";
import { claimNotice } from "./notice-claims.js";
import { playNotice } from "./notice-sound.js";
import { isQuiet, noticeOf } from "./notice-rules.js";
import { preferences } from "./preferences.js";
import { closeNotice, closeOwnNotice, showNotice } from "./shown-notice.js";

/** A page without the focus waits so long for one that has it, in milliseconds. */
const BEHIND_MILLISECONDS = 200;
/** At most one sound in this time, in milliseconds. */
const SOUND_MILLISECONDS = 3_000;

/**
 * Notifies an agent of events: by a sound, by the browser, by a number on the page's icon. An event is notified once,
 * however many pages are open, and not in the conversation that the agent is looking at.
 */
export class Notices {
  /** Conversations of which the agent was notified since the page had the focus. */
  #missed = new Set();
  #lastSound = 0;
  /** What came while missed events were read, notified in one. */
  #held = [];
  #page;

  /**
   * @param {{ownID: string, handles: (business: string) => boolean, isWithBot: (event: any) => Promise<boolean>, openID: () => string|null, isCatchingUp: () => boolean, wordsOf: (event: any) => {title: string, body: string},
   *   go: (conversation: string) => void, changed: () => void, signal: AbortSignal}} page
   */
  constructor(page) {
    this.#page = page;
    addEventListener("focus", () => this.#clear(), { signal: page.signal });
    page.signal.addEventListener("abort", () => this.#clear());
  }

  /** How many conversations wait for a look. */
  get missed() {
    return preferences().badge ? this.#missed.size : 0;
  }

  /**
   * Leaves a conversation to the worker, whose notification is in the place of this page's own.
   * @param {string|undefined} conversation
   * @returns {boolean} whether news of now reach the agent here, who is looking or was shown them by this page
   */
  leaveToWorker(conversation) {
    if (this.#page.isCatchingUp()) return false;
    if (conversation) closeOwnNotice(conversation);
    return document.hasFocus() || this.#showsOwn;
  }

  get #showsOwn() {
    return preferences().browser && globalThis.Notification?.permission === "granted";
  }

  /** @param {any} event of the live connection */
  async see(event) {
    // The notice of the conversation may say what is erased, or is deleted by its author.
    const emptied = emptiedBy(event);
    if (emptied) closeNotice(emptied);
    if (isAnswerOf(event, this.#page.ownID)) return this.#forget(event.conversation);
    const found = noticeOf(event, this.#page.ownID, this.#page.handles);
    if (!found || !preferences().notices[found.reason]) return;
    // What a bot answers waits for no person.
    if (found.reason === "unassigned" && event.type !== "conversation.control_changed" && await this.#page.isWithBot(event)) return;
    const hasFocus = document.hasFocus();
    if (hasFocus && this.#page.openID() === found.conversation) return void claimNotice(event.id);
    if (!hasFocus) {
      this.#missed.add(found.conversation);
      this.#drawBadge();
    }
    if (this.#page.isCatchingUp()) this.#held.push([event, found]);
    else setTimeout(() => this.#notify(event, found), hasFocus ? 0 : BEHIND_MILLISECONDS);
  }

  /** The missed events were read: one notice for all of them. */
  settle() {
    const held = this.#held.splice(0);
    if (held.length === 1) this.#notify(...held[0]);
    else if (held.length) this.#notify(held.at(-1)[0], held.at(-1)[1], t("console.notice.several", { count: held.length }));
  }

  async #notify(event, { reason, conversation }, summary = "") {
    const { sound, quiet } = preferences();
    if (!await claimNotice(event.id) || isQuiet(quiet, new Date())) return;
    const now = Date.now();
    if (sound && now - this.#lastSound > SOUND_MILLISECONDS) {
      this.#lastSound = now;
      playNotice();
    }
    if (!this.#showsOwn || document.hasFocus()) return;
    const { title, body } = summary ? { title: t("console.title"), body: summary } : this.#page.wordsOf(event);
    await showNotice(
      title, { body: summary || `${t(`console.notice.${reason}`)}${body ? `\n${body}` : ""}`, conversation }, (one) => this.#page.go(one));
  }

  /** The agent has answered, here or on another device: nothing in the conversation waits for a look. @param {string} conversation */
  #forget(conversation) {
    closeNotice(conversation);
    this.#held = this.#held.filter(([, found]) => found.conversation !== conversation);
    if (this.#missed.delete(conversation)) this.#drawBadge();
  }

  #clear() {
    if (!this.#missed.size) return;
    this.#missed.clear();
    this.#drawBadge();
  }

  #drawBadge() {
    const link = document.querySelector('link[rel="icon"]');
    const count = this.missed;
    if (link) link.href = count ? badged(count) : "/web/lib/icon.svg";
    this.#page.changed();
  }
}

/** The conversation of which less is known since an event: a contact's first one has its id. @param {any} event @returns {string|null} */
function emptiedBy({ type, conversation, data }) {
  if (type === "message.erased" || type === "note.deleted") return conversation;
  return type === "contact.saved" && data.change?.erased ? data.contact.id : null;
}

/** Whether an event is an answer that an agent wrote. @param {any} event @param {string} agent its id */
function isAnswerOf({ type, data = {} }, agent) {
  return type === "message.accepted" && data.message?.direction === "outbound" && data.message.author?.id === agent;
}

/** The page's icon with a number. @param {number} count */
function badged(count) {
  const text = count > 9 ? "9+" : String(count);
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#4353ff"/>`
    + `<circle cx="20" cy="20" r="12" fill="#d92d20" stroke="#fff" stroke-width="2"/><text x="20" y="26" font-family="sans-serif" font-weight="700" `
    + `font-size="${text.length > 1 ? 13 : 17}" text-anchor="middle" fill="#fff">${text}</text></svg>`)}`;
}
