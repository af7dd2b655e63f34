import { api } from "../lib/api.js";
import { withErased } from "../lib/erased.js";
import { hasConversationParts, loadConversation } from "./conversation-loading.js";
import { firstSequence, makeThread, newestOf, withDamaged } from "./open-thread.js";

const PAGE_SIZE = 50;
/** So many pages are read to get back to a message that was found. */
const MOST_PAGES_BACK = 60;

/** The conversation on screen: read in pages, and completed by the events that arrive meanwhile and later. */
export class OpenConversation {
  /** @type {import("./open-thread.js").OpenThread|null} */
  thread = null;
  /** The id requested last; null for none. */
  wanted = null;
  /** The events that arrive while it is read. */
  #opening = null;
  #put;
  #known;
  #changed;

  /**
   * @param {{put: (conversation: any) => any, known: (id: string) => any, changed: () => void}} owner `put` stores a
   *   conversation that was read and returns the newest state of it; `known` finds one that was read before
   */
  constructor({ put, known, changed }) {
    this.#put = put;
    this.#known = known;
    this.#changed = changed;
  }

  /** The one that was requested and whose messages are not on screen yet. */
  get opening() {
    const id = this.#opening?.id;
    return id && !this.#has(id) ? id : null;
  }

  /** Whether the messages of the one that was requested are neither on screen nor on their way. */
  get isMissing() {
    return Boolean(this.wanted) && !this.#opening && !this.#has(this.wanted);
  }

