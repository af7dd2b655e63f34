import { attachmentAddress } from "../cards/attachments.js";
import "../composer/desk-composer.js";
import { api } from "../lib/api.js";
import "../thread/desk-thread.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { refusalSentence } from "../lib/refusals.js";
import { showToast } from "../lib/toast.js";
import { AnswerGuard } from "./answer-guard.js";
import "./conversation-head.js";
import { customerName } from "./names.js";
import { DraftSync } from "./draft-sync.js";
import "./note-box.js";
import { writeRoute } from "./routes.js";
import { isSideClosed, rememberSide } from "./side-column.js";
import { snoozeWords } from "./snooze.js";

/** The open conversation: head with its actions, thread, composer or note, the customer's device. */
class ConversationView extends HTMLElement {
  state = null;
  #shownID = null;
  /** Notes that are half written, and the kinds that are open, by conversation. */
  #notes = new Map();
  #kinds = new Map();
  #guard = new AnswerGuard();
  #drafts = new DraftSync(api, (id, other) => this.#offerOther(id, other), (id, mark) => this.state.markDraft(id, mark));
  #isListening = false;
  /** Whether the conversation that opens follows one that was closed or put off. */
  #isNext = false;
  /** Why the last change was refused. */
  #refused = "";

  /** Draws what changed; the composer and its draft stay while the conversation stays. */
  update() {
    const open = this.state?.open;
    if (!open) {
      if (!this.#shownID && this.firstChild) return;
      this.#putAway();
      replace(this, h("section", { class: "view is-empty" },
        h("div", { class: "empty-view" },
          h("h2", null, t("console.pickOne")),
          h("p", null, t("console.pickOneLead")))));
      return;
    }
    if (this.#shownID !== open.conversation.id) this.#build(open.conversation);
    this.head.conversation = open.conversation;
    this.#drawThread(open);
    this.#drawComposer(open.conversation);
    this.side.open = open;
  }

  /** Keeps the drafts of the conversation that leaves the screen. */
  #putAway() {
    if (!this.#shownID) return;
    const isNote = !this.note.hidden;
    if (this.note.text || isNote) this.#notes.set(this.#shownID, { text: this.note.text, isNote });
    else this.#notes.delete(this.#shownID);
    this.#kinds.set(this.#shownID, this.composer.kind);
    this.#drafts.save(this.#shownID);
    this.#refused = "";
    this.#shownID = null;
  }

  #build(conversation) {
    this.#putAway();
    const business = this.#business(conversation);
    const attachmentUrl = (id, message) => attachmentAddress(conversation.id, id, message);
    this.head = h("conversation-head", { ".state": this.state });
    this.head.addEventListener("change-wanted", (event) => this.#change(event.detail));
    this.head.addEventListener("side-wanted", () => this.toggleSide(true));
    this.thread = h("desk-thread", {
      class: "view-thread", ".attachmentUrl": attachmentUrl,
    });
    this.thread.addEventListener("seen", (event) => this.state.markRead(event.detail));
    this.thread.addEventListener("load-earlier", () => this.#try(() => this.state.loadEarlier()));
    this.#turnComposer(conversation, business);
    this.note = this.#makeNoteBox();
    this.refusal = h("p", { class: "refusal", role: "status", hidden: true });
    this.side = h("side-column", {
      ".state": this.state, ".business": business, ".attachmentUrl": attachmentUrl, ".composer": this.composer,
    });
    this.side.addEventListener("side-close", () => this.toggleSide(false));
    this.side.addEventListener("message-wanted", (event) => {
      this.firstElementChild.classList.remove("shows-side");
      this.revealMessage(event.detail);
    });
    this.isWriting = false;
    replace(this, h("section", { class: "view", "aria-labelledby": "view-title" },
      h("div", { class: "view-main" }, this.head, this.thread, this.refusal,
        h("div", { class: "view-composer" }, this.composer, this.note)),
      h("column-splitter", { ".target": this.side, ".name": "customer", ".minimum": 240, ".maximum": 460,
        ".side": -1, ".label": t("console.resizeDevice") }),
      this.side));
    this.firstElementChild.classList.toggle("is-next", this.#isNext);
    this.#isNext = false;
    this.firstElementChild.classList.toggle("is-side-closed", isSideClosed());
    this.side.draft = this.composer.current;
    this.#listen();
    const kept = this.#notes.get(conversation.id);
    this.note.text = kept?.text ?? "";
    // From here on what is written belongs to this conversation: both boxes have its words now.
    this.#shownID = conversation.id;
    this.#readDraft(conversation.id, this.state.open.draft);
    if (kept?.isNote) this.#showNote();
  }

  /** One composer for all conversations: it keeps a draft for each. */
  #turnComposer(conversation, business) {
    if (!this.composer) {
      this.composer = h("desk-composer", {
        id: "composer", ".companion": this.#makeModes("reply"), ".guard": (current) => this.#answeredWords("console.guard.answered", current),
        ".sendQuery": (options) => this.#sendQuery(options),
      });
      this.composer.addEventListener("sent", (event) => {
        this.#drafts.sent(event.detail.message.conversation);
        this.state.addMessage(event.detail.message);
        this.side.draft = null;
        this.thread.scrollToEnd();
      });
      this.composer.addEventListener("draft-change", (event) => {
        if (this.side) this.side.draft = event.detail;
        this.#noteDraft(event.detail);
        this.#signalTyping(event.detail);
      });
      this.composer.addEventListener("template-preview", (event) => { this.side.template = event.detail; });
    }
    this.composer.hidden = false;
    this.composer.business = business;
    this.composer.conversation = conversation;
    this.composer.kind = this.#kinds.get(conversation.id) ?? "text";
  }

  /** Opens or closes the third column: beside the thread where there is room, else over it. @param {boolean} [isShown] */
  toggleSide(isShown) {
    const view = this.firstElementChild;
    if (!this.side) return;
    if (matchMedia("(max-width: 1100px)").matches) {
      view.classList.toggle("shows-side", isShown);
      return;
    }
    const isClosed = !(isShown ?? view.classList.contains("is-side-closed"));
    view.classList.toggle("is-side-closed", isClosed);
    rememberSide(isClosed);
  }

  #business(conversation) {
    return this.state.session.businesses.find((one) => one.id === conversation.business) ?? null;
  }

  #drawThread(open) {
    const { thread, state } = this;
    const { conversation } = open;
    thread.name = customerName(conversation);
    thread.messages = open.messages;
    thread.notes = open.notes;
    thread.hasMore = open.hasMore;
    thread.damaged = open.damaged;
    thread.conversation = conversation.id;
    thread.events = open.events;
    thread.seenUpTo = open.readUpTo;
    thread.ownID = state.session.agent.id;
    thread.unreadAfter = open.unreadAfter;
    thread.states = state.deliveries.states;
    thread.typing = state.isTyping(conversation.id) ? customerName(conversation) : null;
  }

  #drawComposer(conversation) {
    this.refusal.hidden = !this.#refused;
    if (this.refusal.textContent !== this.#refused) this.refusal.textContent = this.#refused;
    if (this.composer.conversation !== conversation) this.composer.conversation = conversation;
    const writer = this.state.colleagues(conversation.id).find((one) => one.state === "writing");
    this.composer.notice = this.#answeredWords("console.guard.notice")
      ?? (writer ? t("console.writing", { name: writer.name }) : "");
  }

  #noteDraft(draft) {
    const { open } = this.state;
    if (open && open.conversation.id === this.#shownID) {
      this.#guard.see(this.#shownID, Boolean(draft?.payload) && !draft.isRepeat, open.messages.at(-1)?.sequence ?? 0);
      this.#drafts.change(this.#shownID, this.#written());
    }
  }

