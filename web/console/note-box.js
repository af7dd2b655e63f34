import { openEmoji } from "../composer/emoji-picker.js";
import { iconButton } from "../composer/fields.js";
import { icon } from "../composer/icons.js";
import { insertAtCaret } from "../composer/insert-text.js";
import { toolButton } from "../composer/kind-strip.js";
import { adoptStyles } from "../composer/styles.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { refusalSentence } from "../lib/refusals.js";

/**
 * The composer's box in yellow: a note to colleagues.
 *
 * Values down: `add` (stores a text, may be refused), `modes` (the switch of the page), `text`. Events up: `note-added`,
 * `note-close` for Escape.
 */
export class NoteBox extends HTMLElement {
  /** @type {(text: string) => Promise<void>} */
  add = async () => {};
  modes = null;
  #isSending = false;

  connectedCallback() {
    adoptStyles(this);
    if (this.firstChild) return;
    this.field = h("textarea", {
      class: "cp-text", id: "note-text", rows: 1, "aria-label": t("console.noteLabel"),
      "aria-describedby": "note-help note-keys", placeholder: t("console.notePlaceholder"), onInput: () => this.#changed(),
    });
    this.problem = h("p", { class: "fd-error", role: "alert" });
    this.send = iconButton("send", t("console.addNote"), () => this.#send(), "cp-send");
    const emoji = toolButton(icon("smile"), t("composer.emoji"), () =>
      openEmoji(emoji, (text) => insertAtCaret(this.field, text)));
    replace(this, h("div", { class: "cp-box is-note" }, this.field, this.problem,
      h("footer", { class: "cp-foot" }, this.modes, emoji,
        h("span", { class: "note-help", id: "note-help" }, t("console.noteHelp")),
        h("span", { class: "cp-grow" }),
        h("span", { class: "cp-keys", id: "note-keys" }, t("console.noteKeys")), this.send)));
    this.addEventListener("keydown", (event) => this.#key(event));
    this.#changed();
  }

  get text() {
    return this.field?.value ?? "";
  }

  set text(text) {
    this.field.value = text;
    this.#changed();
  }

  focus() {
    this.field.focus();
  }

  #changed() {
    this.send.disabled = !this.text.trim() || this.#isSending;
    this.field.style.setProperty("height", "auto");
    if (this.field.scrollHeight) this.field.style.setProperty("height", `${Math.min(this.field.scrollHeight, 240)}px`);
  }

  #key(event) {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("note-close"));
    } else if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      this.#send();
    }
  }

  async #send() {
    const text = this.text.trim();
    if (!text || this.#isSending) return;
    this.#isSending = true;
    this.problem.textContent = "";
    this.#changed();
    try {
      await this.add(text);
      this.field.value = "";
      this.dispatchEvent(new CustomEvent("note-added"));
    } catch (problem) {
      this.problem.textContent = refusalSentence(problem);
    }
    this.#isSending = false;
    this.#changed();
  }
}
customElements.define("note-box", NoteBox);
