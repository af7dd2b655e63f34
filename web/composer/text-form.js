import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { loadPart } from "../lib/late-part.js";
import { exchange, upload } from "../lib/api.js";
import { refusalSentence } from "../lib/refusals.js";
import { SteadyList } from "../lib/steady-list.js";
import { showToast } from "../lib/toast.js";
import { icon } from "./icons.js";
import { iconButton } from "./fields.js";
import { hasLibrary } from "./file-sources.js";
import { apartFrom, insertAtCaret } from "./insert-text.js";
import { KindForm } from "./kind-form.js";
import { textPayload } from "./kinds/text.js";
import { attachmentSign } from "./payloads.js";
import { formatBytes } from "./sizes.js";

/** The most attachments one message may have, and the largest in bytes. */
const attachmentLimit = 10;
const attachmentByteLimit = 100_000_000;

/** The height up to which the field grows, in pixels; a text of more letters than these, in UTF-16 units, fills it in any case. */
const MOST_HEIGHT = 240;
const LONG_LETTERS = 50_000;

/**
 * Text and files. Enter sends, Shift+Enter breaks the line, never while an input method composes.
 * @fires send-request on Enter
 * @fires template-request when `/` opens an empty text
 */
export class TextForm extends KindForm {
  #input;
  #tray = h("ul", { class: "cp-tray" });
  #steadyTray = new SteadyList(this.#tray);
  #message = h("p", { class: "cp-note", role: "status" });

  blankDraft() {
    return { body: "", attachments: [], attachmentsFirst: true };
  }

