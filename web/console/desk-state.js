import { api } from "../lib/api.js";
import { LiveConnection } from "../lib/live.js";
import { wholeMessage } from "../lib/payload.js";
import { Availability } from "./availability.js";
import { BusinessLists } from "./business-lists.js";
import { ConversationStore } from "./conversation-store.js";
import { DeliveryWatch, SCHEDULED, UPSTREAM } from "./delivery-watch.js";
import { ErasedRows } from "./erased-rows.js";
import { changeFilter, isDueSoon } from "./list-filter.js";
import { ListedConversations } from "./listed-conversations.js";
import { OpenConversation } from "./open-conversation.js";
import { may } from "./permissions.js";
import { PresenceStore } from "./presence-store.js";
import { SavedViews } from "./saved-views.js";
import { ViewCounts } from "./view-counts.js";
import { threadEventOf } from "../thread/event-words.js";

const TYPING_MILLISECONDS = 8_000;

/**
 * The console's state: the list under its filter, the open thread, presence; kept up to date by
 * one live line. Events of this object: `change` (something on screen differs), `line` (the line's
 * state), `happened` (`detail`: an event of the log), `saved` (`detail`: the signal that choices or a rule were saved), `back` (live again).
 */
export class DeskState extends EventTarget {
  #list = new ListedConversations(() => this.#emit("change"));
  #numbers = new ViewCounts();
  /** The saved views, with their numbers. */
  views = new SavedViews();
  /** Labels, teams and members of the businesses. */
  lists = new BusinessLists();
  /** Conversations that a search found, whatever list they are in. */
  found = new ConversationStore();
  /** Whether these are shown in the place of the rows. */
  isSearched = false;
  /** How far the open conversation's messages came. */
  deliveries = new DeliveryWatch();
  #here = new OpenConversation({
    put: (conversation) => {
      this.#list.put(conversation);
      return this.store.get(conversation.id);
    },
    known: (id) => this.store.get(id),
    changed: () => this.#emit("change"),
  });
  #again = new ErasedRows((found) => this.#put(found));
  #presence = new PresenceStore((frame) => this.live.send(frame));
  #typing = new Map();
  #hasBegun = false;

  constructor(session) {
    super();
    this.session = session;
    this.live = new LiveConnection({ after: session.head ?? null });
    /** Who is there at all. */
    this.availability = new Availability(session, (frame) => this.live.send(frame));
    this.availability.addEventListener("idle", () => this.#presence.repeat(this.availability.isIdle));
    this.live.addEventListener("state", () => {
      // Presence is unknown while the connection is down.
      if (this.live.state === "offline") {
        this.#presence.clear();
        this.availability.clear();
      }
      this.#emit("line");
    });
    this.live.addEventListener("event", (event) => this.#apply(event.detail));
    this.#numbers.addEventListener("change", () => this.#list.noteBots(this.counts.withBot > 0));
    for (const part of [this.deliveries, this.#numbers, this.lists, this.views]) part.addEventListener("change", () => this.#emit("change"));
    this.live.addEventListener("ephemeral", (event) => this.#applySignal(event.detail));
    this.live.addEventListener("reset", () => {
      this.lists.forget();
      this.reload();
    });
    this.live.addEventListener("live", () => this.#begin());
  }

  /** Connects, and reads the list of a filter. @param {Partial<import("./list-filter.js").ListFilter>} [filter] */
  start(filter) {
    this.live.start();
    this.availability.start();
    return this.load(filter);
  }

  stop() {
    this.deliveries.aim(null);
    for (const part of [this.#numbers, this.views, this.#list, this.availability, this.live]) part.stop();
  }

  /** Everything on screen is read again: the log cannot replay the missed events. */
  async reload() {
    await this.load();
    await this.#readOpen();
  }

  /** The connection is open: the server sends the presence of others, and the page sends its own. */
  #begin() {
    this.#presence.clear();
    this.availability.begin();
    this.#presence.repeat(this.availability.isIdle);
    // Requests that failed while the connection was down are repeated.
    if (this.#here.isMissing) this.#readOpen();
    if (this.#hasBegun) this.views.read().then(() => this.#emit("back"));
    this.#hasBegun = true;
    this.#emit("change");
  }

  async #readOpen() {
    if (this.#here.wanted) await this.openConversation(this.#here.wanted).catch(() => {});  // Safe: the next frame requests it again.
  }

  /** Reads the first page of the list, under another filter where one is meant. */
  load(change = {}) {
    const read = this.#list.load(changeFilter(this.filter, change));
    for (const part of [this.#numbers, this.views]) part.read(this.filter.business);
    return read;
  }

  loadMore() {
    return this.#list.loadMore();
  }

  /** The time has moved what is due: list and numbers are asked for again. */
  followTime() {
    this.views.followTime();
    if (isDueSoon(this.filter)) this.#list.recheck();
    if (this.counts.due || this.rows.some((row) => row.answerDue)) this.#numbers.readSoon();
  }

  /** The numbers of the views, of the business that is shown. */
  get counts() {
    return this.#numbers.counts;
  }

  /** How many open conversations a label, a team or a member has. @param {"labels"|"teams"|"assignees"} name @returns {Map<string, number>} */
  countsOf(name) {
    return this.#numbers.by[name];
  }

  get filter() {
    return this.#list.filter;
  }

  get store() {
    return this.#list.store;
  }

  get hasMore() {
    return this.#list.hasMore;
  }

  get isLoading() {
    return this.#list.isLoading;
  }

  get problem() {
    return this.#list.problem;
  }

  /** The rows of the list: the latest first, or in a list by wait the longest wait. */
  get rows() {
    return this.#list.rows(this.session.agent.id);
  }

  /** What is on screen. @type {import("./open-thread.js").OpenThread|null} */
  get open() {
    return this.#here.thread;
  }

  /** The conversation that was requested and whose messages are not on screen yet. */
  get opening() {
    return this.#here.opening;
  }

  /**
   * Opens one conversation and sends presence for it. The last one requested counts, in whatever
   * order the answers come.
   * @param {string|null} id
   */
  async openConversation(id) {
    if (this.open && this.open.conversation.id !== id) this.sendPresence("idle");
    if (!id) this.deliveries.aim(null);
    const isAnother = this.open?.conversation.id !== id;
    if (!await this.#here.read(id)) return;
    this.deliveries.aim(id);
    this.sendPresence("looking");
    const { conversation, unreadAfter } = this.open;
    if (conversation.mentioned && this.#mayHandle) this.#seeMention();
    if (isAnother && conversation.unread > 0 && unreadAfter === null) this.markRead(conversation.sequence);  // None can be shown.
    this.#emit("change");
  }

  /** Reads earlier pages until a message is there; false when the agent has gone on meanwhile. @param {string} id @param {number} sequence */
  loadBackTo(id, sequence) {
    return this.#here.readBackTo(id, sequence, () => this.loadEarlier());
  }

  async loadEarlier() {
    if (this.open?.hasMore) this.deliveries.reach(this.#here.firstSequence);
    await this.#here.readEarlier();
  }

  /**
   * Changes state, assignee or snooze.
   * @param {Record<string, any>} change
   * @param {string} id of the open conversation unless stated
   */
  async change(change, id = this.open.conversation.id) {
    try {
      this.#put(await api.patch(`/api/conversations/${id}`, change));
    } catch (problem) {
      // A refusal for what another agent has changed meanwhile has the conversation as it is now.
      if (problem.body?.current?.id === id) this.#put(problem.body.current);
      throw problem;
    } finally {
      this.#numbers.readSoon();
    }
  }

  /**
   * Stores a note for colleagues, or another text of one's own.
   * @param {{text: string, mentions: string[], teams: string[]}} content ids of members and of teams
   * @param {string|null} [note] the id of the note that is changed
   * @param {string} id of the conversation, the open one unless stated
   */
  async saveNote(content, note = null, id = this.open.conversation.id) {
    const path = `/api/conversations/${id}/notes`;
    this.#here.putNote(id, note ? await api.patch(`${path}/${note}`, content) : await api.post(path, content));
  }

  /** @param {string} note the id of one's own */
  async deleteNote(note) {
    const { id } = this.open.conversation;
    this.#here.putNote(id, await api.delete(`/api/conversations/${id}/notes/${note}`));
  }

  /** A message that is to be sent after a while. @param {any} scheduled */
  addScheduled(scheduled) {
    this.#here.addScheduled(scheduled);
  }

  /** Withdraws a message before it is sent. @param {{id: string, conversation: string}} scheduled */
  async withdraw({ id, conversation }) {
    try {
      await api.delete(`/api/conversations/${conversation}/scheduled/${id}`);
    } finally {
      this.#here.readScheduled(conversation);
    }
  }

  /** Shows a message that this page has just sent, before the stream repeats it. */
  addMessage(message) {
    if (!this.#here.addMessage(message)) return;
    this.deliveries.touch();
    this.#emit("change");
  }

  /** This agent's draft in the row of a conversation. @param {string} id @param {any} draft null for none */
  markDraft(id, draft) {
    const known = this.store.get(id);
    if (known) this.#put({ ...known, draft });
  }

  /** A contact's name, in every row of it. @param {{id: string, name: string|null}} contact @param {string} event */
  rename({ id, name }, event) {
    this.#show({ id, name, event }, (one) => one.contact?.id === id);
  }

  /** A merge of contacts, or its undoing: the conversations that it is about are of another contact. */
  #regroup({ type, id, data: { contact, other, conversations } }) {
    const shown = type === "contact.merged" ? contact : other;
    this.rename(contact, id);
    this.#show({ id: shown.id, name: shown.name, event: id }, (one) => conversations.includes(one.id));
  }

  #show(contact, belongs) {
    const rows = [this.store, this.found].flatMap((list) => list.rows(belongs));
    if (this.open && belongs(this.open.conversation)) rows.push(this.open.conversation);
    for (const row of rows) this.#put({ ...row, contact });
  }

  /** Who only reads shows colleagues nothing. @param {"looking"|"writing"|"idle"} state */
  sendPresence(state) {
    if (this.open && this.#mayHandle) this.#presence.say(this.open.conversation.id, state);
  }

  /** Colleagues who look at, write in or are idle at a conversation now. @param {string} id */
  colleagues(id) {
    return this.#presence.at(id);
  }

  /** Whether the customer of a conversation is writing now. @param {string} id */
  isTyping(id) {
    return Date.now() - (this.#typing.get(id) ?? 0) < TYPING_MILLISECONDS;
  }

  #apply(event) {
    const data = event.data ?? {};
    this.lists.apply(event);
    this.views.noteChange(event.type);
    const conversation = data.conversationState ?? data.conversation;
    if (conversation && typeof conversation === "object") this.#put(conversation);
    this.#here.addEvent(event.conversation, threadEventOf(event, this.store.get(event.conversation)?.sequence ?? 0));
    if (event.type === "contact.saved") this.rename(data.contact, event.id);
    if (event.type === "contact.saved" && data.change?.erased) this.#again.askPerson(data.contact.id, [this.store, this.found], this.open?.conversation);
    if (event.type === "contact.merged" || event.type === "contact.unmerged") this.#regroup(event);
    if (event.type === "message.accepted") this.#receive(data.message);
    else if (event.type === "message.unscheduled") this.#here.removeScheduled(data.message);
    else if (SCHEDULED.includes(event.type)) this.#here.readScheduled(event.conversation);
    else if (data.note?.id) this.#applyNote(event.conversation, data.note);
    else if (event.type === "message.erased") this.#erase(event);
    else if (event.type === "event.damaged") this.#readAgain(event.conversation);
    else if (UPSTREAM.includes(event.type)) this.deliveries.touch();
    else this.#numbers.readSoon();
    this.dispatchEvent(new CustomEvent("happened", { detail: event }));
  }

  /** A note that was added or changed; one that mentions this agent marks its conversation until it is on screen. */
  #applyNote(id, note) {
    this.#here.putNote(id, note);
    const me = this.session.agent.id;
    if (note.author?.id === me || !note.mentions?.some((one) => one.id === me)) return;
    const known = this.store.get(id);
    if (known) this.#put({ ...known, mentioned: true });
    else this.#again.ask(id);
    if (this.open?.conversation.id === id) this.#seeMention();
    else this.#numbers.readSoon();
  }

  /** The mention on screen is seen; the number of those that are not is the server's. */
  #seeMention() {
    const { id } = this.open.conversation;
    this.#here.markMentioned().then(() => {
      this.#put({ ...this.store.get(id), mentioned: false });
      this.#numbers.readSoon();
    }, () => {});  // Safe: a mark that stays is put right by the next reading.
  }

  async #receive(arrived) {
    const message = await wholeMessage(arrived).catch(() => arrived);  // Safe: drawn as a reference.
    if (message.direction === "inbound") this.#typing.delete(message.conversation);
    this.addMessage(message);
    this.#numbers.readSoon();
    this.#emit("change");
  }

  /** The content of a message was erased: it goes from the screen, and from the conversation's row. */
  #erase(event) {
    const id = event.conversation;
    // A page that is on its way may have been read before the erasure.
    if (this.#here.erase(event)) this.openConversation(id).catch(() => {});  // Safe: the view says that it could not be opened.
    else this.#again.ask(id);
    this.#emit("change");
  }

  /** An event of the log cannot be read; the page of the conversation lists the damaged messages. */
  #readAgain(id) {
    const open = this.open?.conversation.id;
    if (open && (!id || id === open)) this.openConversation(open).catch(() => {});  // Safe: the earlier state stays on screen.
  }

  #put(conversation) {
    this.#list.put(conversation);
    if (this.found.get(conversation.id)) this.found.put(conversation);
    if (this.open?.conversation.id === conversation.id) this.open.conversation = this.store.get(conversation.id);
    this.#emit("change");
  }

  #applySignal(frame) {
    if (frame.kind === "draft" && frame.state === "removed") this.markDraft(frame.conversation, null);
    if (frame.kind === "draft") return this.dispatchEvent(new CustomEvent("draft", { detail: frame }));
    if (frame.kind === "view") return this.views.noteChange("view.saved");
    if (["preferences", "rule", "approval"].includes(frame.kind)) return this.dispatchEvent(new CustomEvent("saved", { detail: frame }));
    if (frame.kind === "availability" || frame.kind === "choice") return this.availability.apply(frame);
    if (frame.kind === "typing") {
      const { conversation, who, state } = frame;
      if (who?.type !== "customer") return;
      this.#typing.set(conversation, state === "start" ? Date.now() : 0);
      setTimeout(() => this.#emit("change"), TYPING_MILLISECONDS + 100);
    } else if (frame.kind === "presence" && frame.who?.id !== this.session.agent.id) {
      this.#presence.apply(frame);
    }
    this.#emit("change");
  }

  get #mayHandle() { return may(this.session.businesses.find(({ id }) => id === this.open?.conversation.business), "conversations.handle"); }

  /** An agent has seen the open conversation's messages up to one. @param {number} sequence */
  markRead(sequence) {
    const { open } = this;
    if (!this.#mayHandle) return;
    this.#here.markRead(sequence)?.then((unread) => {
      const known = this.store.get(open.conversation.id);
      if (known) this.#put({ ...known, unread });
    }, () => {});  // Safe: an unread mark that stays is put right by the next reading.
  }

  #emit(name) {
    this.dispatchEvent(new CustomEvent(name));
  }
}
