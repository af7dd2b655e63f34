import { attachmentAddress } from "../cards/attachments.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { loadPart } from "../lib/late-part.js";
import { refusalSentence } from "../lib/refusals.js";
import { pressUndo, showToast } from "../lib/toast.js";
import { Assistance } from "./assistance.js";
import { takenWords } from "./changes.js";
import { closeByEscape, isSideClosed, toggleSide } from "./conversation-side.js";
import { drawEmpty, emptyView } from "./empty-view.js";
import { eraserIn } from "./erase-message.js";
import { customerName } from "./names.js";
import { KeptWriting } from "./kept-writing.js";
import { modeSwitch } from "./mode-switch.js";
import { mentionCandidates } from "./mention-candidates.js";
import { may } from "./permissions.js";
import { writeRoute } from "./routes.js";
import { closeWish } from "./seen-state.js";
import { askWhen } from "./send-later.js";
import { WaitingDrafts } from "./waiting-drafts.js";

/** The open conversation: head with its actions, thread, composer or note, the customer's device. */
class ConversationView extends HTMLElement {
  state = null;
  #shownID = null;
  #writing = null;
  #assistance = null;
  #waiting = new WaitingDrafts();
  /** Whether the conversation that opens follows one that was closed or put off. */
  #isNext = false;
  /** Why the last change was refused. */
  #refused = "";
  /** What the role allows in the conversation on screen: to answer, and to change it or to write a note. */
  #mayWrite = false;
  #mayHandle = false;
  /** The switches at the left of both boxes. */
  #modes = [];