  /** What is sent along with a message: its draft, and the last message that its author had seen; a template has no draft. */
  async #sendQuery({ anyway, isTemplate = false }) {
    const id = this.#shownID;
    const last = this.state.open?.messages.at(-1)?.sequence;
    const draft = isTemplate ? 0 : await this.#drafts.versionToSend(id);
    return { draft: draft || undefined, ifLastSequence: anyway ? undefined : this.#guard.begun(id) ?? (isTemplate ? last : undefined) };
  }

  /** What is written for the conversation on screen, answer and note; null when nothing is. */
  #written() {
    const reply = this.composer.kept;
    const note = this.note?.text ?? "";
    return reply || note.trim() ? { reply, note, isNote: Boolean(this.note) && !this.note.hidden } : null;
  }

  /** Shows the draft that the server has, unless something else was written here meanwhile. */
  async #readDraft(id, mark) {
    const before = this.#written();
    if (before && !this.#drafts.has(id, before)) return;
    const written = await this.#drafts.read(id, mark);
    const isSame = id === this.#shownID && JSON.stringify(this.#written()) === JSON.stringify(before);
    if (written === undefined || !isSame || this.#drafts.has(id, before)) return;
    this.#restore(written);
  }

  #restore(written) {
    this.composer.restore(written?.reply ?? null);
    this.note.text = written?.note ?? "";
    if (written?.isNote) this.#showNote();
  }

  /** Another device's draft gave way to this one; it can still be had. */
  #offerOther(id, other) {
    showToast(t("console.draft.replaced"), {
      action: t("console.draft.other"), undo: () => { if (id === this.#shownID) this.#restore(other); },
    });
  }

  /** Drafts of the agent's other devices, and the moment at which a page is put away. */
  #listen() {
    if (this.#isListening) return;
    this.#isListening = true;
    this.state.addEventListener("draft", ({ detail }) => {
      const { conversation, version, state } = detail;
      const known = this.#drafts.version(conversation);
      if (conversation !== this.#shownID || known === (state === "saved" ? version : 0)) return;
      this.#readDraft(conversation, state === "saved" ? { version } : null);
    });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden" && this.#shownID) this.#drafts.save(this.#shownID);
    });
  }

  /** That a colleague has answered since this answer was begun; null when none has. */
  #answeredWords(key, current = null) {
    const { open, session } = this.state;
    const answer = current ?? (open && this.#guard.answered(open.conversation.id, open.messages, session.agent.id));
    if (!answer) return null;
    const name = answer.author?.name || t(`thread.author.${answer.author?.type ?? "agent"}`);
    const seconds = Math.max(1, Math.round((Date.now() - Date.parse(answer.time)) / 1000));
    const time = seconds < 60 ? t("console.guard.seconds", { count: seconds })
      : t("console.guard.minutes", { count: Math.round(seconds / 60) });
    return t(key, { name, time });
  }

  #makeNoteBox() {
    const box = h("note-box", {
      hidden: true, ".modes": this.#makeModes("note"), ".add": (text) => this.state.addNote(text),
    });
    box.addEventListener("input", () => this.#drafts.change(this.#shownID, this.#written()));
    box.addEventListener("note-added", () => {
      this.#drafts.change(this.#shownID, this.#written());
      this.#endNote();
      this.thread.scrollToEnd();
    });
    box.addEventListener("note-close", () => this.#endNote());
    return box;
  }

  /** The switch at the left of both boxes; the composer and the note box have one each. */
  #makeModes(mode) {
    const choices = { reply: ["console.reply", "r", () => this.focusComposer()], note: ["console.writeNote", "n", () => this.startNote()] };
    return h("div", { class: "modes", role: "group", "aria-label": t("console.modes") },
      Object.entries(choices).map(([name, [text, key, run]]) => h("button", {
        type: "button", class: "mode", "aria-pressed": String(name === mode), "aria-keyshortcuts": key, onClick: run,
      }, t(text))));
  }

  /** Puts the cursor where the answer is written. */
  focusComposer() {
    this.#endNote();
    this.composer?.focus();
  }

  /** Opens the field for a note to colleagues. */
  startNote() {
    if (!this.note) return;
    this.#showNote();
    this.note.focus();
  }

  #showNote() {
    this.note.hidden = false;
    this.composer.hidden = true;
  }

  #endNote() {
    if (!this.note || this.note.hidden) return;
    this.note.hidden = true;
    this.composer.hidden = false;
    this.composer.focus();
  }

  /** Brings a message into view. @param {string} id */
  revealMessage(id) {
    this.thread?.reveal(id);
  }

  openTemplates() {
    this.focusComposer();
    this.composer?.openTemplates?.();
  }

  openSnooze() {
    this.head?.openSnooze();
  }

  assignToMe() {
    if (this.state.open) this.#change({ assignee: "me" });
  }

  toggleClosed() {
    const open = this.state.open;
    if (open) this.#change({ state: open.conversation.state === "closed" ? "open" : "closed" });
  }

  /** Changes the open conversation, offers the way back, and goes on to the next when it left the list. */
  #change(change) {
    const { state } = this;
    const { conversation } = state.open;
    const rows = state.rows;
    const at = rows.findIndex((row) => row.id === conversation.id);
    const next = at < 0 ? null : rows[at + 1] ?? rows[at - 1] ?? null;
    return this.#try(async () => {
      await state.change(change);
      showToast(changeWords(change, state.store.get(conversation.id) ?? conversation), {
        undo: () => this.#undo(conversation, change),
      });
      const hasLeft = change.state && at >= 0 && !state.rows.some((row) => row.id === conversation.id);
      if (!hasLeft || !next || state.open?.conversation.id !== conversation.id) return;
      this.#isNext = true;
      this.#go(next.id);
    });
  }

  /** Puts back what a change replaced, and shows that conversation again. */
  async #undo(before, change) {
    const back = "assignee" in change ? { assignee: before.assignee?.id ?? null }
      : before.state === "snoozed" && before.snoozedUntil ? { state: before.state, snoozedUntil: before.snoozedUntil }
      : { state: before.state };
    try {
      await this.state.change(back, before.id);
      if (change.state && this.state.open?.conversation.id !== before.id) this.#go(before.id);
    } catch (problem) {
      showToast(refusalSentence(problem));
    }
  }

  #go(id) {
    this.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: writeRoute({ name: "inbox", conversation: id }) }));
  }

  /** Changes the open conversation and shows the reason of a refusal. */
  async #try(work) {
    const id = this.#shownID;
    this.#refused = "";
    try {
      await work();
    } catch (problem) {
      if (id === this.#shownID) this.#refused = refusalSentence(problem);
    }
    if (id === this.#shownID) this.update();
  }

  #signalTyping(draft) {
    const isWriting = Boolean(draft?.payload);
    if (isWriting === this.isWriting) return;
    this.isWriting = isWriting;
    this.state.sendPresence(isWriting ? "writing" : "looking");
  }
}

/** What a change did, for the toast. */
function changeWords(change, conversation) {
  if (change.state === "snoozed") return snoozeWords(conversation.snoozedUntil);
  if (change.state) return t(`console.done.${change.state}`, { name: customerName(conversation) });
  return conversation.assignee ? t("console.done.assigned", { name: conversation.assignee.name }) : t("console.done.unassigned");
}

customElements.define("conversation-view", ConversationView);
