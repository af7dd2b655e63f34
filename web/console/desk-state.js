import { api } from "../lib/api.js";
import { withErased } from "../lib/erased.js";
import { LiveConnection } from "../lib/live.js";
import { wholeMessage } from "../lib/payload.js";
import { ConversationStore } from "./conversation-store.js";
import { DeliveryWatch } from "./delivery-watch.js";
import { viewNamed } from "./inbox-views.js";
import { PresenceStore } from "./presence-store.js";
import { ViewCounts } from "./view-counts.js";
import { threadEventOf } from "../thread/event-words.js";
import { firstSequence, makeThread, withDamaged } from "./open-thread.js";

const TYPING_MILLISECONDS = 8_000;
const PAGE_SIZE = 50;
/** The delivery states of messages to an upstream gateway. */
const UPSTREAM = ["message.delivered_upstream", "message.refused_upstream"];
/** So many pages are read to get back to a message that was found. */
const MOST_PAGES_BACK = 60;

/**
 * The console's state: the list under its filter, the open thread, presence; kept up to date by
 * one live line. Events of this object: `change` (something on screen differs), `line` (the line's
 * state), `arrived` (`detail.message`, inbound).
 */
export class DeskState extends EventTarget {
  filter = { business: "", view: "all" };
  store = new ConversationStore();
  #numbers = new ViewCounts();
  /** Conversations that a search found, whatever list they are in. */
  found = new ConversationStore();
  /** How far the open conversation's messages came. */
  deliveries = new DeliveryWatch();
  hasMore = false;
  isLoading = false;
  problem = null;
  /** @type {import("./open-thread.js").OpenThread|null} */
  open = null;
  /** The conversation requested last, and the events that arrive while it is read. */
  #wanted = null;
  #opening = null;
  /** Conversations as they changed while the list is read; null while it is not. */
  #moved = null;
  #next = null;
  /** The last wait that was read while there are later ones. */
  #reach = null;
  #presence = new PresenceStore();
  /** This agent's presence for colleagues; sent again whenever the connection opens. */
  #own = null;
  #typing = new Map();