  /** Draws what changed; the composer and its draft stay while the conversation stays. */
  update() {
    const open = this.state?.open;
    if (!open) {
      const isOpening = Boolean(this.state?.opening);
      if (!this.#shownID && this.firstElementChild?.ariaBusy === String(isOpening)) return drawEmpty(this.firstElementChild, this.state);
      this.putAway();
      replace(this, isOpening ? h("section", { class: "view is-empty", "aria-busy": "true" }) : emptyView(this.state));
      return;
    }
    if (this.#shownID !== open.conversation.id) this.#build(open.conversation);
    this.head.conversation = this.control.conversation = open.conversation;
    this.#drawThread(open);
    this.#drawComposer(open.conversation);
    this.side.open = open;
  }

  /** Keeps the drafts of the conversation on screen, which is built anew where it is drawn again. */
  putAway() {
    if (!this.#shownID) return;
    this.#writing.putAway();
    this.#assistance.putAway();
    [this.#refused, this.#shownID] = ["", null];
  }

  #build(conversation) {
    this.putAway();
    const business = this.#business(conversation);
    const attachmentUrl = (id, message) => attachmentAddress(conversation.id, id, message);
    this.head = h("conversation-head", { ".state": this.state });
    this.control = h("control-bar", { ".state": this.state, ".summaryOffer": () => this.#assistance?.summaryOffer() });
    this.head.addEventListener("change-wanted", (event) => this.#change(event.detail));
    this.head.addEventListener("side-wanted", () => this.toggleSide(true));
    this.head.addEventListener("find-wanted", () => this.openFind());
    this.#assistance ??= new Assistance(this.state, this, (options) => this.#writing.query(options));
    this.thread = h("desk-thread", {
      class: "view-thread", ".attachmentUrl": attachmentUrl, ".translate": this.#assistance.translation(business), ".erase": eraserIn(business),
      ".keepPicture": may(business, "library.add")
        ? async (picture) => (await import("../composer/library.js")).keepPicture({ business }, picture, conversation.id) : null,
    });
    this.thread.addEventListener("seen", (event) => this.state.markRead(event.detail));
    this.thread.addEventListener("note-edit", ({ detail }) => {
      this.note.edit(detail);
      this.startNote();
    });
    this.thread.addEventListener("note-delete", ({ detail }) => this.#try(() => this.state.deleteNote(detail.id)));
    this.thread.addEventListener("withdraw", ({ detail }) => this.#withdraw(detail.scheduled, detail.isBack));
    this.thread.addEventListener("load-earlier", () => this.#try(() => this.state.loadEarlier()));
    this.#turnComposer(conversation, business);
    this.note = this.#makeNoteBox(conversation.id);
    this.refusal = h("p", { class: "refusal", role: "status", hidden: true });
    this.side = h("side-column", {
      ".state": this.state, ".business": business, ".attachmentUrl": attachmentUrl, ".composer": this.composer,
    });
    this.side.addEventListener("side-close", () => this.toggleSide(false));
    this.side.addEventListener("menu-wanted", ({ detail: { name, anchor } }) => this.openMenu(name, anchor));
    this.side.addEventListener("message-wanted", (event) => {
      this.firstElementChild.classList.remove("shows-side");
      this.revealMessage(event.detail);
    });
    this.isWriting = false;
    const mayWrite = this.#mayWrite = may(business, "messages.send");
    const mayNote = this.#mayHandle = may(business, "conversations.handle");
    for (const modes of this.#modes) modes.hidden = !mayWrite || !mayNote;
    replace(this, h("section", { class: "view", "aria-labelledby": "view-title" },
      h("div", { class: "view-main" }, h("div", null, this.head, this.control), this.thread,
        h("div", { class: "refusals" }, this.refusal, mayWrite ? null : h("p", { class: "refusal" }, t("console.mayNotWrite"))),
        h("div", { class: "view-composer", hidden: !mayWrite && !mayNote }, this.#assistance.place, this.composer, this.note)),
      h("column-splitter", { ".target": this.side, ".name": "customer", ".minimum": 240, ".maximum": 460,
        ".side": -1, ".label": t("console.resizeDevice") }),
      this.side));
    closeByEscape(this.firstElementChild, this.side);
    this.firstElementChild.classList.toggle("is-next", this.#isNext);
    this.#isNext = false;
    this.firstElementChild.classList.toggle("is-side-closed", isSideClosed());
    this.side.draft = this.composer.current;
    this.#shownID = conversation.id;
    this.#writing.open(conversation.id, this.state.open.draft);
    this.#keepWritten();
    this.#assistance.open(conversation, business);
    if (!mayWrite) this.#showNote();
  }

  /** What was written is with the server: it is no draft any more. @param {string} conversation @param {() => void} add puts it into the thread */
  #passOn(conversation, add) {
    this.#writing.sent(conversation);
    this.#assistance.forget(conversation);
    add();
    this.side.draft = null;
    this.thread.scrollToEnd();
  }

  /** One composer for all conversations: it keeps a draft for each. */
  #turnComposer(conversation, business) {
    this.#writing ??= this.#makeWriting();
    if (!this.composer) {
      this.composer = h("desk-composer", {
        id: "composer", ".companion": h("div", { class: "companions" }, this.#makeModes("reply"), this.#assistance.button), ".askWhen": askWhen, ".guard": (current) => this.#writing.answeredWords("console.guard.answered", current),
        ".sendQuery": async (options) => ({ ...this.#assistance.query(options), ...await this.#writing.query(options) }),
      });
      this.composer.addEventListener("sent", ({ detail: { message } }) => this.#passOn(message.conversation, () => this.state.addMessage(message)));
      this.composer.addEventListener("draft-change", (event) => {
        if (this.side) this.side.draft = event.detail;
        this.#writing.answerChanged(event.detail);
        this.#assistance.noteDraft(event.detail);
        this.#drawNotice();
        this.#signalTyping(event.detail);
      });
      this.composer.addEventListener("scheduled", ({ detail: { scheduled, kept } }) => this.#passOn(scheduled.conversation, () => {
        this.#waiting.keep(scheduled.id, kept);
        this.state.addScheduled(scheduled);
      }));
      this.composer.addEventListener("unsent", ({ detail: { problem, conversation, isHere } }) => {
        this.#writing.unsent(conversation);
        if (!isHere) showToast(t("console.unsent", { reason: refusalSentence(problem) }));
      });
      this.composer.addEventListener("template-preview", (event) => { this.side.template = event.detail; });
    }
    this.composer.hidden = false;
    this.composer.business = business;
    this.composer.conversation = conversation;
    this.composer.kind = this.#writing.kindOf(conversation.id);
  }

  /** Opens or closes the third column. @param {boolean} [isShown] */
  toggleSide(isShown) {
    if (this.side) toggleSide(this.firstElementChild, this.side, isShown);
  }

  #business(conversation) {
    return this.state.session.businesses.find((one) => one.id === conversation.business) ?? null;
  }

  #drawThread(open) {
    const { thread, state } = this, { conversation, messages, notes, hasMore, damaged, events, scheduled, unreadAfter } = open;
    Object.assign(thread, {
      messages, notes, hasMore, damaged, events, scheduled, unreadAfter, name: customerName(conversation), conversation: conversation.id,
      seenUpTo: open.readUpTo, ownID: state.session.agent.id, mayNote: this.#mayHandle, maySend: this.#mayWrite, lists: state.lists, states: state.deliveries.states,
      typing: state.isTyping(conversation.id) ? customerName(conversation) : null,
    });
    if (open.events.some((one) => one.type === "conversation.labels_changed")) state.lists.labels(conversation.business);
    if (open.events.some((one) => one.type === "conversation.control_changed")) state.lists.members(conversation.business);
    if (open.events.some((one) => one.type === "conversation.team_changed") || notes.some((one) => one.teams?.length)) state.lists.teams(conversation.business);
  }

  #drawComposer(conversation) {
    this.refusal.hidden = !this.#refused;
    if (this.refusal.textContent !== this.#refused) this.refusal.textContent = this.#refused;
    if (this.composer.conversation !== conversation) this.composer.conversation = conversation;
    this.#drawNotice();
  }

  /** Below the box: a colleague's answer, a draft that is not kept, who else is writing. */
  #drawNotice() {
    const writer = this.state.colleagues(this.#shownID).find((one) => one.state === "writing");
    this.composer.notice = this.#writing.answeredWords("console.guard.notice")
      ?? (this.#writing.refusal || (writer ? t("console.writing", { name: writer.name }) : ""));
  }

  #makeWriting() {
    const view = this;
    this.state.live.addEventListener("live", this.#keepWritten);
    return new KeptWriting(this.state, {
      get composer() { return view.composer; },
      get note() { return view.note; },
      get isNote() { return Boolean(view.note) && !view.note.hidden && view.#mayWrite; },
      showNote: () => this.#showNote(), changed: () => this.update(),
    });
  }

  /** What could not be saved without a connection is saved now. */
  #keepWritten = () => {
    if (this.#shownID && this.state.open?.conversation.id === this.#shownID) this.#writing.noteChanged();
  };

  #makeNoteBox(id) {
    const box = h("note-box", {
      hidden: true, ".modes": this.#makeModes("note"), ".save": (content, note) => this.state.saveNote(content, note, id),
      ".members": () => mentionCandidates(this.state),
    });
    box.addEventListener("input", () => this.#writing.noteChanged());
    box.addEventListener("note-added", ({ detail }) => {
      if (!this.#writing.noteSaved(id, box, detail.text)) return;
      if (detail.isBrief) this.#endNote();  // What is written next is a note, too: for a customer it would be chosen.
      this.thread.scrollToEnd();
    });
    box.addEventListener("note-close", () => this.#endNote());
    return box;
  }

  /** The switch at the left of a box; the composer and the note box have one each. */
  #makeModes(mode) {
    const modes = modeSwitch(mode, { reply: () => this.focusComposer(), note: () => this.startNote() });
    this.#modes.push(modes);
    return modes;
  }

  /** Puts the cursor where the answer is written. */
  focusComposer() {
    // Without a conversation the one of the first steps is meant.
    if (!this.#shownID) return /** @type {any} */ (this.querySelector("first-steps"))?.answer();
    if (!this.#mayWrite) return this.startNote();
    this.#endNote();
    this.composer?.focus();
  }

  /** Puts the focus on the thread; false where none is on screen. */
  focusThread() {
    if (!this.#shownID || !this.checkVisibility()) return false;
    this.thread.focusLog();
    return true;
  }

  /** Opens the field for a note to colleagues. */
  startNote() {
    if (!this.note || !this.#mayHandle) return;
    this.#showNote();
    this.note.focus();
  }

  #showNote() {
    this.note.hidden = false;
    this.composer.hidden = true;
  }

  #endNote() {
    if (!this.note || this.note.hidden || !this.#mayWrite) return;
    this.note.hidden = true;
    this.composer.hidden = false;
    this.composer.focus();
  }

  /** Brings a message into view. @param {string} id */
  revealMessage(id) {
    this.thread?.reveal(id);
  }

  /** Opens the search within the conversation. */
  async openFind() {
    if (!await loadPart(() => import("./thread-find.js")) || !this.thread) return;
    if (!this.find?.isConnected) this.thread.before(this.find = h("thread-find", { ".state": this.state, ".thread": this.thread }));
    this.find.open();
  }

  openTemplates() {
    this.focusComposer();
    if (this.#mayWrite) this.composer?.openTemplates?.();
  }

  /** Opens the composer's form of a kind. @param {string} kind */
  openKind(kind) {
    this.focusComposer();
    if (this.#mayWrite) this.composer.begin(kind);
  }

  /** Shows a template with its fields. @param {any} template */
  openTemplate(template) {
    this.focusComposer();
    if (this.#mayWrite) this.composer.openTemplates({ chosen: template });
  }

  /** The phone in the third column. */
  preview() {
    this.toggleSide(true);
    this.side?.preview();
  }

  /** Opens a menu of the head. @param {"assignee"|"labels"|"priority"|"snooze"|"macros"} name @param {HTMLElement} [anchor] */
  openMenu(name, anchor) {
    if (this.#mayChange()) this.head?.openMenu(name, anchor);
  }

  /** Whether the role lets the open conversation be changed; where it does not, the line below the thread says so. */
  #mayChange() {
    if (this.state.open && !this.#mayHandle) {
      this.#refused = t("console.mayNotChange");
      this.update();
    }
    return this.#mayHandle;
  }

  assignToMe() {
    this.want({ assignee: "me" });
  }

  /** Has control instead of a bot. */
  takeOver() {
    if (this.#mayChange()) this.control?.takeOver();
  }

  /** Undoes what was done last: a message that waits, else the change of the newest toast. */
  undo() {
    const me = this.state.session.agent.id;
    const own = this.state.open?.scheduled.findLast((one) => one.author?.id === me && !one.failure);
    if (own) this.#withdraw(own, true);
    else if (!pressUndo()) showToast(t("shared.undo.none"));
  }

  /** Withdraws a message that waits, or one that was refused; its content goes back into the composer. */
  async #withdraw(scheduled, isBack) {
    try {
      await this.state.withdraw(scheduled);
    } catch (problem) {
      return showToast(problem.status === 404 ? t("console.sentAlready") : refusalSentence(problem));
    }
    const kept = this.#waiting.remove(scheduled.id);
    if (!isBack || this.#writing.keepWithdrawn(scheduled, kept)) return;
    this.#endNote();
    this.composer.putBack(scheduled.payload, kept);
    this.composer.focus();
  }

  /** Changes the open conversation. @param {Record<string, any>|null} change */
  want(change) {
    if (this.state.open && change) this.#change(change);
  }

  /** What closes the open conversation or opens it again, as the agent saw it; null for none. @param {number} [when] */
  closeWish(when) {
    const { id, state } = this.state.open?.conversation ?? {};
    return id ? id === this.#shownID ? this.head.closeWish(when) : closeWish(state) : null;
  }

  #change(change) {
    if (!this.#mayChange()) return undefined;
    const [conversation, offer] = [this.state.open.conversation, this.#assistance?.summaryOffer()];  // Another may be open soon.
    return this.#try(async () => (await loadPart(() => import("./change-open.js")))?.changeOpen(this.state, conversation, change, (id, isNext) => {
      this.#isNext = isNext;
      this.#go(id);
    }, offer), change);
  }

  #go(id) {
    this.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: writeRoute({ name: "inbox", conversation: id }) }));
  }

  /** Changes the open conversation and shows the reason of a refusal. */
  async #try(work, change = {}) {
    const id = this.#shownID;
    this.#refused = "";
    try {
      await work();
    } catch (problem) {
      if (id === this.#shownID) this.#refused = refusalSentence(problem, takenWords(problem, change));
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

customElements.define("conversation-view", ConversationView);
