import { api } from "../lib/api.js";
import { ConversationStore, lacksWords, lastTime } from "./conversation-store.js";
import { belongs, isByWait, isDueSoon, isMentioned, isOfBots, isOldest, isServers, queryOf, wholeList } from "./list-filter.js";

const PAGE_SIZE = 50;
/** Of a list that only the server knows, the first page is read again so long after an event, in milliseconds. */
const RECHECK_MILLISECONDS = 1_000;

/** The conversations of the list under its filter, read page by page and changed by events. */
export class ListedConversations {
  filter = wholeList;
  store = new ConversationStore();
  hasMore = false;
  isLoading = false;
  problem = null;
  #emit;
  /** Conversations as they changed while the list is read; null while it is not. */
  #moved = null;
  #next = null;
  /** The last wait, or time, that was read while there are later ones. */
  #reach = null;
  /** The ids that the server listed. */
  #listed = new Set();
  /** The page that is on its way. */
  #more = null;
  #recheck = 0;
  /** Rises with each time the server is asked which conversations belong to it: the last answer counts. */
  #round = 0;
  #hasBots = false;
  /** Whether a row shows an automatic message because nothing else is known of it. */
  #lacksWords = false;

  /** @param {() => void} emit called whenever something differs */
  constructor(emit) {
    this.#emit = emit;
  }

  /** Reads the first page under a filter. @param {import("./list-filter.js").ListFilter} filter */
  async load(filter) {
    this.filter = filter;
    this.isLoading = true;
    this.problem = null;
    this.#emit();
    const moved = this.#moved = new Map();
    try {
      const page = await api.get("/api/conversations", { query: this.#query() });
      if (filter !== this.filter) return;
      this.store = new ConversationStore([...page.data, ...moved.values()]);
      this.#listed = new Set();
      this.#applyPage(page);
    } catch (problem) {
      if (filter !== this.filter) return;
      this.problem = problem;
    }
    [this.#moved, this.isLoading] = [null, false];
    if (filter.text) this.recheck();
    this.#emit();
  }

  /** Reads the next page; a second call while it is on its way waits for the same. */
  loadMore() {
    if (!this.#next || this.isLoading) return Promise.resolve();
    this.#more ??= this.#readMore().finally(() => { this.#more = null; });
    return this.#more;
  }

  async #readMore() {
    const { filter } = this;
    try {
      const page = await api.get("/api/conversations", { query: { ...this.#query(), "page[after]": this.#next } });
      if (filter !== this.filter) return;
      this.problem = null;
      for (const conversation of page.data) this.store.put(conversation);
      this.#applyPage(page);
    } catch (problem) {
      if (filter === this.filter) this.problem = problem;
    }
    this.#emit();
  }

  #applyPage(page) {
    for (const { id } of page.data) this.#listed.add(id);
    this.#next = page.next;
    this.hasMore = page.hasMore;
    const last = page.hasMore ? page.data.at(-1) : null;
    this.#reach = last ? this.#place?.(last) ?? null : null;
  }

  /** The order of the rows. */
  get #order() {
    const { filter } = this;
    return isDueSoon(filter) ? "due" : isByWait(filter) ? "wait" : isOldest(filter) ? "oldest" : "newest";
  }

  /** By what a list that begins with the earliest is ordered; undefined for one that begins with the latest. */
  get #place() {
    return { wait: (one) => one.waitingSince, oldest: lastTime, due: (one) => one.answerDue?.at }[this.#order];
  }

  #query() {
    return { ...queryOf(this.filter), "page[size]": PAGE_SIZE };
  }

  /** A conversation as it is now. @param {any} conversation */
  put(conversation) {
    const isKnown = Boolean(this.store.get(conversation.id));
    this.store.put(conversation);
    this.#moved?.set(conversation.id, this.store.get(conversation.id));
    if (isServers(this.filter, this.#hasBots) && !isMentioned(this.filter)) this.recheck();
    // An automatic message is the first that is heard of it: what was written before is read with the page.
    if (!isKnown && lacksWords(this.store.get(conversation.id))) {
      this.#lacksWords = true;
      this.recheck();
    }
  }

  /** Whether bots have conversations, or the number of those has changed. @param {boolean} hasBots */
  noteBots(hasBots) {
    this.#hasBots ||= hasBots;
    if (isOfBots(this.filter, this.#hasBots)) this.recheck();
  }

  /** The server is asked soon which conversations belong to the list: the time moves them, or an event did. */
  recheck() {
    this.#recheck ||= setTimeout(() => this.#check(), RECHECK_MILLISECONDS);
  }

  /** Which conversations belong to the list now, as the server says. */
  async #check() {
    this.#recheck = 0;
    const { filter } = this;
    if (!isServers(filter, this.#hasBots) && !this.#lacksWords) return;
    // What is being read may be of before the event.
    if (this.isLoading) return this.recheck();
    this.#lacksWords = false;
    const round = this.#round += 1;
    // Before the list: the index may come up between the two. Safe: asked again after the next event.
    const found = !filter.text ? null
      : await api.get("/api/search", { query: { q: filter.text, business: filter.business, "page[size]": 1 } }).catch(() => null);
    const page = await api.get("/api/conversations", { query: this.#query() }).catch(() => null);  // Safe: asked again after the next event.
    if (!page || filter !== this.filter || round !== this.#round) return;
    if (isOfBots(filter, this.#hasBots)) this.#forget(page);
    for (const conversation of page.data) {
      this.#listed.add(conversation.id);
      this.store.put(conversation);
    }
    if (found?.index.behind) this.recheck();
    this.#emit();
  }

  /** What the first page would have and does not is in the list no more. */
  #forget({ data, hasMore }) {
    const there = new Set(data.map(({ id }) => id));
    const [place, last] = [this.#place, data.at(-1)];
    const isAbove = (one) => place ? place(one) < place(last) : lastTime(one) > lastTime(last);
    for (const id of this.#listed) {
      if (!there.has(id) && (!hasMore || isAbove(this.store.get(id)))) this.#listed.delete(id);
    }
  }

  stop() {
    clearTimeout(this.#recheck);
  }

  /** The rows: the latest first, the oldest, or the longest wait. @param {string} ownID */
  rows(ownID) {
    const { filter } = this;
    const isOfMentions = isMentioned(filter);
    const isListed = isServers(filter, this.#hasBots);
    const place = this.#place;
    return this.store.rows((conversation) => belongs(conversation, filter, ownID)
      && (!isListed || (isOfMentions && conversation.mentioned) || this.#listed.has(conversation.id))
      && !(place && this.#reach && place(conversation) > this.#reach), this.#order);
  }
}
