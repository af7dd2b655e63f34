import { api } from "../lib/api.js";
import { ConversationStore } from "./conversation-store.js";
import { h, replace } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { reconcileRows } from "../lib/reconcile.js";
import { formatAgo } from "../lib/time.js";
import { authorLead, customerName } from "./names.js";
import { markedParts } from "./marked-parts.js";
import { writeRoute } from "./routes.js";
import { searchFault } from "./search-words.js";

await registerStrings({ en: () => import("../i18n/en/team.js"), ja: () => import("../i18n/ja/team.js") });

const PAGE_SIZE = 20;
/** How long the typing pauses before the server is called, in milliseconds. */
const REST_MILLISECONDS = 250;
/** The index lags behind the log; an incomplete result is requested again after this long. */
const BEHIND_MILLISECONDS = 1500;
/** A single letter would find everything, unless it is one of a script whose letters are words. */
const LONG_ENOUGH = /[^\u0000-\u2E7F]|..+/u;

/**
 * Notes and messages that contain the words, each newest first, whatever list is shown. The customers whose names have
 * the words go to `state.found`.
 *
 * Values down: `state`, `words`. Events up: `hit-open` with `detail.conversation`, `.sequence`, and `.row`, the row of
 * the thread: a message's id, or a note's key; `found` when `state.found` is another.
 */
class MessageSearch extends HTMLElement {
  state = null;
  #words = "";
  #round = 0;
  #timer = 0;
  #hits = [];
  #next = null;
  #notes = [];
  #notesNext = null;
  #behind = 0;
  #status = "";
  /** Conversations that are not in the list, by id. */
  #people = new Map();
  #end = null;

