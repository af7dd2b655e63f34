import { Backoff } from "../lib/backoff.js";
import { h, replace } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { onLanguageChange, t } from "../lib/i18n.js";
import { SteadyList } from "../lib/steady-list.js";

/** The server accepts files up to this many bytes. */
const MAX_FILE_BYTES = 100_000_000;
/** Letters of one message: in any script they fit into the 64 KiB of a customer's request. */
const MAX_LETTERS = 20_000;
/** Files of one message. */
const MAX_FILES = 10;

/**
 * The field at the bottom with the files waiting in it.
 *
 * Values down: `conversation`, `text`. Events up: `submit-message` with `detail.text` and `detail.files`, which stay here if it is canceled,
 * `files` when they are others, `draft` with `detail.text`, `notice` with `detail.text`.
 */
export class PhoneComposer extends HTMLElement {
  conversation = null;
  #files = [];
  #steadyTray;

  connectedCallback() {
    this.field = h("textarea", {
      id: "message", rows: 1, dir: "auto", enterkeyhint: "send", autocapitalize: "sentences",
      maxlength: MAX_LETTERS,
      onInput: () => this.#typed(), onKeydown: (event) => this.#pressed(event),
      onPaste: (event) => this.#pasted(event),
    });
    this.label = h("label", { class: "fd-hidden-text", for: "message" });
    this.picker = h("input", {
      type: "file", multiple: true, class: "fd-hidden-text", tabindex: "-1", "aria-hidden": "true",
      onChange: () => {
        this.add(this.picker.files);
        this.picker.value = "";
      },
    });
    this.attach = h("button", {
      class: "round", type: "button", onClick: () => this.#attachClicked(),
    }, icon("add", 22));
    this.send = h("button", { class: "round is-send", type: "submit" }, icon("send", 20));
    this.tray = h("ul", { class: "tray", hidden: true });
    this.reason = h("p", { class: "tray-reason", role: "status" });
    this.#steadyTray = new SteadyList(this.tray);
    this.form = h("form", {
      class: "composer", onSubmit: (event) => {
        event.preventDefault();
        this.#submit();
      },
    }, this.attach, this.picker, h("div", { class: "field" }, this.tray, this.reason, this.label, this.field),
    this.send);
    replace(this, this.form);
    this.endLanguage = onLanguageChange(() => this.draw());
    this.draw();
  }

  disconnectedCallback() {
    this.endLanguage();
  }

  get text() {
    return this.field.value;
  }

  set text(value) {
    this.field.value = value;
    this.draw();
  }

  /** The files in the tray, uploaded or not. @returns {File[]} */
  get files() {
    return this.#files.map(({ file }) => file);
  }

  focusField() {
    this.field.focus({ preventScroll: true });
  }

  /** Adds files and begins to upload them. @param {FileList|File[]} files */
  add(files) {
    if (!this.#canAttach) {
      if (files.length > 0) this.#emit("notice", { text: this.#attachHint });
      return;
    }
    for (const file of files) {
      if (this.#files.length >= MAX_FILES) {
        this.#sayTooMany();
        break;
      }
      const problem = file.size === 0 ? "attachEmpty" : file.size > MAX_FILE_BYTES ? "attachTooLarge" : null;
      if (problem) {
        this.#emit("notice", { text: t(`phone.${problem}`, { name: file.name }) });
        continue;
      }
      this.#files.push(this.#waiting(file));
    }
    this.uploadHeld();
  }

  /** Adds files that are uploaded as soon as there is a conversation. @param {File[]} files */
  hold(files) {
    this.#files.push(...files.slice(0, MAX_FILES).map((file) => this.#waiting(file)));
    if (files.length > MAX_FILES) this.#sayTooMany();
    this.uploadHeld();
  }

