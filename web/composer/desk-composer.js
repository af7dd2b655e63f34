import { onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import { ApiProblem, api } from "../lib/api.js";
import { makeUUID } from "../lib/uuid.js";
import en from "../i18n/en/composer.js";
import ja from "../i18n/ja/composer.js";
import "../cards/desk-card.js";
import { drawAlert, drawDraft, drawGuard, drawNotice, drawReach, drawSending, makeFrame } from "./composer-frame.js";
import { openEmoji } from "./emoji-picker.js";
import { fallbackText } from "./fallback.js";
import { Debounce, draftState, formContext } from "./draft-state.js";
import { FindingsFold } from "./findings-fold.js";
import { findingsOfProblem } from "./findings.js";
import "./json-view.js";
import { readKept, restoreKept } from "./kept-draft.js";
import { FormCache } from "./form-cache.js";
import { LastField } from "./insert-text.js";
import "./forms.js";
import { Validator, findingsToShow } from "./validator.js";
import { canShow, kinds } from "./kinds.js";
import { draftOfPayload } from "./payload-drafts.js";
import { ReplacedNotice } from "./replaced-notice.js";
import { adoptStyles, focusedIn } from "./styles.js";
import { TypingSignal } from "./typing-signal.js";

registerStrings({ en, ja });

/**
 * Writes and sends every kind of message.
 *
 * Values down: `conversation`, `business`, `capabilities` (the customer's own unless set),
 * `apiBase`, `templates`, `companion` (an element of the page, put first in the foot); the
 * `guard` (says why a message should not be sent yet, or null) and `notice` (a line beside the tools); the
 * attribute `keep-drafts` keeps a sent card in its form, where else the form is emptied and Text comes back. Events up:
 * `draft-change` (`detail`: payload, text, kind, findings, isBlank, isRepeat, attachments) and `sent`
 * (`detail.message`).
 */
export class DeskComposer extends HTMLElement {
  #conversation = null;
  #business = null;
  #capabilities;
  #kind = "text";
  #forms = new FormCache(() => this.#context());
  #ids = { id: makeUUID(), requestID: makeUUID() };
  #validator = new Validator((verdict) => this.#showVerdict(verdict));
  #verdict = null;
  #announcing = new Debounce(() => this.#emit("draft-change", this.current));
  #typing = new TypingSignal();
  #isSending = false;
  #lastField = new LastField();
  /** The text of a kept form right after it was sent: the same again is not a new draft. */
  #repeated = null;
  #parts = {};
  #fold;
  #replaced = new ReplacedNotice();
  #endLanguage = null;
  apiBase = "";
  templates = null;
  companion = null;
  /** @type {(current?: any) => string|null} `current`: the other message, where the server refused ours for it */
  guard = () => null;
  /** @type {(options: {anyway: boolean, isTemplate?: boolean}) => Promise<Record<string, any>>} what the page adds to a request that sends */
  sendQuery = async () => ({});

  connectedCallback() {
    adoptStyles(this);
    if (!this.firstChild) this.#build();
    this.#endLanguage ??= onLanguageChange(() => {
      this.#forms.rebuild();
      this.#build();
    });
  }

  disconnectedCallback() {
    this.#typing.stop();
    this.#endLanguage?.();
    this.#endLanguage = null;
  }

  get conversation() { return this.#conversation; }

  set conversation(conversation) {
    const before = this.#conversation;
    this.#conversation = conversation;
    if (before?.id !== conversation?.id) this.#turnTo(before, conversation);
    else if (before?.left !== conversation?.left && this.#parts.form) {
      this.#validator.forget();
      this.#changed({ isTyping: false });
    }
    this.#typing.aim(conversation ? `${this.#path()}/typing` : null);
    this.#refreshState();
  }

  get business() { return this.#business; }

  set business(business) {
    this.#business = business;
    this.#refreshState();
  }

  get capabilities() { return this.#capabilities ?? this.#conversation?.customer?.capabilities ?? null; }

  set capabilities(capabilities) {
    this.#capabilities = capabilities;
    this.#refreshState();
  }

  /** The kind that is open. */
  get kind() { return this.#kind; }
  set kind(kind) {
    if (kinds.some((entry) => entry.kind === kind)) this.#select(kind);
  }

  /** What is written, as data that `restore` puts back; null when nothing is. */
  get kept() { return readKept(this.#forms, this.#kind); }

  /** @param {import("./kept-draft.js").KeptDraft|null} kept */
  restore(kept) {
    restoreKept(this.#forms, kept);
    this.#select(kept?.kind ?? "text");
  }

  set notice(words) { drawNotice(this.#parts, words); }

  /** The detail of the last `draft-change`. */
  get current() {
    return draftState(this.#form, {
      kind: this.#kind, isReady: Boolean(this.#conversation && this.#business), verdict: this.#verdict,
      repeated: this.#repeated,
    });
  }

  /** Puts a text into Raw JSON and goes there. */
  editRaw(text) {
    this.#select("raw");
    this.#form.open(text);
  }

  /** Puts the focus into the form that is open. */
  focus() {
    this.#form?.focus();
    if (!this.contains(focusedIn(this))) this.#form?.querySelector("input, textarea, select")?.focus();
  }

  get #form() { return this.#forms.find(this.#kind); }

  #path() { return `${this.apiBase}/api/conversations/${encodeURIComponent(this.#conversation.id)}`; }

  #context() {
    return formContext({
      business: this.#business, conversation: this.#conversation, apiBase: this.apiBase, ids: () => this.#ids,
    });
  }

  #build() {
    this.#parts = makeFrame({
      select: (kind) => this.#select(kind), reveal: () => (this.#fold.isOpen ? this.#fold.close() : this.#reveal()), useExample: () => this.#useExample(),
      clear: () => this.#clear(), send: () => this.send(), sendAgain: () => this.send({ again: true }),
      addFiles: (files) => this.#addFiles(files), openTemplates: () => this.openTemplates(),
      openEmoji: (button) => openEmoji(button, (emoji) => this.#insertEmoji(emoji)),
      replaced: this.#replaced, companion: this.companion,
    });
    this.#fold = new FindingsFold(this.#parts.findings, this.#parts.status);
    this.replaceChildren(...this.#parts.children);
    for (const [name, handler] of Object.entries(this.#listeners)) {
      this.removeEventListener(name, handler);
      this.addEventListener(name, handler);
    }
    this.#select(this.#kind);
  }

  #listeners = {
    "form-change": () => this.#changed(),
    "send-request": () => this.send(),
    "template-request": () => this.#openTemplates(),
    "template-close": () => this.#form.focus(),
    focusin: (event) => this.#lastField.see(event.target),
    "template-insert": (event) => this.#insert(event.detail),
    "template-sent": (event) => this.#emit("sent", event.detail),
    "finding-jump": (event) => this.#form.focusPointer(event.detail.finding.pointer ?? ""),
    input: () => this.#replaced.hide(),
    "edit-raw": (event) => this.editRaw(event.detail.text),
  };

  #select(kind) {
    this.#kind = kind;
    if (!this.#parts.form) return;
    const [form, text] = [this.#forms.require(kind), this.#forms.require("text")];
    const { title, panel, area } = this.#parts;
    title.textContent = t(`composer.kind.${kind}`);
    form.context = this.#context();
    // A form removed from the page would lose what its text fields can undo.
    if (area.firstChild !== text) area.replaceChildren(text);
    if (form !== text && panel.firstChild !== form) panel.replaceChildren(form);
    this.dataset.kind = kind;
    this.#fold.close();
    this.#replaced.hide();
    this.#verdict = null;
    this.#validator.forget();
    this.#parts.picker.putAway();
    this.#refreshState();
    this.#changed({ isTyping: false });
  }

  /** Keeps the draft of each conversation, and starts the next one with its own. */
  #turnTo(before, after) {
    this.#freshIDs();
    this.#validator.forget();
    this.#validator.path = after ? `${this.apiBase}/api/validate?conversation=${encodeURIComponent(after.id)}` : null;
    this.#forms.turnTo(before, after);
    if (this.#parts.form) this.#select(this.#kind);
  }

  #freshIDs() { this.#ids = { id: makeUUID(), requestID: makeUUID() }; }

  #changed({ isTyping = true } = {}) {
    const { current } = this;
    if (this.#parts.alert) this.#parts.alert.hidden = true;
    if (current.isBlank) {
      this.#validator.forget();
      this.#verdict = null;
      this.#form?.markFindings([]);
      this.#typing.stop();
    } else {
      this.#validator.ask(current.text);
      if (isTyping && this.contains(focusedIn(this))) this.#typing.touch();
    }
    this.#showStatus();
    this.#announcing.after(this.current.text);
  }

  #showVerdict(verdict) {
    const { current } = this;
    if (current.text !== verdict.text) return;
    const { findings, isCarried } = findingsToShow(verdict, this.#verdict?.findings ?? []);
    this.#verdict = { ...verdict, findings: [...this.#form.ownFindings(), ...findings] };
    if (!isCarried) this.#form.markFindings(this.#verdict.findings);
    this.#showStatus();
    this.#announcing.after(this.current.text);
  }

  get #errors() { return (this.#verdict?.findings ?? []).filter((finding) => finding.severity === "error"); }

  #showStatus() {
    if (!this.#parts.status) return;
    const [form, { isBlank, isRepeat, text }] = [this.#form, this.current];
    const hasOwnList = Boolean(this.#entry.isWritten);
    const count = (this.#verdict?.findings ?? []).filter(({ severity }) => severity !== "info").length;
    drawDraft(this.#parts, {
      kind: this.#kind, isBlank, isRepeat, count, hasOwnList, errors: this.#errors.length, mayWrite: this.#mayWrite,
      isWritten: Boolean(form?.isWritten), maySend: !this.#isSending && !form?.isWaiting,
      // With the focus it stays: a form may change by itself, as when a merchant session arrives.
      isSettled: Boolean(this.#verdict?.isSettled) || focusedIn(this) === this.#parts.status,
      isUnreachable: Boolean(this.#verdict?.isUnreachable),
    });
    if (hasOwnList && this.#fold.isOpen) this.#fold.close();
    this.#fold.draw(isBlank ? [] : this.#verdict?.findings ?? [], text, (pointer) => form.hasField(pointer));
  }

  /** Opens the findings; the focus goes to the first field in error, else to the first finding. */
  #reveal() {
    this.#form.markFindings(this.#verdict?.findings ?? [], true);
    this.#fold.open();
    this.#showStatus();
    const [first] = this.#errors;
    if (!first || !this.#form.focusPointer(first.pointer ?? "")) this.#fold.focus();
  }

  get #entry() { return kinds.find((it) => it.kind === this.#kind); }

  get #mayWrite() { return Boolean(this.#conversation) && !this.#conversation.left && canShow(this.#entry, this.capabilities); }

  #refreshState() {
    if (!this.#parts.strip) return;
    this.#forms.refresh();
    drawReach(this.#parts, {
      kind: this.#kind, entry: this.#entry, hasLeft: Boolean(this.#conversation?.left), capabilities: this.capabilities,
      writeAsText: () => this.#writeAsText(),
    });
    this.#showStatus();
  }

  #writeAsText() {
    const text = fallbackText(this.#form.payload(), this.#context().locale.replace("_", "-"));
    this.#select("text");
    if (text) this.#form.insert(text);
    this.#form.focus();
  }

  #openTemplates() {
    const [business, conversation] = [this.#business, this.#conversation];
    if (!conversation || !business) return;
    const { templates, apiBase, guard, sendQuery } = this;
    this.#parts.picker.open({ business, conversation, templates, apiBase, guard, sendQuery });
  }

  #addFiles(files) {
    this.#select("text");
    this.#form.addFiles(files);
  }

  /** Into the field that had the focus last, else into the text. */
  #insertEmoji(emoji) {
    if (this.#lastField.insert(this, emoji)) return;
    this.#select("text");
    this.#form.insert(emoji);
  }

  /** Opens the template picker, as `/` in an empty text does. */
  openTemplates() {
    this.#select("text");
    this.#openTemplates();
  }

  #insert({ payload }) {
    if (payload.type === "text" && !payload.attachments?.length) {
      this.#select("text");
      this.#form.insert(payload.body ?? "");
      return;
    }
    const found = draftOfPayload(payload, this.#context().envelope());
    if (!found) return this.editRaw(JSON.stringify({ ...payload, id: this.#ids.id }, null, 2));
    this.#select(found.kind);
    this.#replaced.put(this.#form, found.draft);
    this.focus();
  }

  #useExample() {
    this.#replaced.put(this.#form, this.#form.example());
    this.#form.querySelector("input, textarea, select")?.focus();
  }

  #clear() {
    this.#form.classList.remove("cp-revealed");
    this.#fold.close();
    this.#replaced.put(this.#form, null);
    this.focus();
  }

  /** Sends the form's payload; known errors are shown instead. What was just sent is sent again only by `again`, against the guard only by `anyway`. */
  async send({ again = false, anyway = false } = {}) {
    const form = this.#form;
    const { isBlank, isRepeat, text } = this.current;
    if (isBlank || (isRepeat && !again) || this.#isSending || form.isWaiting || !this.#mayWrite) return;
    if (this.#verdict?.text === text && this.#verdict.isSettled && this.#errors.length) return this.#reveal();
    const words = anyway ? null : this.guard();
    if (words) return drawGuard(this.#parts.alert, words, () => this.send({ again, anyway: true }));
    this.#parts.alert.hidden = true;
    this.#setSending(true);
    const conversation = this.#conversation;
    try {
      const query = await this.sendQuery({ anyway });
      const message = await api.postText(`${this.#path()}/messages`, text, { query });
      this.#typing.stop({ silently: true });
      this.#afterSending(form, conversation);
      this.#emit("sent", { message });
    } catch (problem) {
      if (!(problem instanceof ApiProblem)) throw problem;
      this.#refused(problem, text);
    } finally {
      this.#setSending(false);
    }
  }

  #afterSending(form, conversation) {
    if (conversation.id !== this.#conversation?.id) return this.#forms.dropDraft(conversation.id, form);
    this.#freshIDs();
    this.#fold.close();
    this.#replaced.hide();
    form.classList.remove("cp-revealed");
    form.sent();
    const hadFocus = form.contains(focusedIn(this)) || focusedIn(this) === this.#parts.send;
    if (this.#kind !== "text" && this.hasAttribute("keep-drafts")) {
      this.#repeated = form.text();
      return form.changed();
    }
    form.setDraft(null);
    this.#select("text");
    if (hadFocus) this.focus();
  }

  #refused(problem, text) {
    const words = problem.code === "answered_meanwhile" ? this.guard(problem.body.current) : null;
    if (words) return drawGuard(this.#parts.alert, words, () => this.send({ anyway: true }));
    if ([400, 413, 422].includes(problem.status)) {
      this.#verdict = { text, findings: findingsOfProblem(problem, text), isSettled: true };
      this.#announcing.after(this.current.text);
      this.#reveal();
    }
    drawAlert(this.#parts.alert, problem, () => this.send());
  }

  #setSending(isSending) {
    this.#isSending = isSending;
    drawSending(this.#parts, this.#form, isSending);
    this.#showStatus();
  }

  #emit(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true })); }
}
customElements.define("desk-composer", DeskComposer);
