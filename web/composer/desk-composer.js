import { onLanguageChange, registerStrings } from "../lib/i18n.js";
import { ApiProblem, api } from "../lib/api.js";
import { makeUUID } from "../lib/uuid.js";
import en from "../i18n/en/composer.js";
import ja from "../i18n/ja/composer.js";
import "../cards/desk-card.js";
import {
  blockTabs, closePicker, drawAlert, drawReason, drawSending, drawStatus, makeFrame, markTabs,
} from "./composer-frame.js";
import { fallbackText } from "./fallback.js";
import "./finding-list.js";
import { Pace, draftState } from "./draft-state.js";
import { findingsOfProblem } from "./findings.js";
import "./json-view.js";
import { FormShelf } from "./form-shelf.js";
import "./forms.js";
import { Judge } from "./judge.js";
import { canShow, kinds } from "./kinds.js";
import { draftOfPayload } from "./payload-drafts.js";
import { adoptStyles, focusedIn } from "./styles.js";
import "./template-picker.js";
import { TypingSignal } from "./typing-signal.js";

registerStrings({ en, ja });

/**
 * Writes and sends every kind of message.
 *
 * Values down: `conversation`, `business`, `capabilities` (the customer's own unless set),
 * `apiBase`, `templates`; the attribute `keep-drafts` keeps a sent card in its form. Events up:
 * `draft-change` (`detail`: payload, text, kind, findings, isBlank, isRepeat, attachments) and `sent`
 * (`detail.message`).
 */
export class DeskComposer extends HTMLElement {
  #conversation = null;
  #business = null;
  #capabilities;
  #kind = "text";
  #shelf = new FormShelf(() => this.#context());
  #ids = { id: makeUUID(), requestID: makeUUID() };
  #judge = new Judge((verdict) => this.#hear(verdict));
  #verdict = null;
  #telling = new Pace(() => this.#tell("draft-change", this.current));
  #typing = new TypingSignal();
  #isSending = false;
  /** The text of a kept form right after its sending: the same again, not yet a new draft. */
  #repeated = null;
  #parts = {};
  #endLanguage = null;
  apiBase = "";
  templates = null;

  connectedCallback() {
    adoptStyles(this);
    if (!this.firstChild) this.#build();
    this.#endLanguage ??= onLanguageChange(() => this.#rebuild());
  }

  disconnectedCallback() {
    this.#typing.stop();
    this.#endLanguage?.();
    this.#endLanguage = null;
  }

  get conversation() {
    return this.#conversation;
  }

  set conversation(conversation) {
    const before = this.#conversation;
    this.#conversation = conversation;
    if (before?.id !== conversation?.id) this.#turnTo(before, conversation);
    else if (before?.left !== conversation?.left && this.#parts.tabs) {
      this.#judge.forget();
      this.#changed({ isTyping: false });
    }
    this.#typing.aim(conversation ? `${this.#path()}/typing` : null);
    this.#refreshState();
  }

  get business() {
    return this.#business;
  }

  set business(business) {
    this.#business = business;
    this.#refreshState();
  }

  get capabilities() {
    return this.#capabilities ?? this.#conversation?.customer?.capabilities ?? null;
  }

  set capabilities(capabilities) {
    this.#capabilities = capabilities;
    this.#refreshState();
  }

  /** The kind that is open. */
  get kind() {
    return this.#kind;
  }

  set kind(kind) {
    if (kinds.some((entry) => entry.kind === kind)) this.#select(kind);
  }

  /** What `draft-change` last told. */
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
    if (typeof this.#form?.focus === "function") this.#form.focus();
    if (!this.contains(focusedIn(this))) this.#form?.querySelector("input, textarea, select")?.focus();
  }