  draw() {
    const { draft } = this;
    const input = h("textarea", {
      class: "cp-text", rows: "1", "aria-label": t("composer.text.label"), placeholder: t("composer.text.placeholder"), title: t("composer.text.keys"),
      enterkeyhint: "send", autocomplete: "off", dir: "auto",
    });
    input.value = draft.body;
    input.addEventListener("input", () => {
      draft.body = input.value;
      this.#fit();
      this.changed();
    });
    input.addEventListener("keydown", (event) => this.#key(event));
    input.addEventListener("paste", (event) => {
      if (!event.clipboardData.files.length || isFormatted(event.clipboardData)) return;
      event.preventDefault();
      this.addFiles(event.clipboardData.files);
    });
    this.#input = input;
    const box = h("div", { class: "cp-textbox" }, this.#tray, input);
    this.#drawTray();
    queueMicrotask(() => this.#fit());
    return [box, this.#message];
  }

  focus() {
    this.#input?.focus();
  }

  /** Inserts text at the caret, as a template does; typed text stays, and undo removes the inserted one. */
  insert(text) {
    if (this.#mayAdd()) insertAtCaret(this.#input, text);
  }

  /** Whether something can be added: to what is on its way nothing can, for it would be removed with that. */
  #mayAdd() {
    if (this.ariaBusy !== "true") return true;
    this.#showMessage(t("composer.text.onItsWay"));
    return false;
  }

  /** All findings of a text belong to its only field. */
  hasField() {
    return true;
  }

  focusPointer() {
    this.focus();
    return true;
  }

  /**
   * Inserts the text of a message, and adds its files.
   * @param {string} body @param {import("./library.js").StoredFile[]} files @param {boolean} isApart on lines of its own
   */
  insertStored(body, files, isApart) {
    const text = body.replaceAll(attachmentSign, "");
    this.insert(isApart ? apartFrom(this.#input, text) : text);
    if (files.length) this.addStored(files);
  }

  /** Uploads files one after the other and keeps their place. */
  async addFiles(files) {
    if (!this.#mayAdd()) return;
    for (const file of files) {
      if (this.draft.attachments.length >= attachmentLimit) {
        this.#showMessage(t("composer.text.tooMany", { count: attachmentLimit }));
        return;
      }
      if (file.size === 0) {
        this.#showMessage(t("composer.text.notUploaded", { name: file.name, reason: t("composer.text.empty") }));
        continue;
      }
      if (file.size > attachmentByteLimit) {
        this.#showMessage(t("composer.text.tooLarge", { name: file.name, limit: formatBytes(attachmentByteLimit) }));
        continue;
      }
      this.#start(file);
    }
    // What is typed next is the message, not keys of the page.
    this.focus();
  }

  /** Adds files that the server has, such as those of the library. @param {import("./library.js").StoredFile[]} files */
  addStored(files) {
    if (!this.#mayAdd()) return undefined;
    const { attachments } = this.draft;
    for (const { id, name, mimeType, size, attachment } of files) {
      if (attachments.some((entry) => entry.id === id)) continue;
      if (attachments.length >= attachmentLimit) {
        this.#showMessage(t("composer.text.tooMany", { count: attachmentLimit }));
        break;
      }
      attachments.push({ id, name, size, type: mimeType, attachment, share: 1, preview: null, problem: null, isKept: true, isShared: true });
    }
    this.#drawTray();
    this.changed();
    this.focus();
    return this.findKept();
  }

  async #start(file) {
    const stop = new AbortController();
    const entry = {
      file, name: file.name || t("composer.text.unnamed"), size: file.size, type: file.type, share: 0, stop,
      preview: isPicture(file.type) ? URL.createObjectURL(file) : null,
      attachment: null, problem: null,
    };
    this.draft.attachments.push(entry);
    this.#drawTray();
    this.changed();
    await this.#carry(entry);
  }

  async #carry(entry) {
    const { conversation, apiBase } = this.context;
    entry.problem = null;
    try {
      const answer = await upload(`${apiBase}/api/attachments`, entry.file, {
        query: { conversation: conversation.id, name: entry.name }, signal: entry.stop.signal,
        onProgress: (share) => {
          entry.share = share;
          if (entry.meter) entry.meter.value = share;
        },
      });
      entry.attachment = answer.attachment;
      entry.id = answer.id;
    } catch (problem) {
      if (problem.name === "AbortError") return;
      entry.problem = refusalSentence(problem);
    }
    this.#drawTray();
    this.changed();
  }

  /** Shows the pictures of a draft's stored files, and says which files the server no longer has. */
  async findKept() {
    const { conversation, apiBase } = this.context;
    const kept = this.draft.attachments.filter((entry) => entry.isKept && !entry.problem);
    for (const entry of kept) {
      const address = `${apiBase}/api/attachments/${entry.id}?conversation=${encodeURIComponent(conversation.id)}`;
      if (!entry.preview && isPicture(entry.type)) entry.preview = address;
      await exchange("GET", address, { headers: { Range: "bytes=0-0" } }).catch((problem) => {
        // Safe: without an answer it may still be there, and the server decides when it is sent.
        if (problem.status === 404) Object.assign(entry, { attachment: null, preview: null, problem: t("composer.text.fileGone") });
      });
    }
    if (!kept.length) return;
    this.#drawTray();
    this.changed();
  }

  /** Files arrive while others are removed. */
  #drawTray() {
    this.#steadyTray.draw(() => this.#trayCells());
  }

  #trayCells() {
    const { attachments } = this.draft;
    this.#tray.hidden = attachments.length === 0;
    const cells = attachments.map((entry) => {
      const kind = entry.type?.startsWith("audio/") ? "music" : entry.type?.startsWith("video/") ? "play" : "file";
      entry.meter = entry.attachment || entry.problem ? null
        : h("progress", { max: "1", value: String(entry.share), "aria-label": t("composer.text.uploading", { name: entry.name }) });
      return h("li", { class: entry.problem ? "cp-chip cp-chip-failed" : "cp-chip" },
        entry.preview ? h("img", { src: entry.preview, alt: "" }) : icon(kind),
        h("span", { class: "cp-chip-words" },
          h("span", { class: "cp-chip-name" }, entry.name),
          h("span", { class: "cp-chip-size" }, entry.problem ?? formatBytes(entry.size)),
          entry.meter),
        entry.problem && entry.file ? iconButton("refresh", t("composer.text.retry", { name: entry.name }), () => this.#carry(entry), "cp-small") : null,
        entry.attachment && !entry.isShared && hasLibrary(this.context.business)
          ? iconButton("library", t("composer.library.keep", { name: entry.name }), () => this.#keep(entry), "cp-small") : null,
        iconButton("close", t("composer.text.remove", { name: entry.name }), () => {
          entry.stop?.abort();
          if (entry.preview) URL.revokeObjectURL(entry.preview);
          attachments.splice(attachments.indexOf(entry), 1);
          this.#drawTray();
          this.changed();
          this.focus();
        }, "cp-small"));
    });
    if (attachments.length) {
      cells.push(h("li", { class: "cp-chip-place" }, h("button", {
        type: "button", class: "cp-link",
        onclick: () => {
          this.draft.attachmentsFirst = !this.draft.attachmentsFirst;
          this.#drawTray();
          this.changed();
        },
      }, t(this.draft.attachmentsFirst ? "composer.text.filesFirst" : "composer.text.filesLast"))));
    }
    return cells;
  }

  /** Keeps a file of the draft in the library of the business. */
  async #keep(entry) {
    const { business, apiBase, conversation } = this.context;
    const library = await loadPart(() => import("./library.js"));
    if (!library) return;
    const { isKept, words } = await library.keepInLibrary({ business, apiBase }, { id: entry.id, name: entry.name, conversation: conversation.id });
    entry.isShared = isKept;
    showToast(words);
    this.#drawTray();
    if (isKept) this.focus();
  }

  #key(event) {
    // 229 is what some browsers report for the key that ends a composition.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("send-request", { bubbles: true }));
    } else if (event.key === "/" && this.draft.body === "") {
      event.preventDefault();
      this.#askForTemplate();
    }
  }

  #askForTemplate() {
    this.dispatchEvent(new CustomEvent("template-request", { bubbles: true }));
  }

  #fit() {
    const input = this.#input;
    // Browsers take seconds to lay out a text that is very long where each paragraph has a direction of its own.
    const isLong = input.value.length > LONG_LETTERS;
    input.style.unicodeBidi = isLong ? "isolate" : "";
    input.style.height = "auto";
    input.style.height = `${isLong ? MOST_HEIGHT : Math.min(input.scrollHeight + 2, MOST_HEIGHT)}px`;
  }

  #showMessage(text) {
    this.#message.replaceChildren(text);
  }