  #has(id) {
    return this.thread?.conversation.id === id && !this.thread.isOpening;
  }

  /** The lowest sequence on screen. */
  get firstSequence() {
    return firstSequence(this.thread);
  }

  /**
   * Reads the newest page of a conversation; the last one requested counts.
   * @param {string|null} id null shows none
   * @returns {Promise<boolean>} whether it is on screen now
   */
  async read(id) {
    this.wanted = id;
    if (!id) {
      this.#opening = null;
      this.thread = null;
      this.#changed();
      return false;
    }
    const opening = this.#opening?.id === id ? { ...this.#opening } : { id, messages: [], notes: [], events: [] };
    this.#opening = opening;
    if (this.thread?.conversation.id !== id) this.#leaveFor(id);
    let conversation, page, scheduled;
    try {
      [conversation, page, scheduled] = await Promise.all([
        api.get(`/api/conversations/${id}`),
        api.get(`/api/conversations/${id}/messages`, { query: { "page[size]": PAGE_SIZE } }),
        api.get(`/api/conversations/${id}/scheduled`), loadConversation(),
      ]);
    } catch (problem) {
      if (this.#opening !== opening) return false;
      this.#opening = null;
      if (this.thread?.isOpening && !problem.mayRetry) this.thread = null;
      throw problem;
    }
    if (this.#opening !== opening) return false;
    this.#opening = null;
    const before = this.#has(id) ? this.thread : null;
    this.thread = {
      ...makeThread(this.#put(conversation), page, before, opening), draft: conversation.draft ?? null, scheduled: scheduled.data,
    };
    return true;
  }

  /**
   * The conversation that was on screen leaves it at once, before the next one is read: what is written from here on is
   * written to the next one.
   */
  #leaveFor(id) {
    // Without the elements that show it, it is shown once they are there.
    const conversation = hasConversationParts() ? this.#known(id) : null;
    const nothing = { data: [], messages: [], notes: [], hasMore: false };
    this.thread = conversation
      ? { ...makeThread(conversation, nothing, null, nothing), draft: conversation.draft ?? null, scheduled: [], isOpening: true } : null;
    this.#changed();
  }

  /**
   * Reads earlier pages until a message is there; false when the agent has gone on meanwhile.
   * @param {string} id
   * @param {number} sequence
   * @param {() => Promise<void>} readEarlier
   */
  async readBackTo(id, sequence, readEarlier) {
    for (let page = 0; page < MOST_PAGES_BACK; page += 1) {
      if (this.thread?.conversation.id !== id) return false;
      if (!this.thread.hasMore || this.firstSequence <= sequence) return true;
      try {
        await readEarlier();
      } catch {
        return true;  // Safe: the thread is shown as far as it was read.
      }
    }
    return this.thread?.conversation.id === id;
  }

  /** Reads the page before the first message on screen. */
  async readEarlier() {
    const open = this.thread;
    if (!open?.hasMore) return;
    const page = await api.get(`/api/conversations/${open.conversation.id}/messages`, {
      query: { "page[before]": firstSequence(open), "page[size]": PAGE_SIZE },
    });
    if (this.thread !== open) return;
    open.messages = [...page.data, ...open.messages];
    open.events = [...page.events ?? [], ...open.events];
    open.damaged = withDamaged(open.damaged, page);
    open.hasMore = page.hasMore;
    this.#changed();
  }

  /** A message that was sent or that arrived. @returns {boolean} whether it is new on screen */
  addMessage(message) {
    const id = message.conversation;
    if (this.#opening?.id === id) this.#opening.messages.push(message);
    const open = this.thread;
    if (!this.#has(id) || open.messages.some((known) => known.id === message.id)) return false;
    open.messages = [...open.messages, message].sort((a, b) => a.sequence - b.sequence);
    open.scheduled = open.scheduled.filter((one) => one.id !== message.id);
    open.unreadAfter = message.direction === "outbound" ? null : open.unreadAfter;
    return true;
  }

  /** An event, once, wherever it comes from. @param {string} id @param {any} event */
  addEvent(id, event) {
    if (!event) return;
    if (this.#opening?.id === id) this.#opening.events.push(event);
    const open = this.thread;
    if (!this.#has(id) || open.events.some((known) => known.id === event.id)) return;
    open.events = [...open.events, event];
    this.#changed();
  }

  /** A note that was added, edited or deleted. @param {string} id @param {any} note */
  putNote(id, note) {
    if (this.#opening?.id === id) this.#opening.notes.push(note);
    const open = this.thread;
    if (!this.#has(id)) return;
    open.notes = newestOf([...open.notes, note]);
    this.#changed();
  }

  /** A message that is to be sent after a while. @param {any} scheduled */
  addScheduled(scheduled) {
    const open = this.thread;
    if (open?.conversation.id !== scheduled.conversation) return;
    open.scheduled = [...open.scheduled.filter((one) => one.id !== scheduled.id), scheduled];
    this.#changed();
  }

  /** It was sent or withdrawn. @param {string} id of the message */
  removeScheduled(id) {
    const open = this.thread;
    if (!open?.scheduled.some((one) => one.id === id)) return;
    open.scheduled = open.scheduled.filter((one) => one.id !== id);
    this.#changed();
  }

  /** Reads the messages that are to be sent, after an event of one. @param {string} id */
  async readScheduled(id) {
    const open = this.thread;
    if (open?.conversation.id !== id) return;
    const page = await api.get(`/api/conversations/${id}/scheduled`).catch(() => null);  // Safe: read again with the conversation.
    if (!page || this.thread !== open) return;
    // What was sent meanwhile is among the messages.
    open.scheduled = page.data.filter((one) => !open.messages.some((message) => message.id === one.id));
    this.#changed();
  }

  /** The content of a message was erased. @returns {boolean} whether a page on its way may still have it */
  erase(event) {
    const { thread } = this;
    if (thread?.conversation.id === event.conversation) thread.messages = withErased(thread.messages, event);
    if (this.#opening?.id !== event.conversation) return false;
    this.#opening.messages = withErased(this.#opening.messages, event);
    return true;
  }

  /** The agent has seen what mentions them here. */
  markMentioned() {
    const { conversation, readUpTo } = this.thread;
    return api.post(`/api/conversations/${conversation.id}/read`, { sequence: Math.min(readUpTo, conversation.sequence) });
  }

  /**
   * An agent has seen the messages up to one.
   * @param {number} sequence
   * @returns {Promise<number>|undefined} how many are unread once the server knows it; undefined when it knows already
   */
  markRead(sequence) {
    const open = this.thread;
    if (!open || sequence <= open.readUpTo) return undefined;
    open.readUpTo = sequence;
    const unread = open.messages.filter((one) => one.direction === "inbound" && one.sequence > sequence).length;
    return api.post(`/api/conversations/${open.conversation.id}/read`, { sequence }).then(() => unread);
  }
}