  constructor(session) {
    super();
    this.session = session;
    this.live = new LiveConnection({ after: session.head ?? null });
    this.live.addEventListener("state", () => {
      // Presence is unknown while the connection is down.
      if (this.live.state === "offline") this.#presence.clear();
      this.#emit("line");
    });
    this.live.addEventListener("event", (event) => this.#apply(event.detail));
    for (const part of [this.deliveries, this.#numbers]) part.addEventListener("change", () => this.#emit("change"));
    this.live.addEventListener("ephemeral", (event) => this.#applySignal(event.detail));
    this.live.addEventListener("reset", () => this.reload());
    this.live.addEventListener("live", () => this.#begin());
  }

  start() {
    this.live.start();
    return this.load();
  }

  stop() {
    this.deliveries.aim(null);
    this.#numbers.stop();
    this.live.stop();
  }

  /** Everything on screen is read again: the log cannot replay the missed events. */
  async reload() {
    await this.load();
    await this.#readOpen();
  }

  /** The connection is open: the server sends the presence of others, and the page sends its own. */
  #begin() {
    this.#presence.clear();
    if (this.#own) this.live.send(this.#own);
    this.#catchUp();
    this.#emit("change");
  }

  /** Requests that failed while the connection was down are repeated. */
  #catchUp() {
    if (this.#wanted && !this.#opening && this.open?.conversation.id !== this.#wanted) this.#readOpen();
  }

  async #readOpen() {
    if (!this.#wanted) return;
    await this.openConversation(this.#wanted).catch(() => {});  // Safe: the next frame requests it again.
  }

  /** Reads the first page of the list under the present filter. */
  async load(change = {}) {
    this.filter = { ...this.filter, ...change };
    this.isLoading = true;
    this.problem = null;
    this.#emit("change");
    const asked = this.filter;
    const moved = this.#moved = new Map();
    this.#numbers.read(this.filter.business);
    try {
      const page = await api.get("/api/conversations", { query: this.#query() });
      if (asked !== this.filter) return;
      this.store = new ConversationStore([...page.data, ...moved.values()]);
      this.#applyPage(page);
    } catch (problem) {
      if (asked !== this.filter) return;
      this.problem = problem;
    }
    [this.#moved, this.isLoading] = [null, false];
    this.#emit("change");
  }

  async loadMore() {
    if (!this.#next || this.isLoading) return;
    const asked = this.filter;
    let page;
    try {
      page = await api.get("/api/conversations", {
        query: { ...this.#query(), "page[after]": this.#next },
      });
    } catch (problem) {
      if (asked === this.filter) this.problem = problem;
      this.#emit("change");
      return;
    }
    if (asked !== this.filter) return;
    this.problem = null;
    for (const conversation of page.data) this.store.put(conversation);
    this.#applyPage(page);
    this.#emit("change");
  }

  #applyPage(page) {
    this.#next = page.next;
    this.hasMore = page.hasMore;
    this.#reach = page.hasMore ? page.data.at(-1)?.waitingSince ?? null : null;
  }

  #query() {
    return { business: this.filter.business, ...this.#view.query, "page[size]": PAGE_SIZE };
  }

  /** The numbers of the views, of the business that is shown. */
  get counts() {
    return this.#numbers.counts;
  }

  get #view() {
    return viewNamed(this.filter.view);
  }

  /** The rows of the list: the latest first, or in a view by wait the longest wait. */
  get rows() {
    const view = this.#view;
    return this.store.rows((conversation) =>
      (!this.filter.business || conversation.business === this.filter.business)
        && view.belongs(conversation, this.session.agent.id)
        && !(view.isByWait && this.#reach && conversation.waitingSince > this.#reach), view.isByWait);
  }

  /** The conversation that was requested and is not on screen yet. */
  get opening() {
    const id = this.#opening?.id;
    return id && id !== this.open?.conversation.id ? id : null;
  }

  /**
   * Opens one conversation and sends presence for it. The last one requested counts, in whatever
   * order the answers come.
   * @param {string|null} id
   */
  async openConversation(id) {
    this.#wanted = id;
    if (this.open && this.open.conversation.id !== id) this.sendPresence("idle");
    if (!id) {
      this.deliveries.aim(null);
      this.#opening = null;
      this.open = null;
      this.#emit("change");
      return;
    }
    const opening = this.#opening?.id === id ? { ...this.#opening } : { id, messages: [], notes: [], events: [] };
    this.#opening = opening;
    let conversation, page;
    try {
      [conversation, page] = await Promise.all([
        api.get(`/api/conversations/${id}`),
        api.get(`/api/conversations/${id}/messages`, { query: { "page[size]": PAGE_SIZE } }),
      ]);
    } catch (problem) {
      if (this.#opening !== opening) return;
      this.#opening = null;
      throw problem;
    }
    if (this.#opening !== opening) return;
    this.#opening = null;
    const before = this.open?.conversation.id === id ? this.open : null;
    this.store.put(conversation);
    this.open = { ...makeThread(this.store.get(id), page, before, opening), draft: conversation.draft ?? null };
    this.deliveries.aim(id);
    this.sendPresence("looking");
    if (!before && conversation.unread > 0 && this.open.unreadAfter === null) this.markRead(conversation.sequence);  // None can be shown.
    this.#emit("change");
  }

  /** Reads earlier pages until a message is there; false when the agent has gone on meanwhile. */
  async loadBackTo(id, sequence) {
    for (let page = 0; page < MOST_PAGES_BACK; page += 1) {
      const open = this.open;
      if (open?.conversation.id !== id) return false;
      if (!open.hasMore || firstSequence(open) <= sequence) return true;
      try {
        await this.loadEarlier();
      } catch {
        return true;  // Safe: the thread is shown as far as it was read.
      }
    }
    return this.open?.conversation.id === id;
  }

  async loadEarlier() {
    const open = this.open;
    if (!open?.hasMore) return;
    this.deliveries.reach(firstSequence(open));
    const page = await api.get(`/api/conversations/${open.conversation.id}/messages`, {
      query: { before: firstSequence(open), "page[size]": PAGE_SIZE },
    });
    if (this.open !== open) return;
    open.messages = [...page.data, ...open.messages];
    open.events = [...page.events ?? [], ...open.events];
    open.damaged = withDamaged(open.damaged, page);
    open.hasMore = page.hasMore;
    this.#emit("change");
  }

  /**
   * Changes state, assignee or snooze.
   * @param {Record<string, any>} change
   * @param {string} id of the open conversation unless stated
   */
  async change(change, id = this.open.conversation.id) {
    this.#put(await api.patch(`/api/conversations/${id}`, change));
    this.#numbers.readSoon();
  }

  /** Stores a note for colleagues. @param {string} text */
  async addNote(text) {
    const open = this.open;
    const note = await api.post(`/api/conversations/${open.conversation.id}/notes`, { text });
    this.#addTo("notes", open.conversation.id, note);
  }

  /** Shows a message that this page has just sent, before the stream repeats it. */
  addMessage(message) {
    const open = this.open;
    if (open?.conversation.id !== message.conversation) return;
    if (open.messages.some((known) => known.id === message.id)) return;
    open.messages = [...open.messages, message].sort((a, b) => a.sequence - b.sequence);
    this.deliveries.touch();
    open.unreadAfter = message.direction === "outbound" ? null : open.unreadAfter;
    this.#emit("change");
  }

  /** This agent's draft in the row of a conversation. @param {string} id @param {any} draft null for none */
  markDraft(id, draft) {
    const known = this.store.get(id);
    if (known) this.#put({ ...known, draft });
  }

  /** @param {"looking"|"writing"|"idle"} state */
  sendPresence(state) {
    if (!this.open) return;
    const frame = { type: "presence", conversation: this.open.conversation.id, state };
    this.#own = state === "idle" ? null : frame;
    this.live.send(frame);
  }

  /** Colleagues who look at or write in a conversation now. @param {string} id */
  colleagues(id) {
    return this.#presence.at(id);
  }

  /** Whether the customer of a conversation is writing now. @param {string} id */
  isTyping(id) {
    return Date.now() - (this.#typing.get(id) ?? 0) < TYPING_MILLISECONDS;
  }

  #apply(event) {
    const data = event.data ?? {};
    const conversation = data.conversationState ?? data.conversation;
    if (conversation && typeof conversation === "object") this.#put(conversation);
    this.#addTo("events", event.conversation, threadEventOf(event));
    if (event.type === "message.accepted") this.#receive(data.message);
    else if (event.type === "note.added") this.#addTo("notes", event.conversation, data.note ?? data);
    else if (event.type === "message.erased") this.#erase(event);
    else if (event.type === "event.damaged") this.#readAgain(event.conversation);
    else if (UPSTREAM.includes(event.type)) this.deliveries.touch();
    else this.#numbers.readSoon();
  }

  async #receive(arrived) {
    const message = await wholeMessage(arrived).catch(() => arrived);  // Safe: drawn as a reference.
    const isInbound = message.direction === "inbound";
    if (isInbound) {
      this.#typing.delete(message.conversation);
      this.dispatchEvent(new CustomEvent("arrived", { detail: { message } }));
    }
    if (this.#opening?.id === message.conversation) this.#opening.messages.push(message);
    if (this.open?.conversation.id === message.conversation) {
      this.addMessage(message);
    }
    this.#numbers.readSoon();
    this.#emit("change");
  }

  /** The content of a message was erased: it goes from the screen, and from the conversation's row. */
  #erase(event) {
    const id = event.conversation;
    const { open } = this;
    if (open?.conversation.id === id) open.messages = withErased(open.messages, event);
    if (this.#opening?.id === id) {
      // The page that is on its way may have been read before the erasure.
      this.#opening.messages = withErased(this.#opening.messages, event);
      this.openConversation(id).catch(() => {});  // Safe: the view says that it could not be opened.
    } else {
      api.get(`/api/conversations/${id}`).then((found) => this.#put(found), () => {});  // Safe: read again with the list.
    }
    this.#emit("change");
  }

  /** An event of the log cannot be read; the page of the conversation lists the damaged messages. */
  #readAgain(id) {
    const open = this.open?.conversation.id;
    if (open && (!id || id === open)) this.openConversation(open).catch(() => {});  // Safe: the earlier state stays on screen.
  }

  #put(conversation) {
    this.store.put(conversation);
    if (this.found.get(conversation.id)) this.found.put(conversation);
    this.#moved?.set(conversation.id, this.store.get(conversation.id));
    if (this.open?.conversation.id === conversation.id) {
      this.open.conversation = this.store.get(conversation.id);
    }
    this.#emit("change");
  }

  /** A note or an event of a conversation, once, wherever it comes from. @param {"notes"|"events"} list */
  #addTo(list, id, item) {
    if (!item) return;
    if (this.#opening?.id === id) this.#opening[list].push(item);
    const { open } = this;
    if (open?.conversation.id !== id || open[list].some((known) => known.id === item.id)) return;
    open[list] = [...open[list], item];
    this.#emit("change");
  }

  #applySignal(frame) {
    if (frame.kind === "draft") {
      if (frame.state === "removed") this.markDraft(frame.conversation, null);
      return this.dispatchEvent(new CustomEvent("draft", { detail: frame }));
    }
    const { conversation, who, state } = frame;
    if (frame.kind === "typing") {
      if (who?.type !== "customer") return;
      this.#typing.set(conversation, state === "start" ? Date.now() : 0);
      setTimeout(() => this.#emit("change"), TYPING_MILLISECONDS + 100);
    } else if (who?.id !== this.session.agent.id) {
      this.#presence.apply(frame);
    }
    this.#emit("change");
  }

  /** An agent has seen the open conversation's messages up to one. @param {number} sequence */
  markRead(sequence) {
    const { open } = this;
    if (!open || sequence <= open.readUpTo) return;
    open.readUpTo = sequence;
    const { id } = open.conversation;
    const unread = open.messages.filter((one) => one.direction === "inbound" && one.sequence > sequence).length;
    api.post(`/api/conversations/${id}/read`, { sequence }).then(() => {
      const known = this.store.get(id);
      if (known) this.#put({ ...known, unread });
    }, () => {});  // Safe: an unread mark that stays is put right by the next reading.
  }

  #emit(name) {
    this.dispatchEvent(new CustomEvent(name));
  }
}