  /** True while a file is being uploaded, and while one that failed is neither repeated nor removed: nothing is sent without it. */
  get isWaiting() {
    return this.draft.attachments.some((entry) => !entry.attachment);
  }

  payload() {
    const { body, attachmentsFirst } = this.draft;
    const attachments = this.draft.attachments.map((entry) => entry.attachment).filter(Boolean);
    return textPayload({ body, attachments, attachmentsFirst }, this.context.envelope());
  }

  /** Data for the device preview to show files that are not sent yet. */
  previewAttachments() {
    return this.draft.attachments.filter((entry) => entry.attachment).map((entry) => ({
      id: entry.id, name: entry.name, mimeType: entry.attachment.mimeType, size: entry.size,
    }));
  }

  isBlank() {
    return !this.draft.body.trim() && this.draft.attachments.length === 0;
  }

  sent() {
    for (const entry of this.draft.attachments) if (entry.preview) URL.revokeObjectURL(entry.preview);
    this.#message.replaceChildren();
  }
}

/** Whether what is pasted are words, beside which a program has put a picture of them, as those for texts and tables do. @param {DataTransfer} pasted */
function isFormatted(pasted) {
  return pasted.types.includes("text/html") && pasted.getData("text/plain").trim() !== "";
}

/** Whether every browser shows files of this type. @param {string} type */
function isPicture(type) {
  return /^image\/(png|jpeg|gif|webp|avif)$/.test(type);
}

customElements.define("text-form", TextForm);
