import { onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import { loadPart } from "../lib/late-part.js";
import "../cards/desk-card.js";
import { drawDraft, drawNotLoaded, drawNotice, drawReach, goToWindow, makeFrame, shutBy } from "./composer-frame.js";
import { fallbackText } from "./fallback.js";
import { Debounce, draftState, formContext } from "./draft-state.js";
import { FindingsFold } from "./findings-fold.js";
import { findingsOfProblem } from "./findings.js";
import "./json-view.js";
import { Judgement } from "./judgement.js";
import { hasComing, partOfKind, readKept, restoreKept } from "./kept-draft.js";
import { FormCache } from "./form-cache.js";
import { openFileSources, storedFiles } from "./file-sources.js";
import { LastField } from "./insert-text.js";
import { FormOpening } from "./form-opening.js";
import { canShow, kindOfPayload, kinds } from "./kinds.js";
import { freshIDs } from "./message-ids.js";
import { draftOfPayload } from "./payload-drafts.js";
import { ReplacedNotice } from "./replaced-notice.js";
import { Sending, takesSendKey } from "./sending.js";
import { adoptStyles, focusedIn } from "./styles.js";
import { TypingSignal } from "./typing-signal.js";

await registerStrings({ en: () => import("../i18n/en/composer.js"), ja: () => import("../i18n/ja/composer.js") });

/**
 * Writes and sends every kind of message.
 *
 * Values down: `conversation`, `business`, `capabilities` (the customer's own unless set), `apiBase`, `templates`, `companion` (an element of the page,
 * put first in the foot); the `guard` (says why a message should not be sent yet, or null) and `notice` (a line below the box); the attribute
 * `keep-drafts` keeps a sent card in its form, where else the form is emptied and Text comes back. Events up:
 * `draft-change` (`detail`: payload, text, kind, findings, isBlank, isRepeat, attachments), `sent` (`detail.message`), `scheduled` (`detail.scheduled`, a message that is sent after a while; `detail.kept`) and `unsent` (`detail`: problem, conversation, and isHere, whether it is still on screen).
 */
export class DeskComposer extends HTMLElement {
  #conversation = null;
  #business = null;
  /** What the page says that the device can show, until another conversation is opened. */
  #capabilities;
  #kind = "text";
  #forms = new FormCache((form) => this.#context(form));
  #judgement = new Judgement(() => this.#form, () => this.#judged());
  #announcing = new Debounce(() => this.#emit("draft-change", this.current));
  #typing = new TypingSignal();
  #sending = new Sending({
    parts: () => this.#parts, guard: (current) => this.guard(current), query: (options) => this.sendQuery(options),
    known: (form) => this.#renew(form), accepted: (form, answer, kept) => this.#accepted(form, answer, kept), refused: (problem, text) => this.#refused(problem, text),
    failed: (detail) => this.#emit("unsent", detail), changed: () => this.#showStatus(),
  });
  #lastField = new LastField();
  /** The text of a kept form right after it was sent: the same again is not a new draft. */
  #repeated = null;
  #parts = {};
  #fold;
  #replaced = new ReplacedNotice();
  #endLanguage = null;
  #opening = new FormOpening();
  apiBase = "";
  templates = null;
  companion = null;
  /** @type {(current?: any) => string|null} `current`: the other message, where the server refused ours for it */
  guard = () => null;
  /** @type {(options: {anyway: boolean, isTemplate?: boolean, sendAt?: string}) => Promise<Record<string, any>>} what the page adds to a request that sends */
  sendQuery = async () => ({});
  /** @type {((button: HTMLElement, choose: (when: Date) => void) => void)|null} asks when a message is to be sent; set before the first drawing */ askWhen = null;

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
    else if (shutBy(before) !== shutBy(conversation) && this.#parts.form) {
      this.#judgement.forget();
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
  set kind(kind) { if (isKind(kind)) this.#open(kind); }

  /** Opens a kind, ready to be filled. */
  begin(kind) { this.#open(kind, { then: () => this.focus() }); }

  /** What is written, as data that `restore` puts back; null when nothing is. */
  get kept() { return this.#opening.kept ?? readKept(this.#forms, this.#kind).draft; }

  /** Whether `kept` has all that is written: a card with large pictures is not in it. */
  get isKeptWhole() { return readKept(this.#forms, this.#kind).isWhole; }
  /** Whether something is on its way that no draft has yet: a file, or a message. */
  get hasComing() { return this.#sending.isOnAny || hasComing(this.#forms); }

  /** @param {import("./kept-draft.js").KeptDraft|null} kept @param {string} [before] another kind, opened since, stays open beside a text */
  restore(kept, before = this.#kind) {
    const kind = before !== this.#kind && (kept?.kind ?? "text") === "text" ? this.#kind : isKind(kept?.kind) ? kept.kind : "text";
    this.#open(kind, { kept, before: () => restoreKept(this.#forms, kept, this.#kind) });
    this.#opening.wait(kept);
  }

  set notice(words) { drawNotice(this.#parts, words); }

  /** The detail of the last `draft-change`. */
  get current() {
    return draftState(this.#form, {
      kind: this.#kind, isReady: Boolean(this.#conversation && this.#business), verdict: this.#judgement.verdict,
      repeated: this.#repeated,
    });
  }

  /** Puts a text into Raw JSON and goes there. */
  editRaw(text) { this.#open("raw", { then: (form) => form.open(text) }); }

  /** Puts the focus into the form that is open. */
  focus() {
    if (this.#forms.find("text") && this.current.isBlank && goToWindow(this, this.#conversation, "focus")) return;
    this.#form?.focus();
    if (!this.#form?.contains(focusedIn(this))) this.#form?.querySelector("input, textarea, select")?.focus();
  }

  get #form() { return this.#forms.find(this.#kind); }
  #path() { return `${this.apiBase}/api/conversations/${encodeURIComponent(this.#conversation.id)}`; }
  #context(form = this.#form) {
    return formContext({ business: this.#business, conversation: this.#conversation, apiBase: this.apiBase, ids: () => form.ids });
  }

  #build() {
    this.#parts = makeFrame({
      // What is typed next is meant for it; where there are no keys, one would cover it with those of the screen.
      select: (kind) => (matchMedia("(hover: hover)").matches ? this.begin(kind) : this.#open(kind)), reveal: () => (this.#fold.isOpen ? this.#fold.close() : this.#reveal()), useExample: () => this.#useExample(),
      close: () => this.#open("text", { then: () => this.focus() }), clear: () => this.#clear(), saveTemplate: (button) => this.#saveTemplate(button), send: () => this.send(), sendAgain: () => this.send({ again: true }),
      sendLater: this.askWhen && ((button) => this.askWhen(button, (when) => (this.focus(), this.send({ sendAt: when.toISOString() })))),
      addFiles: (files) => this.#open("text", { then: (form) => form.addFiles(files) }),
      addFromLibrary: (button, browse) => openFileSources(button, this.#context(), browse, (files) => this.#open("text", { then: (form) => form.addStored(files) })), openTemplates: () => this.openTemplates(),
      openEmoji: async (button) => (await loadPart(() => import("./emoji-picker.js")))?.openEmoji(button, (emoji) => this.#insertEmoji(emoji)),
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
    "template-request": () => this.openTemplates(),
    "template-close": () => this.#form.focus(),
    focusin: (event) => this.#lastField.see(event.target),
    "template-insert": (event) => this.#insert(event.detail),
    "template-sent": (event) => this.#announce(event.detail.message),
    "finding-jump": (event) => this.#form.focusPointer(event.detail.finding.pointer ?? ""),
    input: () => this.#replaced.hide(),
    keydown: (event) => { if (takesSendKey(event)) this.send(); },
    "edit-raw": (event) => this.editRaw(event.detail.text),
  };

  /** Opens a kind, and goes on with its form. @param {{kept?: import("./kept-draft.js").KeptDraft|null, before?: () => void, then?: (form: any) => void}} [how] `kept`: the draft that `before` puts into its forms */
  #open(kind, { kept = null, before = () => {}, then = (_form) => {} } = {}) {
    this.#opening.open(kind, () => {
      before();
      this.#select(kind);
      then(this.#form);
    }, () => drawNotLoaded(this.#parts.alert, () => this.#open(kind, { kept, before, then })), kept);
  }

  #select(kind) {
    this.#opening.end();
    this.#kind = kind;
    if (!this.#parts.form) return;
    const [form, text] = [this.#forms.open(kind), this.#forms.require("text")];
    const { title, panel, area } = this.#parts;
    title.textContent = t(`composer.kind.${kind}`);
    form.context = this.#context(form);
    // A form removed from the page would lose what its text fields can undo.
    if (area.firstChild !== text) area.replaceChildren(text);
    if (form !== text && panel.firstChild !== form) panel.replaceChildren(form);
    this.dataset.kind = kind;
    this.#fold.close();
    this.#replaced.hide();
    this.#judgement.forget();
    this.#parts.picker.putAway?.();
    this.#refreshState();
    this.#changed({ isTyping: false });
  }

  /** Keeps the draft of each conversation, and starts the next one with its own. */
  #turnTo(before, after) {
    this.#capabilities = undefined;
    this.#judgement.forget();
    this.#judgement.path = after ? `${this.apiBase}/api/validate?conversation=${encodeURIComponent(after.id)}` : null;
    this.#forms.turnTo(before, after);
    if (this.#parts.form) this.#select(this.#kind);
  }

  #changed({ isTyping = true } = {}) {
    const { current } = this;
    if (this.#parts.alert) this.#parts.alert.hidden = true;
    if (current.isBlank) {
      this.#judgement.forget();
      this.#form?.markFindings([]);
      this.#typing.stop();
    } else {
      this.#judgement.ask(current.text);
      if (isTyping && this.contains(focusedIn(this))) this.#typing.touch();
    }
    this.#judged();
  }

  #judged() {
    this.#showStatus();
    this.#announcing.after(this.current.text);
  }

  #showStatus() {
    if (!this.#parts.status) return;
    const [form, current] = [this.#form, this.current];
    const { isBlank, isRepeat, text } = current;
    const hasOwnList = Boolean(this.#entry.isWritten);
    drawReach(this.#parts, {
      // Of JSON that is written, what it is.
      kind: this.#kind, entry: (hasOwnList && kindOfPayload(current.payload)) || this.#entry, conversation: this.#conversation,
      capabilities: this.capabilities, writeAsText: () => this.#writeAsText(), redraw: () => this.#showStatus(), composer: this,
    });
    const { verdict, findings, errors } = this.#judgement;
    drawDraft(this.#parts, {
      kind: this.#kind, isBlank, isRepeat, hasOwnList, count: this.#judgement.rowsIn(form, hasOwnList), errors: this.#judgement.rowsIn(form, hasOwnList, errors), mayWrite: this.#mayWrite, maySave: this.#maySave,
      isWritten: Boolean(form?.isWritten), maySend: !form?.isWaiting, isSending: this.#sending.isOn(this.#conversation?.id),
      // With the focus it stays: a form may change by itself, as when a merchant session arrives.
      isSettled: Boolean(verdict?.isSettled) || focusedIn(this) === this.#parts.status,
      isUnreachable: Boolean(verdict?.isUnreachable),
    });
    if (hasOwnList && this.#fold.isOpen) this.#fold.close();
    this.#fold.draw(isBlank ? [] : findings, text, (pointer) => form.hasField(pointer));
  }

  /** Opens the findings; the focus goes to the first field in error, else to the first finding. */
  #reveal() {
    this.#form.markFindings(this.#judgement.findings, true);
    this.#fold.open();
    this.#showStatus();
    const [first] = this.#judgement.errors;
    if (!first || !this.#form.focusPointer(first.pointer ?? "")) this.#fold.focus();
  }

  get #entry() { return kinds.find((it) => it.kind === this.#kind); }
  get #maySave() { return this.#business?.permissions?.includes("templates.publish") ?? true; }
  get #mayWrite() { return Boolean(this.#conversation) && !shutBy(this.#conversation) && canShow(this.#entry, this.capabilities); }

  #refreshState() {
    if (!this.#parts.strip) return;
    this.#forms.refresh();
    this.#showStatus();
  }

  #writeAsText() {
    const text = fallbackText(this.#form.payload(), this.#context().locale.replace("_", "-"));
    this.#select("text");
    if (text) this.#form.insert(text);
    this.#form.focus();
  }

  /** Opens the template picker, as `/` in an empty text does. @param {{chosen?: any}} [options] `chosen`: a template to begin with */
  openTemplates({ chosen = null } = {}) {
    if (goToWindow(this, this.#conversation, "click")) return;
    this.#select("text");
    const [business, conversation] = [this.#business, this.#conversation];
    if (!conversation || !business) return;
    const { templates, apiBase, guard, sendQuery, capabilities } = this;
    const save = this.current.isBlank || !this.#maySave ? null : (button) => this.#saveTemplate(button);
    this.#opening.openTemplates(() => this.#parts.picker.open({ business, conversation, templates, apiBase, guard, sendQuery, capabilities, save, chosen }), () => drawNotLoaded(this.#parts.alert, () => this.openTemplates({ chosen })));
  }

  async #saveTemplate(button) {
    (await loadPart(() => import("./template-saving.js")))?.openTemplateSaving(button, this);
  }

  /** Into the field that had the focus last, else into the text. */
  #insertEmoji(emoji) {
    if (this.#lastField.insert(this, emoji)) return;
    this.#select("text");
    this.#form.insert(emoji);
  }

  #insert({ payload, isApart = false }) {
    const stored = payload.type === "text" ? storedFiles(payload) : null;
    if (stored) return this.#open("text", { then: (form) => form.insertStored(payload.body ?? "", stored, isApart) });
    const found = draftOfPayload(payload, this.#context().envelope());
    if (!found) return this.#open("raw", { then: (form) => form.open(JSON.stringify({ ...payload, id: form.ids.id }, null, 2)) });
    this.#open(found.kind, { then: (form) => {
      this.#replaced.put(form, found.draft);
      this.focus();
    } });
  }

  #useExample() { this.#replaced.put(this.#form, this.#form.example()), this.focus(); }

  #clear() {
    this.#form.classList.remove("cp-revealed");
    this.#fold.close();
    this.#replaced.put(this.#form, null);
    this.focus();
  }

  /** Sends the form's payload, at once or at a time; known errors are shown instead. What was just sent is sent again only by `again`, against the guard only by `anyway`. */
  async send({ again = false, anyway = false, sendAt = /** @type {string|undefined} */ (undefined) } = {}) {
    const [form, { isBlank, isRepeat, text }] = [this.#form, this.current];
    if (isBlank || (isRepeat && !again) || this.#sending.isOn(this.#conversation?.id) || form.isWaiting || !this.#mayWrite) return;
    if (this.#judgement.hasErrors(text)) return this.#reveal();
    const conversation = this.#conversation;
    this.#forms.keep(form);
    await this.#sending.send(form, {
      conversation: conversation.id, path: `${this.#path()}/messages`, text, kept: partOfKind(this.kept, this.#kind), anyway, sendAt, isHere: () => this.#conversation?.id === conversation.id,
      // The button of a refusal is away with it; the work goes on in the form.
      again: (options) => (this.focus(), this.send({ again, sendAt, ...options })),
    });
  }

  #renew(form) {
    if (this.#entry.isWritten) return null;
    form.ids = freshIDs();
    this.#changed({ isTyping: false });
    return t("composer.send.known");
  }

  #accepted(form, answer, kept) {
    this.#typing.stop({ silently: true });
    this.#afterSending(form, (answer.scheduled ?? answer).conversation);
    this.#announce(answer, kept);
  }

  #announce(answer, kept = null) {
    if (answer.scheduled) this.#emit("scheduled", { scheduled: answer.scheduled, kept });
    else this.#emit("sent", { message: answer });
  }

  /** Puts back what was withdrawn before it was sent; what is written meanwhile stays. @param {any} payload @param {any} kept as `scheduled` gave it */
  putBack(payload, kept) {
    return kept && !this.kept ? this.restore(kept) : this.#insert({ payload, isApart: true });
  }

  #afterSending(form, conversation) {
    if (conversation !== this.#conversation?.id) return this.#forms.dropDraft(conversation, form);
    form.ids = freshIDs();
    this.#fold.close();
    this.#replaced.hide();
    form.classList.remove("cp-revealed");
    form.sent();
    const hadFocus = form.contains(focusedIn(this)) || focusedIn(this) === this.#parts.send;
    if (this.#kind !== "text" && this.hasAttribute("keep-drafts")) {
      this.#repeated = form.text();
      this.#changed({ isTyping: false });
      return hadFocus && !form.contains(focusedIn(this)) && this.focus();
    }
    form.setDraft(null);
    this.#select("text");
    if (hadFocus) this.focus();
  }

  #refused(problem, text) {
    if (![400, 413, 422].includes(problem.status)) return;
    this.#judgement.refuse(text, findingsOfProblem(problem, text));
    this.#announcing.after(this.current.text);
    this.#reveal();
  }

  #emit(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true })); }
}
const isKind = (kind) => kinds.some((entry) => entry.kind === kind);
customElements.define("desk-composer", DeskComposer);
