import { iconButton } from "../composer/fields.js";
import { icon } from "../composer/icons.js";
import { insertAtCaret } from "../composer/insert-text.js";
import { toolButton } from "../composer/kind-strip.js";
import { adoptStyles } from "../composer/styles.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { loadPart } from "../lib/late-part.js";
import { refusalSentence } from "../lib/refusals.js";
import { showToast } from "../lib/toast.js";
import { mentionsIn } from "../thread/mentions.js";
import { MentionMenu } from "./mention-menu.js";

const AT = "M10 7a3 3 0 1 0 0 6a3 3 0 0 0 0-6zM13 7v4a2 2 0 0 0 4 0v-1a7 7 0 1 0-2.8 5.6";

/**
 * The composer's box in yellow: a note to colleagues, or the change of one.
 *
 * Values down: `save` (stores a text, may be refused), `members` (whom a note can mention), `modes` (the switch of the page),
 * `text` (of a new note), `edit(note)`. Events up: `note-added`, `note-close` for Escape; after a note that was added, Escape leaves the field for the page.
 */
export class NoteBox extends HTMLElement {
  /** @type {(content: {text: string, mentions: string[], teams: string[]}, note: string|null) => Promise<void>} */
  save = async () => {};
  /** @type {() => Promise<import("../thread/mentions.js").Member[]>} */
  members = async () => [];
  /** The note that is changed, and what was written of a new one before; whether the box was opened for the change alone. */
  #edited = null;
  #isBrief = false;
  #before = "";
  modes = null;
  #isSending = false;
  /** Whether a note was added, and no other one has been begun. */
  #isDone = false;

  connectedCallback() {
    adoptStyles(this);
    if (this.firstChild) return;
    this.field = h("textarea", {
      class: "cp-text", id: "note-text", rows: 1, dir: "auto", "aria-label": t("console.noteLabel"),
      "aria-describedby": "note-help note-keys", placeholder: t("console.notePlaceholder"), onInput: () => this.#changed(),
    });
    this.problem = h("p", { class: "fd-error", role: "alert" });
    this.send = iconButton("send", t("console.addNote"), () => this.#send(), "cp-send");
    const emoji = toolButton(icon("smile"), t("composer.emoji"), async () =>
      (await loadPart(() => import("../composer/emoji-picker.js")))?.openEmoji(emoji, (text) => this.#insert(text)));
    emoji.setAttribute("aria-haspopup", "dialog");
    emoji.setAttribute("aria-expanded", "false");
    const mention = toolButton(icon("at", AT), t("console.mention"), () => this.#beginMention());
    mention.setAttribute("aria-haspopup", "listbox");
    mention.setAttribute("aria-expanded", "false");
    // The focus stays in the text, where the name is written.
    mention.addEventListener("pointerdown", (event) => event.preventDefault());
    this.menu = new MentionMenu(this.field, mention, () => this.members());
    this.cancel = h("button", { type: "button", class: "cp-link", hidden: true, onClick: () => this.#endEdit() }, t("shared.cancel"));
    replace(this, h("div", { class: "cp-box is-note" }, this.field, this.problem,
      h("footer", { class: "cp-foot" }, this.modes, emoji, mention,
        this.help = h("span", { class: "note-help", id: "note-help" }, t("console.noteHelp")), this.cancel,
        h("span", { class: "cp-grow" }),
        h("span", { class: "cp-keys", id: "note-keys" }, t("console.noteKeys")), this.send)));
    this.addEventListener("keydown", (event) => this.#key(event));
    this.#changed();
  }

  /** What is written of a new note, also while another one is changed. */
  get text() {
    return (this.#edited ? this.#before : this.field?.value) ?? "";
  }

  set text(text) {
    if (this.#edited) {
      this.#before = text;
      return;
    }
    this.field.value = text;
    this.#changed();
  }

  /** Opens a note of the agent's to be changed, before the box is shown for it. @param {any} note */
  edit(note) {
    if (!this.#edited) [this.#before, this.#isBrief] = [this.field.value, this.hidden];
    this.#edited = note;
    this.field.value = note.text;
    for (const { name, id } of note.mentions ?? []) this.menu.chosen.set(name, id);
    this.#changed();
    this.focus();
  }

  #endEdit() {
    this.#edited = null;
    this.field.value = this.#before;
    this.problem.textContent = "";
    this.#changed();
    this.focus();
  }

  #beginMention() {
    this.field.focus();
    const before = this.field.value.slice(0, this.field.selectionStart);
    this.#insert(/(^|\s)$/.test(before) ? "@" : " @");
  }

  /** Into what is being written; what is on its way would be removed with the note. */
  #insert(text) {
    if (!this.#isSending) insertAtCaret(this.field, text);
  }

  focus() {
    this.field.focus();
  }

  #changed() {
    const isEmpty = !this.field.value.trim();
    if (!isEmpty) this.#isDone = false;
    // A button that is disabled would lose the focus of who works by keyboard.
    if (isEmpty && document.activeElement === this.send) this.field.focus();
    this.send.disabled = isEmpty;
    this.send.setAttribute("aria-disabled", String(this.#isSending));
    // What would be typed now would be removed with the note; the focus stays.
    this.field.readOnly = this.#isSending;
    this.help.textContent = t(this.#edited ? "console.noteEditing" : "console.noteHelp");
    this.cancel.hidden = !this.#edited;
    const words = t(this.#edited ? "console.saveNote" : "console.addNote");
    this.send.title = words;
    this.send.setAttribute("aria-label", words);
    this.field.style.setProperty("height", "auto");
    if (this.field.scrollHeight) this.field.style.setProperty("height", `${Math.min(this.field.scrollHeight, 240)}px`);
  }

  #key(event) {
    if (event.isComposing || this.menu.key(event)) return;
    if (event.key === "Escape" && this.#edited) {
      event.preventDefault();
      this.#endEdit();
    } else if (event.key === "Escape" && !(this.#isDone && !this.field.value)) {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("note-close"));
    } else if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      this.#send();
    }
  }

  /** Removes what was stored, and nothing that was opened or put into the box since. */
  #saved(text, edited) {
    if (this.#edited !== edited) {
      if (!edited && this.#before.trim() === text) this.#before = "";
      return;
    }
    if (edited) this.field.value = this.#before;
    else if (this.field.value.trim() === text) [this.field.value, this.#isDone] = ["", true];
    this.#edited = null;
  }

  async #send() {
    const text = this.field.value.trim();
    if (!text || this.#isSending) return;
    const edited = this.#edited;
    this.#isSending = true;
    this.problem.textContent = "";
    this.#changed();
    try {
      const members = await this.members();
      // A member who was mentioned before stays mentioned, also after leaving the business: the server says so.
      const known = [...members, ...(edited?.mentions ?? []).filter((one) => !members.some(({ id }) => id === one.id))];
      const named = mentionsIn(text, known, this.menu.chosen);
      const isTeam = (id) => known.some((one) => one.id === id && one.isTeam);
      await this.save({ text, mentions: named.filter((id) => !isTeam(id)), teams: named.filter(isTeam) }, edited?.id ?? null);
      this.#saved(text, edited);
      this.dispatchEvent(new CustomEvent("note-added", { detail: { text, isBrief: Boolean(edited) && this.#isBrief } }));
    } catch (problem) {
      const reason = refusalSentence(problem);
      this.problem.textContent = reason;
      // Its conversation was left meanwhile: there it is a draft.
      if (!this.isConnected) showToast(t("console.noteUnsent", { reason }));
    }
    this.#isSending = false;
    this.#changed();
  }
}
customElements.define("note-box", NoteBox);