  #sayTooMany() {
    this.#emit("notice", { text: t("phone.attachTooMany", { count: MAX_FILES }) });
  }

  /** Uploads what is held, where there is a conversation by now. */
  uploadHeld() {
    if (this.#canAttach) for (const entry of this.#files.filter(({ isHeld }) => isHeld)) this.#upload(entry);
    this.draw();
  }

  /** Uploads what a lost connection kept back. */
  uploadAgain() {
    for (const entry of this.#files.filter(({ isWaiting }) => isWaiting)) this.#upload(entry);
  }

  get #canAttach() {
    return this.conversation.hasCustomer && !this.conversation.hasLeft;
  }

  /** Why no file can be added now. */
  get #attachHint() {
    return t(this.conversation.isUnread ? "shared.problem.offline" : "phone.attachFirst");
  }

  #waiting(file) {
    return { file, share: 0, kept: null, hasFailed: false, isWaiting: false, isHeld: true, control: new AbortController(), backoff: new Backoff({ firstMilliseconds: 1000 }) };
  }

  draw() {
    const canAttach = this.#canAttach;
    this.form.setAttribute("aria-label", t("phone.message"));
    this.label.textContent = t("phone.message");
    this.field.placeholder = t("phone.message");
    this.attach.setAttribute("aria-label", t("phone.attach"));
    this.attach.setAttribute("aria-disabled", String(!canAttach));
    this.attach.title = canAttach ? t("phone.attach") : this.#attachHint;
    this.send.setAttribute("aria-label", t("phone.send"));
    this.send.disabled = !this.#isReady;
    this.#drawTray();
    this.#fit();
  }

  get #isReady() {
    const hasText = this.field.value.trim() !== "";
    const isUploading = this.#files.some((entry) => !entry.kept && !entry.isHeld);
    return !isUploading && (hasText || this.#files.some((entry) => entry.kept));
  }

  /** Where a file stands, in words. */
  #standing({ file: { name }, share, kept, hasFailed, isWaiting, isHeld }) {
    if (isHeld) return `${name}. ${t("phone.attachFirst")}`;
    if (isWaiting) return t("phone.uploadWaiting", { name });
    if (hasFailed) return t("phone.uploadRefused", { name });
    return kept ? name : t("phone.uploading", { name, percent: Math.round(share * 100) });
  }

  #drawTray() {
    this.tray.hidden = this.#files.length === 0;
    const stuck = this.#files.find(({ hasFailed, isHeld }) => hasFailed || isHeld);
    const reason = stuck ? this.#standing(stuck) : "";
    if (this.reason.textContent !== reason) this.reason.textContent = reason;
    this.#steadyTray.draw(() => this.#files.map((entry) => {
      const { name, type } = entry.file;
      const standing = this.#standing(entry);
      entry.preview ??= type.startsWith("image/") ? URL.createObjectURL(entry.file) : null;
      return h("li", {
        class: `pending-file${entry.hasFailed ? " is-failed" : ""}`, title: standing,
      },
        entry.preview
          ? h("img", { src: entry.preview, alt: "", width: 56, height: 56 })
          : h("span", { class: "pending-name" }, icon("file", 20), h("span", null, name)),
        h("span", { class: "fd-hidden-text" }, standing),
        !entry.kept && !entry.hasFailed && !entry.isHeld
          && h("progress", { max: 1, value: entry.share, "aria-label": standing }),
        entry.hasFailed && h("button", {
          class: "again", type: "button", "aria-label": `${name}: ${t("shared.retry")}`,
          onClick: () => this.#upload(entry),
        }, icon("retry", 20)),
        h("button", {
          class: "remove", type: "button", "aria-label": t("phone.removeFile", { name }),
          onClick: () => this.#remove(entry),
        }, icon("close", 14)));
    }));
  }

  async #upload(entry) {
    Object.assign(entry, { hasFailed: false, isWaiting: false, isHeld: false, share: 0 });
    this.draw();
    try {
      entry.kept = await this.conversation.upload(entry.file, (share) => {
        entry.share = share;
        this.#drawTray();
      }, entry.control.signal);
    } catch (problem) {
      // Whose session ended has a conversation again after the next words.
      entry.isHeld = problem.status === 401;
      entry.hasFailed = !entry.isHeld && !entry.control.signal.aborted;
      entry.isWaiting = entry.hasFailed && problem.mayRetry === true;
      if (entry.isWaiting) this.#uploadLater(entry, problem.retryAfterSeconds ?? 0);
    }
    if (this.isConnected) this.draw();
  }

  /** The server may ask for time, and a connection that failed may be there without having been lost. */
  #uploadLater(entry, seconds) {
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => {
      if (this.isConnected && entry.isWaiting && this.#files.includes(entry)) this.#upload(entry);
    }, Math.max(entry.backoff.next(), seconds * 1000));
  }

  #remove(entry) {
    entry.control.abort();
    this.#files = this.#files.filter((candidate) => candidate !== entry);
    if (entry.preview) URL.revokeObjectURL(entry.preview);
    this.#emit("files");
    this.draw();
    this.focusField();
  }

  #submit() {
    if (!this.#isReady) return;
    const text = this.field.value.trim();
    const sent = this.#files.filter((entry) => entry.kept);
    const files = sent.map((entry) => entry.kept);
    if (!this.dispatchEvent(new CustomEvent("submit-message", { detail: { text, files }, cancelable: true }))) return;
    for (const entry of sent) if (entry.preview) URL.revokeObjectURL(entry.preview);
    this.#files = this.#files.filter((entry) => !entry.kept);
    this.field.value = "";
    this.#emit("files");
    this.#emit("draft", { text: "" });
    this.draw();
    this.focusField();
  }

  #typed() {
    this.#emit("draft", { text: this.field.value });
    this.send.disabled = !this.#isReady;
    this.#fit();
  }

  #pressed(event) {
    // While Japanese is being composed, Enter accepts the word and does not send the message.
    if (event.key !== "Enter" || event.isComposing || event.keyCode === 229) return;
    const isTouch = matchMedia("(pointer: coarse)").matches;
    if (event.shiftKey || isTouch) return;
    event.preventDefault();
    this.#submit();
  }

  #pasted(event) {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    this.add(files);
  }

  #attachClicked() {
    if (this.attach.getAttribute("aria-disabled") === "true") {
      this.#emit("notice", { text: this.#attachHint });
    } else {
      this.picker.click();
    }
  }

  /** The field grows with its text, up to six lines. */
  #fit() {
    this.field.style.height = "auto";
    this.field.style.height = `${Math.min(this.field.scrollHeight, 148)}px`;
  }

  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

customElements.define("phone-composer", PhoneComposer);