  connectedCallback() {
    this.#end = new AbortController();
    this.state.addEventListener("happened", ({ detail }) => this.#forget(detail), { signal: this.#end.signal });
    this.heading = h("h2", { class: "hits-title", id: "hits-title" });
    this.said = h("p", { class: "list-status", role: "status" });
    this.list = h("ul", { class: "hits", onClick: (event) => this.#press(event) });
    this.more = h("button", { type: "button", class: "fd-button is-plain", onClick: () => this.#ask(this.#next) });
    this.noteHeading = h("h2", { class: "hits-title", id: "note-hits-title" });
    this.noteList = h("ul", { class: "hits", onClick: (event) => this.#press(event) });
    this.moreNotes = h("button", { type: "button", class: "fd-button is-plain", onClick: () => this.#askNotes() });
    this.noteSection = h("section", { "aria-labelledby": "note-hits-title" }, this.noteHeading, this.noteList, this.moreNotes);
    replace(this, this.noteSection, h("section", { "aria-labelledby": "hits-title" }, this.heading, this.said, this.list, this.more));
    this.#draw();
  }

  disconnectedCallback() {
    this.#end.abort();
    clearTimeout(this.#timer);
    this.#round += 1;
  }

  /** What to look for; searched for when the typing pauses. */
  set words(words) {
    const wanted = words.trim();
    if (wanted === this.#words) return;
    this.#words = wanted;
    clearTimeout(this.#timer);
    this.#round += 1;
    if (this.isOn) {
      this.#status = "console.search.looking";
      this.isLooking = true;
      this.#timer = setTimeout(() => this.#ask(null), REST_MILLISECONDS);
    } else {
      this.#applyPage({ data: [], notes: [], conversations: [], next: null, index: { behind: 0 } }, null);
    }
    this.#draw();
  }

  /** Whether there is enough to look for. */
  get isOn() {
    return LONG_ENOUGH.test(this.#words);
  }

  /** Whether messages or notes were found. */
  get hasHits() {
    return this.#hits.length + this.#notes.length > 0;
  }

  /** Whether a request is pending. */
  isLooking = false;

  /** Draws again, as after another language or a new name. */
  update() {
    if (this.heading) this.#draw();
  }

  async #ask(after) {
    clearTimeout(this.#timer);
    const round = (this.#round += 1);
    try {
      const page = await api.get("/api/search", {
        query: {
          q: this.#words, business: this.state.filter.business, "page[size]": PAGE_SIZE, "page[after]": after,
        },
      });
      if (round !== this.#round) return;
      this.#applyPage(page, after);
      this.#meet([...page.data, ...page.notes], round);
    } catch (problem) {
      if (round !== this.#round) return;
      this.#status = "";
      this.isLooking = false;
      if (!after) [this.#hits, this.#notes, this.#notesNext] = [[], [], null];
      this.problem = this.#wrong(problem);
    }
    this.#draw();
    if (this.#behind && !after) this.#timer = setTimeout(() => this.#ask(null), BEHIND_MILLISECONDS);
  }

  /** Reads older notes. */
  async #askNotes() {
    // What is asked again while the index lags would replace what is read here.
    clearTimeout(this.#timer);
    const [round, after] = [this.#round, this.#notesNext];
    try {
      const page = await api.get("/api/search", {
        query: { q: this.#words, in: "notes", business: this.state.filter.business, "page[size]": PAGE_SIZE, "page[after]": after },
      });
      if (round !== this.#round || after !== this.#notesNext) return;
      this.#notes = [...this.#notes, ...page.notes];
      this.#notesNext = page.next;
      this.#meet(page.notes, round);
    } catch (problem) {
      if (round !== this.#round) return;
      this.problem = this.#wrong(problem);
    }
    this.#draw();
  }

  /** Why nothing was looked for; what is wrong with the words is said to who typed them, and not as to a program. */
  #wrong(problem) {
    if (problem.status !== 422) return problem.detail || t("shared.problem.offline");
    return t(searchFault(this.#words) || "filter.tooLong");
  }

  #applyPage(page, after) {
    this.problem = "";
    this.isLooking = false;
    this.#hits = after ? [...this.#hits, ...page.data] : page.data;
    this.#next = page.next;
    this.#behind = page.index.behind;
    this.#status = this.#hits.length || page.next ? "" : "console.search.none";
    if (after) return;
    this.#notes = page.notes;
    this.#notesNext = page.notesNext ?? null;
    this.state.found = new ConversationStore(page.conversations);
    this.dispatchEvent(new CustomEvent("found"));
  }

  /** Reads whose conversations these are, once for each. */
  async #meet(hits, round) {
    const unknown = new Set(hits.map((hit) => hit.conversation).filter((id) => !this.#person(id)));
    await Promise.all([...unknown].map(async (id) => {
      const found = await api.get(`/api/conversations/${id}`).catch(() => null);  // Safe: the business is named instead.
      if (found) this.#people.set(id, found);
    }));
    if (round === this.#round) this.#draw();
  }

  #forget({ type, conversation, data }) {
    const gone = type === "message.erased" ? data.message : type === "note.deleted" ? data.note.id : null;
    const isLeft = (hit) => (hit.note ?? hit.message) !== gone || hit.conversation !== conversation;
    const [hits, notes] = [this.#hits.filter(isLeft), this.#notes.filter(isLeft)];
    if (hits.length + notes.length === this.#hits.length + this.#notes.length) return;
    [this.#hits, this.#notes] = [hits, notes];
    this.#draw();
  }

  #person(id) {
    return this.state.store.get(id) ?? this.state.found.get(id) ?? this.#people.get(id);
  }

  #draw() {
    if (!this.heading) return;
    this.hidden = !this.isOn;
    this.heading.textContent = t("console.search.title");
    const behind = this.#behind ? t("console.search.behind", { count: this.#behind }) : "";
    const said = [this.problem || (this.#status && t(this.#status)), behind].filter(Boolean).join(" ");
    if (this.said.textContent !== said) this.said.textContent = said;
    this.noteHeading.textContent = t("console.search.notes");
    this.noteSection.hidden = !this.#notes.length;
    reconcileRows(this.noteList, this.#notes.map((hit) => this.#row(hit)));
    this.moreNotes.hidden = !this.#notesNext;
    this.moreNotes.textContent = t("console.more");
    reconcileRows(this.list, this.#hits.map((hit) => this.#row(hit)));
    this.more.hidden = !this.#next;
    this.more.textContent = t("console.more");
  }

  #row(hit) {
    const person = this.#person(hit.conversation);
    const business = this.state.session.businesses.find((one) => one.id === hit.business);
    const path = writeRoute({ name: "inbox", conversation: hit.conversation });
    return h("li", { dataset: { key: hit.message ?? hit.note } }, h("a", { class: hit.note ? "hit is-note" : "hit", href: path },
      h("span", { class: "row-top" },
        h("span", { class: "row-name" }, h("bdi", null, person ? customerName(person) : business?.name ?? "")),
        h("time", { class: "row-time", datetime: hit.time }, formatAgo(new Date(hit.time)))),
      h("span", { class: "hit-text" },
        hit.note ? icon("note", 14) : null,
        authorLead(hit, this.state.session.agent.id) || null,
        markedParts(hit.snippet).map(({ text, isMarked }) => (isMarked ? h("mark", null, text) : text)))));
  }

  #press(event) {
    const key = event.target.closest("li[data-key]")?.dataset.key;
    const hit = [...this.#hits, ...this.#notes].find((one) => (one.message ?? one.note) === key);
    if (!hit || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    const { conversation, message, note } = hit;
    this.dispatchEvent(new CustomEvent("hit-open", {
      detail: note ? { conversation, sequence: Math.max(1, hit.afterSequence), row: `note-${note}` } : { conversation, sequence: hit.sequence, row: message },
      bubbles: true,
    }));
  }
}

customElements.define("message-search", MessageSearch);