  get #form() {
    return this.#shelf.find(this.#kind);
  }

  #path() {
    return `${this.apiBase}/api/conversations/${encodeURIComponent(this.#conversation.id)}`;
  }

  #context() {
    return {
      business: this.#business, conversation: this.#conversation, apiBase: this.apiBase,
      locale: this.#conversation?.customer?.locale ?? document.documentElement.lang,
      envelope: () => ({
        ...this.#ids, business: this.#business?.id ?? "", customer: this.#conversation?.customer?.id ?? "",
      }),
    };
  }

  #build() {
    this.#parts = makeFrame({
      select: (kind) => this.#select(kind), reveal: () => this.#reveal(), useExample: () => this.#useExample(),
      clear: () => this.#clear(), send: () => this.send(),
    });
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
    "template-close": () => closePicker(this.#parts) && this.#form.focus(),
    "template-insert": (event) => this.#insert(event.detail),
    "template-sent": (event) => this.#tell("sent", event.detail),
    "finding-jump": (event) => this.#form.focusPointer(event.detail.finding.pointer ?? ""),
    "edit-raw": (event) => this.editRaw(event.detail.text),
  };

  #rebuild() {
    this.#shelf.rebuild();
    this.#build();
  }

  #select(kind) {
    this.#kind = kind;
    if (!this.#parts.tabs) return;
    const form = this.#shelf.require(kind);
    const { tabs, panel, stem } = this.#parts;
    markTabs(tabs, kind);
    panel.setAttribute("aria-labelledby", `${stem}-${kind}`);
    form.context = this.#context();
    panel.replaceChildren(form);
    this.dataset.kind = kind;
    this.#parts.findings.hidden = true;
    this.#verdict = null;
    this.#judge.forget();
    closePicker(this.#parts);
    this.#refreshState();
    this.#changed({ isTyping: false });
  }

  /** Keeps what was being written for each conversation, and starts the next with its own. */
  #turnTo(before, after) {
    this.#freshIDs();
    this.#judge.forget();
    this.#judge.path = after ? `${this.apiBase}/api/validate?conversation=${encodeURIComponent(after.id)}` : null;
    this.#shelf.turnTo(before, after);
    if (this.#parts.tabs) this.#select(this.#kind);
  }

  #freshIDs() {
    this.#ids = { id: makeUUID(), requestID: makeUUID() };
  }

  #changed({ isTyping = true } = {}) {
    const { current } = this;
    if (current.isBlank) {
      this.#judge.forget();
      this.#verdict = null;
      this.#form?.markFindings([]);
      this.#typing.stop();
    } else {
      this.#judge.ask(current.text);
      if (isTyping && this.contains(focusedIn(this))) this.#typing.touch();
    }
    if (this.#parts.alert) this.#parts.alert.hidden = true;
    this.#showStatus();
    this.#telling.after(this.current.text);
  }

  #hear(verdict) {
    const { current } = this;
    if (current.text !== verdict.text) return;
    // An answer on its way keeps the last findings in view, so that nothing flickers; the forms
    // show them already, and an editor has moved them along. Their bytes are of an older text.
    const isCarried = verdict.findings === null && !verdict.isSettled;
    if (isCarried) {
      verdict.findings = (this.#verdict?.findings ?? []).filter((finding) => !finding.isOwn)
        .map(({ start, end, line, column, offset, edits, ...finding }) => finding);
    }
    this.#verdict = { ...verdict, findings: [...this.#form.ownFindings(), ...verdict.findings ?? []] };
    if (!isCarried) this.#form.markFindings(this.#verdict.findings);
    this.#showStatus();
    this.#telling.after(this.current.text);
  }

  get #errors() {
    return (this.#verdict?.findings ?? []).filter((finding) => finding.severity === "error");
  }

  #showStatus() {
    const { status, send, said, findings, example, clear } = this.#parts;
    if (!status) return;
    const form = this.#form;
    const { isBlank, isRepeat, text } = this.current;
    const hasOwnList = this.#kind === "raw" || this.#kind === "myApp";
    const count = (this.#verdict?.findings ?? []).filter(({ severity }) => severity !== "info").length;
    send.disabled = isBlank || this.#isSending || Boolean(form?.isWaiting) || !this.#mayWrite;
    example.hidden = hasOwnList || this.#kind === "text" || !this.#mayWrite;
    clear.hidden = isBlank || this.#kind === "text";
    drawStatus({ status, said }, {
      isShown: !isBlank && Boolean(this.#verdict?.isSettled) && (count > 0 || this.#kind !== "text"),
      count, isRepeat, errors: this.#errors.length, isUnreachable: Boolean(this.#verdict?.isUnreachable),
    });
    findings.hidden ||= hasOwnList;
    if (findings.hidden) findings.replaceChildren();
    else findings.show(isBlank ? [] : this.#verdict?.findings ?? [], text, { withPlaces: false });
  }

  #reveal() {
    const { findings } = this.#parts;
    this.#form.markFindings(this.#verdict?.findings ?? [], true);
    findings.hidden = false;
    this.#showStatus();
    this.#form.focusPointer(this.#errors[0]?.pointer ?? "");
  }

  get #entry() {
    return kinds.find((it) => it.kind === this.#kind);
  }

  get #mayWrite() {
    return Boolean(this.#conversation) && !this.#conversation.left && canShow(this.#entry, this.capabilities);
  }

  #refreshState() {
    const { tabs, reason, panel } = this.#parts;
    if (!tabs) return;
    this.#shelf.refresh();
    const { capabilities } = this;
    const hasLeft = Boolean(this.#conversation?.left);
    blockTabs(tabs, capabilities);
    drawReason(reason, { hasLeft, entry: this.#entry, capabilities, writeAsText: () => this.#writeAsText() });
    panel.classList.toggle("cp-panel-off", hasLeft);
    panel.inert = hasLeft;
    this.#showStatus();
  }

  #writeAsText() {
    const text = fallbackText(this.#form.payload(), this.#context().locale.replace("_", "-"));
    this.#select("text");
    if (text) this.#form.insert(text);
    this.#form.focus();
  }

  #openTemplates() {
    if (!this.#conversation || !this.#business) return;
    this.#parts.panel.hidden = true;
    this.#parts.picker.open({
      business: this.#business, conversation: this.#conversation, templates: this.templates, apiBase: this.apiBase,
    });
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
    this.#form.setDraft(found.draft);
    this.focus();
  }

  #useExample() {
    this.#form.setDraft(this.#form.example());
    this.#form.querySelector("input, textarea, select")?.focus();
  }

  #clear() {
    this.#form.classList.remove("cp-revealed");
    this.#parts.findings.hidden = true;
    this.#form.setDraft(null);
    this.focus();
  }

  /** Sends what the form holds; known errors are shown instead. */
  async send() {
    const form = this.#form;
    const { isBlank, text } = this.current;
    if (isBlank || this.#isSending || form.isWaiting || !this.#mayWrite) return;
    if (this.#verdict?.text === text && this.#verdict.isSettled && this.#errors.length) {
      this.#reveal();
      return;
    }
    this.#setSending(true);
    const conversation = this.#conversation;
    try {
      const message = await api.postText(`${this.#path()}/messages`, text);
      this.#typing.stop({ silently: true });
      this.#afterSending(form, conversation);
      this.#tell("sent", { message });
    } catch (problem) {
      if (!(problem instanceof ApiProblem)) throw problem;
      this.#refused(problem, text);
    } finally {
      this.#setSending(false);
    }
  }

  #afterSending(form, conversation) {
    if (conversation.id !== this.#conversation?.id) {
      this.#shelf.dropDraft(conversation.id, form);
      return;
    }
    this.#freshIDs();
    this.#parts.findings.hidden = true;
    form.classList.remove("cp-revealed");
    form.sent();
    const keeps = this.#kind === "raw" || this.#kind === "myApp" || (this.#kind !== "text" && this.hasAttribute("keep-drafts"));
    if (keeps) {
      this.#repeated = form.text();
      form.changed();
      return;
    }
    const hadFocus = form.contains(focusedIn(this));
    form.setDraft(null);
    if (hadFocus) this.focus();
  }

  #refused(problem, text) {
    if ([400, 413, 422].includes(problem.status)) {
      this.#verdict = { text, findings: findingsOfProblem(problem, text), isSettled: true };
      this.#telling.after(this.current.text);
      this.#reveal();
    }
    drawAlert(this.#parts.alert, problem, () => this.send());
  }

  #setSending(isSending) {
    this.#isSending = isSending;
    drawSending(this.#parts, this.#form, isSending);
    this.#showStatus();
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}
customElements.define("desk-composer", DeskComposer);
