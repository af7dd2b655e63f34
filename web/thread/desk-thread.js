import "../cards/desk-card.js";
import { picturesOf } from "../cards/thread-pictures.js";
import { h, oncePerFrame, sheet } from "../lib/dom.js";
import { onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import { loadPart } from "../lib/late-part.js";
import { formatClock, formatDivider } from "../lib/time.js";
import { icon } from "../lib/icons.js";
import { Presses } from "../lib/presses.js";
import { placeNodes, redraw } from "../lib/reconcile.js";
import { eventWords } from "./event-words.js";
import { authorName, messageRow } from "./message-row.js";
import { noteRow } from "./note-row.js";
import { drawCountdowns, scheduledRow } from "./scheduled-row.js";
import { SeenMark } from "./seen-mark.js";
import { makeRows } from "./thread-rows.js";
import { threadStyles } from "./thread-styles.js";
import { ThreadWindow } from "./thread-window.js";

await registerStrings({ en: () => import("../i18n/en/thread.js"), ja: () => import("../i18n/ja/thread.js") });

const styles = sheet(threadStyles);
/** A reader this close to the end is reading along. */
const NEAR_END_PIXELS = 120;
/** The divider above the first unread message, in place of a message's id. */
const UNREAD = "unread";

/**
 * A conversation from the business's side: its messages as cards, notes, dividers, typing.
 *
 * Values down: `messages` and `notes` (of the API, ascending), `unreadAfter` (a sequence or null),
 * `typing` (a name or null), `hasMore`, `damaged` (sequences), `conversation` (its id), `events` (of `event-words.js`),
 * `scheduled` (messages sent after a while), `seenUpTo` (a sequence), `ownID` (the reader's), `mayNote` and `maySend` (what the reader may), `lists` (the names of labels and teams), `states` (of `DeliveryWatch`, by message), `attachmentUrl`,
 * `keepPicture` (keeps a picture of the thread, where that is offered), `translate` (a message in the reader's language, likewise), `erase` (a message, likewise).
 * Events up: `load-earlier`; `seen` (`detail`: the sequence up to which messages were in view); `note-edit` and `note-delete`
 * (`detail`: a note of the reader's); `withdraw` (`detail`: `scheduled`, `isBack`).
 */
export class DeskThread extends HTMLElement {
  #values = {
    messages: [], notes: [], unreadAfter: null, typing: null, hasMore: false, name: "",
    damaged: [], conversation: "", states: new Map(), events: [], scheduled: [], seenUpTo: 0, ownID: "", mayNote: true, maySend: true, lists: null, keepPicture: null, translate: null, erase: null,
    attachmentUrl: (sha) => `/api/attachments/${sha}`,
  };

  #nodes = new Map();
  /** All rows, of which a long thread draws a part. */
  #rows = [];
  #window = new ThreadWindow();
  #list;
  #log;
  #typing;
  #earlier;
  #drawer = null;
  #counting = 0;
  #down;
  #forget = null;
  #watch = null;
  #isAtEnd = true;
  /** Whether the thread was scrolled to where its reader begins; nothing counts as seen before that. */
  #hasBegun = false;
  #seen = new SeenMark((sequence) => this.dispatchEvent(new CustomEvent("seen", { detail: sequence })));
  /** The message that is kept in view until the reader moves; empty for none. */
  #sought = "";
  #top = 0;
  #presses;
  /** A delivery or an answer draws its message anew: not while a button of it is pressed. */
  #draw = oncePerFrame(() => this.#presses.after(this.#render));

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styles];
    this.#list = h("ol", { class: "rows" });
    this.#presses = new Presses(this.#list);
    this.#typing = h("p", { class: "typing", hidden: true },
      h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
      h("span", { class: "who" }));
    this.#earlier = h("button", {
      type: "button", class: "earlier", hidden: true,
      onClick: () => this.dispatchEvent(new CustomEvent("load-earlier")),
    }, "");
    this.#log = h("div", {
      class: "log", role: "log", "aria-live": "polite", tabindex: "0", "aria-label": "",
    }, this.#earlier, this.#list, this.#typing);
    this.#down = h("button", { type: "button", class: "down", hidden: true, onClick: () => this.#goDown() });
    this.#log.addEventListener("scroll", () => {
      this.#look();
      this.#follow();
      const { scrollHeight, scrollTop, clientHeight } = this.#log;
      const isNear = scrollHeight - scrollTop - clientHeight < NEAR_END_PIXELS;
      // Bringing a message into view scrolls the thread too, and so did the earlier layout.
      if (this.#sought) return;
      // Only a reader scrolls up; cards that grow while they are drawn never do.
      if (scrollTop < this.#top - 1 || isNear) this.#isAtEnd = isNear;
      this.#top = scrollTop;
    }, { passive: true });
    for (const type of ["wheel", "touchmove", "pointerdown", "keydown"]) {
      this.#log.addEventListener(type, () => { this.#sought = ""; }, { passive: true });
    }
    root.append(this.#log, this.#down);
    root.addEventListener("attachment-open", (event) => {
      const row = /** @type {HTMLElement} */ (event.target).closest("[data-id]");
      const pressed = { detail: event.detail, target: event.target };
      loadPart(() => import("../cards/picture-viewer.js")).then((viewer) =>
        viewer?.openPressedPicture(pressed, picturesOf(this.#values.messages, this.#values.attachmentUrl), row?.dataset.id, this.#values.keepPicture));
    });
  }

  connectedCallback() {
    this.#forget = onLanguageChange(this.#draw);
    // The composer below grows and shrinks; a reader at the end stays at the end.
    this.#watch = new ResizeObserver(() => {
      if (!this.#hasBegun) return;
      if (this.#sought) this.#rowOf(this.#sought)?.scrollIntoView({ block: this.#sought === UNREAD ? "start" : "center" });
      else if (this.#isAtEnd) this.scrollToEnd();
      this.#look();
    });
    document.addEventListener("visibilitychange", this.#look);
    this.#watch.observe(this.#log);
    this.#watch.observe(this.#list);
    this.#draw();
  }

  disconnectedCallback() {
    this.#forget?.();
    this.#watch?.disconnect();
    document.removeEventListener("visibilitychange", this.#look);
  }

  /** Notes what is in view, and offers the way down. */
  #look = oncePerFrame(() => {
    if (!this.isConnected || !this.#hasBegun) return;
    const log = this.#log;
    const { messages, seenUpTo } = this.#values;
    this.#seen.look(log, (id) => this.#rowOf(id), messages, seenUpTo);
    const hidden = log.scrollHeight - log.scrollTop - log.clientHeight;
    const below = hidden < NEAR_END_PIXELS / 2 ? 0 : this.#seen.unseen(messages, seenUpTo).length;
    this.#down.hidden = !below && hidden < Math.max(400, log.clientHeight);
    this.#down.className = `down ${below ? "has-new" : "is-plain"}`;
    const words = below ? t("thread.newBelow", { count: below }) : t("thread.toEnd");
    if (this.#down.getAttribute("aria-label") === words && this.#down.firstChild) return;
    this.#down.setAttribute("aria-label", words);
    redraw(this.#down, icon("down", 16), below ? h("span", null, t("thread.newCount", { count: below })) : null);
  });

  /** To the first message that was not in view yet, else to the end. */
  #goDown() {
    const [first] = this.#seen.unseen(this.#values.messages, this.#values.seenUpTo);
    const row = first && this.#drawn(first.id);
    this.#log.focus({ preventScroll: true });
    if (!row || first === this.#values.messages.at(-1)) return this.scrollToEnd();
    this.#sought = "";
    row.scrollIntoView({ block: "start" });
  }

  /** Begins at the first unread message, or at the end; where both fit, at the end. */
  #begin() {
    this.#hasBegun = true;
    if (this.#sought) {
      // What was sought before the first frame stays sought; where it has no row yet, it comes with the next drawing.
      const row = this.#drawn(this.#sought);
      if (row) row.scrollIntoView({ block: "center" });
      else this.#log.scrollTop = this.#log.scrollHeight;
      this.#top = this.#log.scrollTop;
      return this.#look();
    }
    const divider = this.#rowOf(UNREAD);
    const log = this.#log;
    if (divider) divider.scrollIntoView({ block: "start" });
    else log.scrollTop = log.scrollHeight;
    this.#isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END_PIXELS / 2;
    if (divider && !this.#isAtEnd) this.#sought = UNREAD;
    this.#top = log.scrollTop;
    this.#look();
  }

  /**
   * Brings one row into view, and into focus unless the reader types elsewhere, once it is drawn; there it stays, whatever
   * is drawn around it, until the reader moves.
   * @param {string} id of a message, or the key of another row
   * @param {{isFocused?: boolean}} [how]
   */
  reveal(id, { isFocused = true } = {}) {
    this.#isAtEnd = false;
    this.#sought = id;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const row = this.#drawn(id);
      if (!row) {
        // It is nowhere: the next drawing looks for it no more.
        if (this.#sought === id) this.#sought = "";
        return;
      }
      for (const found of this.#list.querySelectorAll(".is-found")) found.classList.remove("is-found");
      row.classList.add("is-found");
      row.tabIndex = -1;
      if (isFocused) row.focus({ preventScroll: true });
      row.scrollIntoView({ block: "center" });
      this.#top = this.#log.scrollTop;
    }));
  }

  /** Whether the browser's own search cannot see all of it: rows that are not drawn, or messages that were not read. */
  get isPart() {
    return this.#values.hasMore || this.#window.isPart(this.#rows);
  }

  /** Puts the focus on the whole thread, where arrow keys scroll it. */
  focusLog() {
    this.#log.focus({ preventScroll: true });
  }

  /** How a message went over the wire; few look at it, so it is loaded when it is opened. */
  async #openWire(message) {
    if (!await loadPart(() => import("./wire-drawer.js"))) return;
    this.#drawer ??= this.shadowRoot.appendChild(h("wire-drawer"));
    this.#drawer.show(message);
  }

  #rowOf(id) {
    return /** @type {HTMLElement|undefined} */ (this.#nodes.get(id)?.node);
  }

  /** A row, which is drawn now where it was not. */
  #drawn(id) {
    const at = this.#rowOf(id) ? -1 : this.#rows.findIndex(({ key }) => key === id);
    if (at >= 0) {
      this.#window.moveTo(this.#rows, at);
      this.#drawRows();
    }
    return this.#rowOf(id) ?? /** @type {HTMLElement|null} */ (this.#list.querySelector(`[data-id="${CSS.escape(id)}"]`));
  }

  /** Shows the newest message, unless another one was sought since. */
  scrollToEnd() {
    this.#sought = "";
    this.#isAtEnd = true;
    requestAnimationFrame(() => {
      if (this.#sought) return;
      if (this.#window.to < this.#rows.length) this.#render();
      this.#log.scrollTop = this.#log.scrollHeight;
    });
  }

  /** Where the reader scrolls to what is not drawn, it is, and what is in view stays in its place. */
  #follow = oncePerFrame(() => {
    const rows = this.#rows;
    if (!this.isConnected || !this.#window.isPart(rows)) return;
    const nodes = /** @type {HTMLElement[]} */ ([...this.#list.children]);
    const view = this.#log.getBoundingClientRect();
    const drawn = { top: nodes[0].getBoundingClientRect().top, bottom: nodes.at(-1).getBoundingClientRect().bottom };
    if (!this.#window.isNearEdge(rows, drawn, view)) return;
    this.#window.measure(rows, nodes);
    const inView = nodes.findIndex((node) => node.getBoundingClientRect().bottom > view.top);
    const isDrawn = inView >= 0 && nodes[inView].getBoundingClientRect().top < view.bottom;
    const anchor = isDrawn ? nodes[inView] : null;
    const before = anchor?.getBoundingClientRect().top ?? 0;
    this.#window.moveTo(rows, anchor ? this.#window.from + inView : this.#window.rowAt(rows, this.#log.scrollTop - this.#list.offsetTop));
    this.#drawRows();
    if (anchor) this.#log.scrollTop += anchor.getBoundingClientRect().top - before;
    this.#top = this.#log.scrollTop;
  });

  #render = () => {
    if (!this.isConnected) return undefined;
    const log = this.#log;
    const fromEnd = log.scrollHeight - log.scrollTop - log.clientHeight;
    const isNearEnd = this.#isAtEnd;
    const wasFirst = this.#list.firstElementChild;
    log.setAttribute("aria-label", t("thread.label", { name: this.#values.name }));
    this.#earlier.textContent = t("thread.earlier");
    this.#earlier.hidden = !this.#values.hasMore;
    this.#rows = makeRows(this.#values);
    const first = this.#hasBegun ? this.#sought : UNREAD;
    const anchor = isNearEnd || !this.#window.isPart(this.#rows) ? null : this.#topInView();
    const before = anchor?.getBoundingClientRect().top ?? 0;
    this.#window.aim(this.#rows, { sought: first, isAtEnd: isNearEnd });
    this.#drawRows();
    this.#count();
    const who = this.#values.typing;
    this.#typing.hidden = !who;
    this.#typing.querySelector(".who").textContent = who ? t("thread.typing", { name: who }) : "";
    const isEarlierPage = wasFirst && wasFirst !== this.#list.firstElementChild && !isNearEnd;
    this.#look();
    if (!this.#hasBegun) return this.#rows.length ? requestAnimationFrame(() => this.#begin()) : undefined;
    if (this.#sought) return undefined;
    if (isNearEnd) this.scrollToEnd();
    else if (anchor) log.scrollTop += anchor.getBoundingClientRect().top - before;
    else if (isEarlierPage) log.scrollTop = log.scrollHeight - log.clientHeight - fromEnd;
    return undefined;
  };

  /** The first row in view, of those that are drawn. */
  #topInView() {
    const { top } = this.#log.getBoundingClientRect();
    return [...this.#list.children].find((node) => node.getBoundingClientRect().bottom > top) ?? null;
  }

  /** Draws the rows of the window; those that are unchanged stay the nodes they were. */
  #drawRows() {
    const rows = this.#rows;
    const kept = new Map();
    const nodes = rows.slice(this.#window.from, this.#window.to).map((row) => {
      const mark = row.type === "event" ? `${row.key}/${this.#eventWords(row.event)}`
        : row.type === "message" ? `${signature(row, this.#values.states)}/${authorName(row.message, this.#values.name)}` : signature(row, this.#values.states);
      const known = this.#nodes.get(row.key);
      const entry = known?.mark === mark ? known : { mark, node: this.#makeRow(row) };
      kept.set(row.key, entry);
      return entry.node;
    });
    const hadFocus = this.#list.contains(this.shadowRoot.activeElement);
    this.#nodes = kept;
    placeNodes(this.#list, nodes.length ? nodes : [h("li", { class: "empty" }, t("thread.empty"))]);
    if (hadFocus && !this.shadowRoot.activeElement) this.#log.focus({ preventScroll: true });
    const isPart = this.#window.isPart(rows);
    const { before, after } = isPart ? this.#window.room(rows) : { before: 0, after: 0 };
    this.#list.style.setProperty("padding-top", `${before}px`);
    this.#list.style.setProperty("padding-bottom", `${after}px`);
    // What is drawn because the reader scrolled is no news to read out.
    this.#log.setAttribute("aria-live", isPart && this.#window.to < rows.length ? "off" : "polite");
    this.#log.classList.toggle("is-part", isPart);
  }

  /** What an event says; the names of labels and teams are those of today. */
  #eventWords(event) {
    const { name, ownID, lists } = this.#values;
    return eventWords(event, {
      customer: name || t("thread.customer"), ownID,
      labelNamed: (id) => lists?.labelNamed(id), teamNamed: (id) => lists?.teamNamed(id),
      botNamed: (id) => lists?.botNamed(id), memberNamed: (id) => lists?.memberNamed(id),
    });
  }

  #makeRow(row) {
    switch (row.type) {
      case "day":
        return h("li", { class: "divider" }, h("span", null, formatDivider(row.date)));
      case "unread":
        return h("li", { class: "divider is-unread", dataset: { id: UNREAD } }, h("span", null, t("thread.unread")));
      case "note":
        return noteRow(row.note, {
          ownID: this.#values.ownID, mayNote: this.#values.mayNote, edit: (note) => this.#say("note-edit", note), remove: (note) => this.#say("note-delete", note),
          teamNamed: (id) => this.#values.lists?.teamNamed(id),
        });
      case "scheduled":
        return scheduledRow(row.scheduled, {
          ownID: this.#values.ownID, maySend: this.#values.maySend, attachmentUrl: this.#values.attachmentUrl,
          withdraw: (scheduled, isBack) => this.#say("withdraw", { scheduled, isBack }),
        });
      case "event":
        return h("li", { class: "event" },
          this.#eventWords(row.event), " · ",
          h("time", { datetime: row.event.time }, formatClock(new Date(row.event.time))));
      case "damaged":
        return h("li", { class: "damaged", dataset: { sequence: row.sequence } },
          h("p", { class: "text" }, t("thread.damaged")),
          h("p", { class: "meta" }, t("thread.damagedId", {
            sequence: row.sequence, conversation: this.#values.conversation,
          })));
      default:
        return messageRow(row, { ...this.#values, openWire: (message) => this.#openWire(message), reveal: (id) => this.reveal(id) });
    }
  }

  #say(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Counts down to the messages that wait, once a second. */
  #count = () => {
    clearTimeout(this.#counting);
    if (this.isConnected && drawCountdowns(this.#list)) this.#counting = setTimeout(this.#count, 1_000);
  };

  static {
    for (const name of ["messages", "notes", "unreadAfter", "typing", "hasMore", "name",
      "damaged", "conversation", "states", "events", "scheduled", "seenUpTo", "ownID", "mayNote", "maySend", "lists", "attachmentUrl", "keepPicture", "translate", "erase"]) {
      Object.defineProperty(this.prototype, name, {
        get() {
          return this.#values[name];
        },
        set(value) {
          this.#values[name] = value;
          if (name === "messages") for (const one of [this.#drawer, document.querySelector("picture-viewer")]) one?.follow?.(value);
          this.#draw();
        },
      });
    }
  }
}

function signature(row, states) {
  return row.type === "message"
    ? `${row.message.id}/${row.message.sha256 ?? ""}/${row.message.erasedAt ?? ""}/${row.reply?.id ?? ""}/${row.startsGroup}/${row.endsGroup}`
      + `/${row.quote ? `${row.quote.message?.id}${row.quote.message?.erasedAt ?? ""}` : ""}/${row.tapback?.message.id ?? ""}/${JSON.stringify(states.get(row.message.id) ?? "")}`
      + `/${document.documentElement.lang}`
    : `${row.key}/${row.note?.editedAt ?? ""}/${row.note?.deletedAt ?? ""}/${row.scheduled?.failure?.code ?? ""}/${document.documentElement.lang}`;
}

customElements.define("desk-thread", DeskThread);
