import { api } from "../lib/api.js";
import { LiveConnection } from "../lib/live.js";
import { wholeMessage } from "../lib/payload.js";
import { ConversationBook } from "./conversation-book.js";

/** How long a colleague counts as looking after the last sign of them. */
const PRESENCE_MILLISECONDS = 60_000;
const TYPING_MILLISECONDS = 8_000;
const PAGE_SIZE = 50;

/**
 * What the console knows: the list under its filter, the open thread, who is there; kept in step by
 * one live line. Events of this object: `change` (something on screen differs), `line` (the line's
 * state), `arrived` (`detail.message`, inbound).
 */
export class DeskState extends EventTarget {
  filter = { business: "", filter: "all", state: "open" };
  counts = { mine: 0, unassigned: 0, all: 0 };
  book = new ConversationBook();
  hasMore = false;
  isLoading = false;
  problem = null;
  /** @type {{conversation: any, messages: any[], notes: any[], hasMore: boolean, unreadAfter: number|null}|null} */
  open = null;
  #next = null;
  #presence = new Map();
  #typing = new Map();
  #counting = 0;

  constructor(session) {
    super();
    this.session = session;
    this.live = new LiveConnection({ after: session.head ?? null });
    this.live.addEventListener("state", () => this.#tell("line"));
    this.live.addEventListener("event", (event) => this.#apply(event.detail));
    this.live.addEventListener("ephemeral", (event) => this.#applySignal(event.detail));
    this.live.addEventListener("reset", () => this.reload());
  }

  start() {
    this.live.start();
    return this.load();
  }

  stop() {
    this.live.stop();
  }

  /** Everything on screen is read again: the log could not say what was missed. */
  async reload() {
    await this.load();
    if (this.open) await this.openConversation(this.open.conversation.id);
  }

  /** Reads the first page of the list under the present filter. */
  async load(change = {}) {
    this.filter = { ...this.filter, ...change };
    this.isLoading = true;
    this.problem = null;
    this.#tell("change");
    const asked = this.filter;
    try {
      const page = await api.get("/api/conversations", { query: this.#query() });
      if (asked !== this.filter) return;
      this.book = new ConversationBook(page.data);
      this.#take(page);
    } catch (problem) {
      if (asked === this.filter) this.problem = problem;
    }
    this.isLoading = false;
    this.#tell("change");
  }

  async loadMore() {
    if (!this.#next || this.isLoading) return;
    const page = await api.get("/api/conversations", {
      query: { ...this.#query(), "page[after]": this.#next },
    });
    for (const conversation of page.data) this.book.put(conversation);
    this.#take(page);
    this.#tell("change");
  }

  #take(page) {
    this.#next = page.next;
    this.hasMore = page.hasMore;
    this.counts = page.counts ?? this.counts;
  }

  #query() {
    return { ...this.filter, "page[size]": PAGE_SIZE };
  }

  /** The rows of the list, the latest first. */
  get rows() {
    return this.book.rows((conversation) => this.#belongs(conversation));
  }

  #belongs(conversation) {
    const { business, filter, state } = this.filter;
    if (business && conversation.business !== business) return false;
    if (state !== "any" && conversation.state !== state) return false;
    if (filter === "mine") return conversation.assignee?.id === this.session.agent.id;
    return filter !== "unassigned" || !conversation.assignee;
  }

  /** Opens one conversation and says so to colleagues. @param {string|null} id */
  async openConversation(id) {
    if (this.open && this.open.conversation.id !== id) this.tellPresence("idle");
    if (!id) {
      this.open = null;
      this.#tell("change");
      return;
    }
    const [conversation, page] = await Promise.all([
      api.get(`/api/conversations/${id}`),
      api.get(`/api/conversations/${id}/messages`, { query: { "page[size]": PAGE_SIZE } }),
    ]);
    const isSame = this.open?.conversation.id === id;
    const last = page.data.at(-1)?.sequence ?? 0;
    this.open = {
      conversation, messages: page.data, notes: page.notes ?? [], hasMore: page.hasMore,
      unreadAfter: isSame ? this.open.unreadAfter
        : conversation.unread > 0 ? unreadAfter(page.data, conversation.unread) : null,
    };
    this.book.put(conversation);
    this.tellPresence("looking");
    this.#tell("change");
    if (conversation.unread > 0) this.#markRead(id, last);
  }

  async loadEarlier() {
    const open = this.open;
    if (!open?.hasMore) return;
    const page = await api.get(`/api/conversations/${open.conversation.id}/messages`, {
      query: { before: open.messages[0]?.sequence, "page[size]": PAGE_SIZE },
    });
    if (this.open !== open) return;
    open.messages = [...page.data, ...open.messages];
    open.hasMore = page.hasMore;
    this.#tell("change");
  }

  /** Changes state, assignee or snooze. @param {Record<string, any>} change */
  async change(change) {
    const id = this.open.conversation.id;
    this.#put(await api.patch(`/api/conversations/${id}`, change));
    this.#recount();
  }

  /** Stores a note for colleagues. @param {string} text */
  async addNote(text) {
    const open = this.open;
    const note = await api.post(`/api/conversations/${open.conversation.id}/notes`, { text });
    this.#addNote(open.conversation.id, note);
  }

  /** Shows a message that this page has just sent, before the stream repeats it. */
  addMessage(message) {
    const open = this.open;
    if (open?.conversation.id !== message.conversation) return;
    if (open.messages.some((known) => known.id === message.id)) return;
    open.messages = [...open.messages, message].sort((a, b) => a.sequence - b.sequence);
    open.unreadAfter = message.direction === "outbound" ? null : open.unreadAfter;
    this.#tell("change");
  }

  /** @param {"looking"|"writing"|"idle"} state */
  tellPresence(state) {
    if (!this.open) return;
    this.live.send({ type: "presence", conversation: this.open.conversation.id, state });
  }

  /** Colleagues who look at or write in a conversation now. @param {string} id */
  colleagues(id) {
    const now = Date.now();
    return [...(this.#presence.get(id)?.values() ?? [])].filter((entry) =>
      entry.state !== "idle" && now - entry.at < PRESENCE_MILLISECONDS);
  }

  /** Whether the customer of a conversation is writing now. @param {string} id */
  isTyping(id) {
    return Date.now() - (this.#typing.get(id) ?? 0) < TYPING_MILLISECONDS;
  }

  #apply(event) {
    const data = event.data ?? {};
    const conversation = data.conversationState ?? data.conversation;
    if (conversation && typeof conversation === "object") this.#put(conversation);
    if (event.type === "message.accepted") this.#receive(data.message);
    else if (event.type === "note.added") this.#addNote(event.conversation, data.note ?? data);
    else this.#recount();
  }

  async #receive(arrived) {
    const message = await wholeMessage(arrived).catch(() => arrived);  // Safe: drawn as a reference.
    const isInbound = message.direction === "inbound";
    if (isInbound) {
      this.#typing.delete(message.conversation);
      this.dispatchEvent(new CustomEvent("arrived", { detail: { message } }));
    }
    if (this.open?.conversation.id === message.conversation) {
      this.addMessage(message);
      if (isInbound && document.visibilityState === "visible") {
        this.#markRead(message.conversation, message.sequence);
      }
    }
    this.#recount();
    this.#tell("change");
  }

  #put(conversation) {
    this.book.put(conversation);
    if (this.open?.conversation.id === conversation.id) this.open.conversation = conversation;
    this.#tell("change");
  }

  #addNote(id, note) {
    const open = this.open;
    if (open?.conversation.id !== id || open.notes.some((known) => known.id === note.id)) return;
    open.notes = [...open.notes, note];
    this.#tell("change");
  }

  #applySignal(frame) {
    const { conversation, who, state } = frame;
    if (frame.kind === "typing") {
      if (who?.type !== "customer") return;
      this.#typing.set(conversation, state === "start" ? Date.now() : 0);
      setTimeout(() => this.#tell("change"), TYPING_MILLISECONDS + 100);
    } else if (who?.id !== this.session.agent.id) {
      const there = this.#presence.get(conversation) ?? new Map();
      there.set(who.id, { ...who, state, at: Date.now() });
      this.#presence.set(conversation, there);
      setTimeout(() => this.#tell("change"), PRESENCE_MILLISECONDS + 100);
    }
    this.#tell("change");
  }

  #markRead(id, sequence) {
    api.post(`/api/conversations/${id}/read`, { sequence }).then(() => {
      const known = this.book.get(id);
      if (known) this.#put({ ...known, unread: 0 });
    }, () => {});  // Safe: an unread mark that stays is put right by the next reading.
  }

  /** Counts are the server's; asked for again soon after something moved, once for many moves. */
  #recount() {
    clearTimeout(this.#counting);
    this.#counting = setTimeout(async () => {
      const page = await api.get("/api/conversations", {
        query: { ...this.#query(), "page[size]": 1 },
      }).catch(() => null);  // Safe: the line's own mark tells that we are offline.
      if (page?.counts) this.counts = page.counts;
      this.#tell("change");
    }, 300);
  }

  #tell(name) {
    this.dispatchEvent(new CustomEvent(name));
  }
}

/** The sequence after which the last `unread` inbound messages lie. */
function unreadAfter(messages, unread) {
  const inbound = messages.filter((message) => message.direction === "inbound");
  const first = inbound.at(-Math.min(unread, inbound.length));
  return first ? first.sequence - 1 : null;
}
