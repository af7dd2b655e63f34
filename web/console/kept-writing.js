import { api } from "../lib/api.js";
import { t } from "../lib/i18n.js";
import { refusalSentence } from "../lib/refusals.js";
import { showToast } from "../lib/toast.js";
import { AnswerGuard } from "./answer-guard.js";
import { DraftSync } from "./draft-sync.js";
import { lastSequence } from "./open-thread.js";
import { may } from "./permissions.js";

/**
 * What is written for the conversation on screen, answer and note: kept for each conversation, on the server, and guarded
 * against answering over a colleague.
 */
export class KeptWriting {
  /** The conversation on screen; null for none. */
  #id = null;
  /** Notes that are half written, and the kinds that are open, by conversation. */
  #notes = new Map();
  #kinds = new Map();
  #guard = new AnswerGuard();
  /** What was withdrawn of a conversation that is not on screen, by conversation: it is put into the box there. */
  #withdrawn = new Map();
  /** Why the server does not keep the draft, by conversation. */
  #refusals = new Map();
  #drafts = new DraftSync(api, {
    overwritten: (id, other) => this.#offerOther(id, other),
    stored: (id, mark) => {
      this.#refusals.delete(id);
      this.#state.markDraft(id, mark);
    },
    refused: (id, problem) => {
      this.#refusals.set(id, refusalSentence(problem));
      this.#boxes.changed();
    },
  });
  #state;
  #boxes;

  /**
   * @param {import("./desk-state.js").DeskState} state
   * @param {{composer: any, note: any, isNote: boolean, showNote: () => void, changed: () => void}} boxes where answer and note are written, and whether the note was chosen;
   *   read whenever they are used
   */
  constructor(state, boxes) {
    this.#state = state;
    this.#boxes = boxes;
    state.addEventListener("draft", ({ detail }) => this.#follow(detail));
    state.live.addEventListener("live", () => this.#drafts.saveAll().then(() => this.#catchUp()));
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden" && this.#id) this.#drafts.save(this.#id, { isLeaving: true });
    });
    // What is in this tab alone goes with it after a question only.
    addEventListener("beforeunload", (event) => {
      const { composer } = this.#boxes;
      if (this.#id && composer?.isConnected && (composer.hasComing || this.refusal)) event.preventDefault();
    });
  }

  /** The kind that was open in a conversation. @param {string} id */
  kindOf(id) {
    return this.#kinds.get(id) ?? "text";
  }

  /** A conversation is on screen, and both boxes are its own from here on. @param {string} id @param {{version: number}|null} mark */
  open(id, mark) {
    const { composer, note, showNote } = this.#boxes;
    const kept = this.#notes.get(id);
    note.text = kept?.text ?? "";
    this.#id = id;
    const withdrawn = this.#withdrawn.get(id);
    this.#withdrawn.delete(id);
    withdrawn?.forEach((one) => composer.putBack(one.payload, one.kept));
    if (!withdrawn) this.#read(id, mark);
    if (kept?.isNote) showNote();
  }

  /**
   * Keeps what was withdrawn after its conversation had left the screen, as its draft; false where it is on screen.
   * @param {{conversation: string, payload: any}} scheduled
   * @param {import("../composer/kept-draft.js").KeptDraft|null} kept what the composer had of it
   */
  keepWithdrawn({ conversation, payload }, kept) {
    if (conversation === this.#id) return false;
    const reply = kept ?? (payload.type === "text" && !payload.attachments?.length ? { kind: "text", body: payload.body, card: null } : null);
    this.#withdrawn.set(conversation, [...this.#withdrawn.get(conversation) ?? [], { payload, kept: reply }]);
    this.#drafts.begin(conversation, reply);
    return true;
  }

  /** Keeps what is written for the conversation that leaves the screen. */
  putAway() {
    const { composer, note, isNote } = this.#boxes;
    if (note.text) this.#notes.set(this.#id, { text: note.text, isNote });
    else this.#notes.delete(this.#id);
    this.#kinds.set(this.#id, composer.kind);
    this.#drafts.save(this.#id);
    this.#id = null;
  }

  /** @param {{payload: any, isRepeat: boolean}|null} draft the detail of `draft-change` */
  answerChanged(draft) {
    const { open } = this.#state;
    if (!open || open.conversation.id !== this.#id) return;
    this.#guard.see(this.#id, Boolean(draft?.payload) && !draft.isRepeat, lastSequence(open));
    this.noteChanged();
  }

  noteChanged() {
    const written = this.#written();
    if (!written) this.#refusals.delete(this.#id);
    if (this.#mayKeep) this.#drafts.change(this.#id, written);
  }

  /**
   * A note was stored: it is no draft any more.
   * @param {string} id of its conversation @param {any} box in which it was written @param {string} text
   * @returns {boolean} whether that box is on screen still: else something else is written by now
   */
  noteSaved(id, box, text) {
    const { note } = this.#boxes;
    if (box === note || id === this.#id) {
      // Who left and came back finds in the new box what was on its way.
      if (box !== note && note.text.trim() === text) note.text = "";
      this.noteChanged();
      return box === note;
    }
    if (this.#notes.get(id)?.text.trim() !== text) return false;
    this.#notes.delete(id);
    this.#drafts.noteSaved(id, text);
    return false;
  }

  /** Whether the role lets drafts be kept on the server; else they are in this tab. */
  get #mayKeep() {
    const { open, session } = this.#state;
    return may(session.businesses.find((one) => one.id === open?.conversation.business), "drafts.write");
  }

  /** The draft of a conversation went with its message. @param {string} id */
  sent(id) {
    const isLeft = id !== this.#id;
    this.#drafts.sent(id, isLeft);
    // On screen the box says that it is empty.
    if (isLeft) this.#guard.see(id, false, 0);
  }

  /** A message was refused: it is a draft again. @param {string} id of its conversation */
  unsent(id) {
    this.#drafts.unsent(id);
  }

  /** What is sent along with a message: its draft, and the last message that its author had seen; a template has no draft. */
  async query({ anyway, isTemplate = false, sendAt = undefined }) {
    const id = this.#id;
    const last = lastSequence(this.#state.open);
    const begun = this.#guard.begun(id) ?? (isTemplate ? last : undefined);
    const draft = isTemplate ? 0 : await this.#drafts.versionToSend(id, this.#written());
    // Until its own time it can be withdrawn, too.
    const delay = sendAt ? undefined : this.#state.session.preferences?.sendDelay || undefined;
    return { draft: draft || undefined, ifLastSequence: anyway ? undefined : begun, delay, sendAt };
  }

  /** That a colleague has answered since this answer was begun; null when none has. @param {string} key @param {any} [current] */
  answeredWords(key, current = null) {
    const { open, session } = this.#state;
    const answer = current ?? (open && this.#guard.answered(open.conversation.id, open.messages, session.agent.id));
    if (!answer) return null;
    const name = answer.author?.name || t(`thread.author.${answer.author?.type ?? "agent"}`);
    const seconds = Math.max(1, Math.round((Date.now() - Date.parse(answer.time)) / 1000));
    const time = seconds < 60 ? t("console.guard.seconds", { count: seconds })
      : seconds < 5_400 ? t("console.guard.minutes", { count: Math.round(seconds / 60) })
      : t("console.guard.hours", { count: Math.round(seconds / 3_600) });
    return t(key, { name, time });
  }

  /** Why what is written is in this tab only; empty when the server keeps it. */
  get refusal() {
    if (this.#boxes.composer && !this.#boxes.composer.isKeptWhole) return t("console.draft.tooLarge");
    if (this.#state.open && !this.#mayKeep && this.#written()) return t("console.draft.mayNotKeep");
    const refusal = this.#refusals.get(this.#id);
    return refusal ? t("console.draft.notKept", { reason: refusal }) : "";
  }

  #written() {
    const { composer, note, isNote } = this.#boxes;
    const reply = composer.kept;
    const text = note?.text ?? "";
    if (!reply && !text.trim()) return null;
    const begun = reply ? this.#guard.begun(this.#id) : undefined;
    return { reply, note: text, isNote, ...begun === undefined ? {} : { begun } };
  }

  /** Shows the draft that the server has, unless something else was written here meanwhile. */
  async #read(id, mark) {
    const before = this.#written();
    if (before && !this.#drafts.has(id, before)) return;
    const { kind } = this.#boxes.composer;
    const written = await this.#drafts.read(id, mark);
    const isSame = id === this.#id && JSON.stringify(this.#written()) === JSON.stringify(before);
    if (written === undefined || !isSame || this.#drafts.has(id, before)) return;
    this.#restore(written, kind);
  }

  /** @param {string} [before] the kind that was open when the draft was asked for: one opened since stays open */
  #restore(written, before) {
    const { composer, note, showNote } = this.#boxes;
    composer.restore(written?.reply ?? null, before);
    note.text = written?.note ?? "";
    // Writing it into the boxes looked like the beginning of an answer.
    if (written?.reply && written.begun !== undefined) this.#guard.restore(this.#id, written.begun);
    this.noteChanged();
    if (written?.isNote) showNote();
    this.#boxes.changed();
  }

  /** Another device's draft gave way to this one; it can still be had. */
  #offerOther(id, other) {
    showToast(t("console.draft.replaced"), {
      action: t("console.draft.other"), undo: () => { if (id === this.#id) this.#restore(other); },
    });
  }

  /** A draft may have changed while this page had no connection. */
  async #catchUp() {
    const id = this.#id;
    const found = id && await api.get(`/api/conversations/${id}`).catch(() => null);  // Safe: the next change meets it.
    if (found && id === this.#id && (found.draft?.version ?? 0) !== this.#drafts.version(id)) this.#read(id, found.draft);
  }

  /** One of the agent's other pages has saved or removed a draft. */
  #follow({ conversation, version, state }) {
    const known = this.#drafts.version(conversation);
    if (conversation !== this.#id || known === (state === "saved" ? version : 0)) return;
    this.#read(conversation, state === "saved" ? { version } : null);
  }
}
