import { api } from "../lib/api.js";
import { ConversationStore } from "./conversation-store.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { reconcileRows } from "../lib/reconcile.js";
import { formatAgo } from "../lib/time.js";
import { authorLead, customerName } from "./names.js";
import { markedParts } from "./marked-parts.js";
import { writeRoute } from "./routes.js";

const PAGE_SIZE = 20;
/** How long the typing pauses before the server is called, in milliseconds. */
const REST_MILLISECONDS = 250;
/** The index lags behind the log; an incomplete result is requested again after this long. */
const BEHIND_MILLISECONDS = 1500;
/** A single letter would find everything, unless it is one of a script whose letters are words. */
const LONG_ENOUGH = /[^\u0000-\u2E7F]|..+/u;

/**
 * Messages that contain the words, newest first, whatever list is shown. The customers whose names have
 * the words go to `state.found`.
 *
 * Values down: `state`, `words`. Events up: `hit-open` with `detail.conversation`, `.message`,
 * `.sequence`; `found` when `state.found` is another.
 */
class MessageSearch extends HTMLElement {
  state = null;
  #words = "";
  #round = 0;
  #timer = 0;
  #hits = [];
  #next = null;
  #behind = 0;
  #status = "";
  /** Conversations that are not in the list, by id. */
  #people = new Map();

  connectedCallback() {
    this.heading = h("h2", { class: "hits-title", id: "hits-title" });
    this.said = h("p", { class: "list-status", role: "status" });
    this.list = h("ul", { class: "hits", onClick: (event) => this.#press(event) });
    this.more = h("button", { type: "button", class: "fd-button is-plain", onClick: () => this.#ask(this.#next) });
    replace(this, h("section", { "aria-labelledby": "hits-title" }, this.heading, this.said, this.list, this.more));
    this.#draw();
  }

  disconnectedCallback() {
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
      this.#applyPage({ data: [], conversations: [], next: null, index: { behind: 0 } }, null);
    }
    this.#draw();
  }

  /** Whether there is enough to look for. */
  get isOn() {
    return LONG_ENOUGH.test(this.#words);
  }

  /** Whether messages were found. */
  get hasHits() {
    return this.#hits.length > 0;
  }

  /** Whether a request is pending. */
  isLooking = false;

  /** Draws again, as after another language or a new name. */
  update() {
    if (this.heading) this.#draw();
  }

  async #ask(after) {
    const round = (this.#round += 1);
    try {
      const page = await api.get("/api/search", {
        query: {
          q: this.#words, business: this.state.filter.business, "page[size]": PAGE_SIZE, "page[after]": after,
        },
      });
      if (round !== this.#round) return;
      this.#applyPage(page, after);
      this.#meet(page.data, round);
    } catch (problem) {
      if (round !== this.#round) return;
      this.#status = "";
      this.isLooking = false;
      this.#hits = after ? this.#hits : [];
      this.problem = problem.detail || t("shared.problem.offline");
    }
    this.#draw();
    if (this.#behind && !after) this.#timer = setTimeout(() => this.#ask(null), BEHIND_MILLISECONDS);
  }

  #applyPage(page, after) {
    this.problem = "";
    this.isLooking = false;
    this.#hits = after ? [...this.#hits, ...page.data] : page.data;
    this.#next = page.next;
    this.#behind = page.index.behind;
    this.#status = this.#hits.length || page.next ? "" : "console.search.none";
    if (after) return;
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
    reconcileRows(this.list, this.#hits.map((hit) => this.#row(hit)));
    this.more.hidden = !this.#next;
    this.more.textContent = t("console.more");
  }

  #row(hit) {
    const person = this.#person(hit.conversation);
    const business = this.state.session.businesses.find((one) => one.id === hit.business);
    const path = writeRoute({ name: "inbox", conversation: hit.conversation });
    return h("li", { dataset: { key: hit.message } }, h("a", { class: "hit", href: path },
      h("span", { class: "row-top" },
        h("span", { class: "row-name" }, h("bdi", null, person ? customerName(person) : business?.name ?? "")),
        h("time", { class: "row-time", datetime: hit.time }, formatAgo(new Date(hit.time)))),
      h("span", { class: "hit-text" },
        authorLead(hit, this.state.session.agent.id) || null,
        markedParts(hit.snippet).map(({ text, isMarked }) => (isMarked ? h("mark", null, text) : text)))));
  }

  #press(event) {
    const key = event.target.closest("li[data-key]")?.dataset.key;
    const hit = this.#hits.find((one) => one.message === key);
    if (!hit || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    this.dispatchEvent(new CustomEvent("hit-open", { detail: hit, bubbles: true }));
  }
}

customElements.define("message-search", MessageSearch);
