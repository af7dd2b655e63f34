import { h } from "../lib/dom.js";
import { onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import { ApiProblem, api } from "../lib/api.js";
import { makeUUID } from "../lib/uuid.js";
import en from "../i18n/en/composer.js";
import ja from "../i18n/ja/composer.js";
import "../cards/desk-card.js";
import "./app-form.js";
import { fallbackText } from "./fallback.js";
import { freshElementID, wordButton } from "./fields.js";
import "./finding-list.js";
import { findingsOfProblem } from "./findings.js";
import { icon } from "./icons.js";
import "./json-view.js";
import { Judge } from "./judge.js";
import { canShow, exampleKinds, kinds } from "./kinds.js";
import "./link-form.js";
import "./list-form.js";
import "./myapp-form.js";
import "./payment-form.js";
import "./quick-reply-form.js";
import "./raw-form.js";
import { adoptStyles, focusedIn } from "./styles.js";
import "./template-picker.js";
import "./text-form.js";
import "./time-form.js";
import { TypingSignal } from "./typing-signal.js";

registerStrings({ en, ja });

/**
 * Writes and sends every kind of message.
 *
 * Values down: `conversation`, `business`, `capabilities` (the customer's own unless set),
 * `apiBase`, `templates`; the attribute `keep-drafts` keeps a sent card in its form. Events up:
 * `draft-change` (`detail`: payload, text, kind, findings, isBlank, attachments) and `sent`
 * (`detail.message`).
 */
export class DeskComposer extends HTMLElement {
  #conversation = null;
  #business = null;
  #capabilities;
  #kind = "text";
  #forms = new Map();
  #drafts = new Map();
  #ids = { id: makeUUID(), requestID: makeUUID() };
  #judge = new Judge((verdict) => this.#hear(verdict));
  #verdict = null;
  #typing = new TypingSignal();
  #isSending = false;
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
    else if (before?.left !== conversation?.left) this.#judgeAgain();
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
    const form = this.#form;
    const isReady = Boolean(form?.draft && this.#conversation && this.#business);
    if (!isReady || form.isBlank()) {
      return { payload: null, text: "", kind: this.#kind, findings: [], isBlank: true, attachments: [] };
    }
    const text = form.text();
    const isJudged = this.#verdict?.text === text && this.#verdict.findings;
    return {
      payload: form.payload(), text, kind: this.#kind, findings: isJudged ? this.#verdict.findings : [],
      isBlank: false, attachments: form.previewAttachments?.() ?? [],
    };
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
    return this.#forms.get(this.#kind);
  }

  #path(conversation = this.#conversation) {
    return `${this.apiBase}/api/conversations/${encodeURIComponent(conversation.id)}`;
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
    const stem = freshElementID("composer");
    const tabs = kinds.map((entry) => h("button", {
      type: "button", role: "tab", class: "cp-tab", id: `${stem}-${entry.kind}`, "aria-controls": `${stem}-panel`,
      dataset: { kind: entry.kind }, onclick: () => this.#select(entry.kind),
    }, icon(entry.icon), h("span", null, t(`composer.kind.${entry.kind}`))));
    const tablist = h("div", { class: "cp-tabs", role: "tablist", "aria-label": t("composer.kinds"), onkeydown: (event) => this.#tabKey(event) }, ...tabs);
    const panel = h("div", { class: "cp-panel", role: "tabpanel", id: `${stem}-panel`, tabindex: "-1" });
    const reason = h("div", { class: "cp-reason", hidden: true });
    const findings = document.createElement("finding-list");
    findings.hidden = true;
    const alert = h("div", { class: "cp-alert", role: "alert", hidden: true });
    const status = h("button", { type: "button", class: "cp-status", onclick: () => this.#reveal() });
    const said = h("span", { class: "fd-hidden-text", role: "status" });
    const example = wordButton(t("composer.example"), () => this.#useExample(), { iconName: "spark", className: "cp-quiet" });
    const clear = wordButton(t("composer.clear"), () => this.#clear(), { className: "cp-quiet" });
    const send = h("button", { type: "button", class: "cp-button cp-primary cp-send", onclick: () => this.send() },
      icon("send"), h("span", null, t("composer.send")));
    const picker = document.createElement("template-picker");
    picker.hidden = true;
    this.#parts = { stem, tabs, tablist, panel, reason, findings, alert, status, said, example, clear, send, picker };
    this.replaceChildren(tablist, reason, panel, picker, findings, alert,
      h("footer", { class: "cp-foot" }, example, clear, h("span", { class: "cp-grow" }), said, status, send));
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
    "template-close": () => this.#closeTemplates(),
    "template-insert": (event) => this.#insert(event.detail),
    "template-sent": (event) => this.#tell("sent", event.detail),
    "finding-jump": (event) => this.#form.focusPointer(event.detail.finding.pointer ?? ""),
    "edit-raw": (event) => {
      if (event.target !== this && event.target.localName === "myapp-form") this.editRaw(event.detail.text);
    },
  };

  #rebuild() {
    const drafts = [...this.#forms].map(([kind, form]) => [kind, form.draft]);
    this.#forms.clear();
    for (const [kind, draft] of drafts) this.#makeForm(kind, draft);
    this.#build();
  }

  #makeForm(kind, draft = null) {
    const entry = kinds.find((it) => it.kind === kind);
    const form = document.createElement(entry.tag);
    form.context = this.#context();
    if (kind === "raw") form.kinds = exampleKinds;
    form.draft = draft;
    this.#forms.set(kind, form);
    return form;
  }

  #select(kind) {
    this.#kind = kind;
    if (!this.#parts.tabs) return;
    const form = this.#forms.get(kind) ?? this.#makeForm(kind);
    const { tabs, panel, stem } = this.#parts;
    for (const tab of tabs) {
      const isOpen = tab.dataset.kind === kind;
      tab.setAttribute("aria-selected", String(isOpen));
      tab.tabIndex = isOpen ? 0 : -1;
      if (isOpen) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    panel.setAttribute("aria-labelledby", `${stem}-${kind}`);
    form.context = this.#context();
    panel.replaceChildren(form);
    this.dataset.kind = kind;
    this.#closeTemplates({ keepsFocus: true });
    this.#hideAlert();
    this.#refreshState();
    this.#changed({ isTyping: false });
  }

  #tabKey(event) {
    const { tabs } = this.#parts;
    const at = tabs.indexOf(focusedIn(this));
    const next = {
      ArrowRight: (at + 1) % tabs.length, ArrowLeft: (at - 1 + tabs.length) % tabs.length, Home: 0, End: tabs.length - 1,
    }[event.key];
    if (next === undefined || at < 0) return;
    event.preventDefault();
    this.#select(tabs[next].dataset.kind);
    tabs[next].focus();
  }

  /** Keeps what was being written for each conversation, and starts the next with its own. */
  #turnTo(before, after) {
    if (before) {
      this.#drafts.set(before.id, [...this.#forms].map(([kind, form]) => [kind, form.draft]));
    }
    this.#forms.clear();
    this.#freshIDs();
    this.#judge.forget();
    this.#judge.path = after ? `${this.apiBase}/api/validate?conversation=${encodeURIComponent(after.id)}` : null;
    for (const [kind, draft] of this.#drafts.get(after?.id) ?? []) this.#makeForm(kind, draft);
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
    this.#hideAlert();
    this.#showStatus();
    this.#tell("draft-change", this.current);
  }

  #judgeAgain() {
    this.#judge.forget();
    if (this.#parts.tabs) this.#changed({ isTyping: false });
  }

  #hear(verdict) {
    const { current } = this;
    if (current.text !== verdict.text) return;
    // An answer on its way keeps the last findings in view, so that nothing flickers.
    if (verdict.findings === null && !verdict.isSettled) verdict.findings = this.#verdict?.findings ?? [];
    this.#verdict = { ...verdict, findings: verdict.findings ?? [] };
    this.#form.markFindings(this.#verdict.findings);
    this.#showStatus();
    this.#tell("draft-change", this.current);
  }

  get #errors() {
    return (this.#verdict?.findings ?? []).filter((finding) => finding.severity === "error");
  }

  #showStatus() {
    const { status, send, said, findings, example, clear } = this.#parts;
    if (!status) return;
    const form = this.#form;
    const { isBlank, text } = this.current;
    const hasOwnList = this.#kind === "raw" || this.#kind === "myApp";
    const count = this.#verdict?.findings.length ?? 0;
    const errors = this.#errors.length;
    send.disabled = isBlank || this.#isSending || Boolean(form?.isWaiting) || !this.#mayWrite;
    example.hidden = hasOwnList || this.#kind === "text" || !this.#mayWrite;
    clear.hidden = isBlank || this.#kind === "text";
    const settled = !isBlank && this.#verdict?.isSettled;
    status.hidden = isBlank || !settled || (count === 0 && this.#kind === "text");
    status.className = errors ? "cp-status cp-status-error" : count ? "cp-status cp-status-warning" : "cp-status cp-status-ok";
    const words = errors ? t("composer.status.errors", { count: errors })
      : count ? t("composer.status.warnings", { count })
        : this.#verdict?.isUnreachable ? t("composer.status.unjudged") : t("composer.status.ready");
    status.disabled = count === 0;
    status.replaceChildren(icon(errors ? "error" : count ? "warning" : "check"), h("span", null, words));
    if (settled && said.textContent !== words) said.replaceChildren(words);
    if (hasOwnList) findings.hidden = true;
    else if (!findings.hidden) findings.show(isBlank ? [] : this.#verdict?.findings ?? [], text, { withPlaces: false });
  }

  #reveal() {
    const { findings } = this.#parts;
    this.#form.markFindings(this.#verdict?.findings ?? [], true);
    if (this.#kind === "raw" || this.#kind === "myApp") return this.#form.focusPointer(this.#errors[0]?.pointer ?? "");
    findings.hidden = false;
    this.#showStatus();
    const [first] = this.#errors;
    if (first) this.#form.focusPointer(first.pointer ?? "");
    return true;
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
    for (const form of this.#forms.values()) form.context = this.#context();
    for (const tab of tabs) {
      const entry = kinds.find((it) => it.kind === tab.dataset.kind);
      const isShown = canShow(entry, this.capabilities);
      tab.classList.toggle("cp-tab-blocked", !isShown);
      tab.title = isShown ? "" : t("composer.blocked.short", { kind: t(`composer.kind.${entry.kind}`) });
      tab.replaceChildren(icon(isShown ? entry.icon : "blocked"), h("span", null, t(`composer.kind.${entry.kind}`)),
        isShown ? "" : h("span", { class: "fd-hidden-text" }, `. ${t("composer.blocked.mark")}`));
    }
    const left = Boolean(this.#conversation?.left);
    const blocked = !canShow(this.#entry, this.capabilities);
    reason.hidden = !left && !blocked;
    panel.classList.toggle("cp-panel-off", left);
    panel.inert = left;
    if (left) {
      reason.replaceChildren(icon("lock"), h("div", null, h("strong", null, t("composer.left.title")), h("p", null, t("composer.left.text"))));
    } else if (blocked) {
      reason.replaceChildren(icon("blocked"), h("div", { class: "cp-grow" },
        h("strong", null, t("composer.blocked.title", { kind: t(`composer.kind.${this.#kind}`) })),
        h("p", null, t("composer.blocked.text", {
          needs: this.#entry.needs, has: (this.capabilities ?? []).join(", "),
        }))), wordButton(t("composer.blocked.asText"), () => this.#writeAsText()));
    }
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

  #closeTemplates({ keepsFocus = false } = {}) {
    const { panel, picker } = this.#parts;
    if (!panel?.hidden) return;
    panel.hidden = false;
    picker.hidden = true;
    picker.replaceChildren();
    if (!keepsFocus) this.#form.focus();
  }

  #insert({ payload }) {
    if (payload.type === "text" && !payload.attachments?.length) {
      this.#select("text");
      this.#form.insert(payload.body ?? "");
    } else {
      this.editRaw(JSON.stringify({ ...payload, id: this.#ids.id }, null, 2));
    }
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
    if (conversation.id !== this.#conversation?.id) return;
    this.#freshIDs();
    this.#parts.findings.hidden = true;
    form.classList.remove("cp-revealed");
    form.sent();
    const keeps = this.#kind === "raw" || this.#kind === "myApp" || (this.#kind !== "text" && this.hasAttribute("keep-drafts"));
    if (!keeps) {
      const hadFocus = form.contains(focusedIn(this));
      form.setDraft(null);
      if (hadFocus) this.focus();
    } else {
      form.changed();
    }
  }

  #refused(problem, text) {
    const hasFindings = [400, 413, 422].includes(problem.status);
    const words = problem.code === "customer_left" ? t("composer.left.text")
      : problem.isOffline ? t("composer.send.offline")
        : problem.status === 429 ? t("composer.send.slow", { count: problem.retryAfterSeconds ?? 1 })
          : problem.detail || problem.title || problem.message;
    if (hasFindings) {
      this.#verdict = { text, findings: findingsOfProblem(problem, text), isSettled: true };
      this.#tell("draft-change", this.current);
      this.#reveal();
    }
    this.#showAlert(words, problem.mayRetry);
  }

  #showAlert(words, mayRetry) {
    const { alert } = this.#parts;
    alert.hidden = false;
    alert.replaceChildren(icon("error"), h("span", { class: "cp-grow" }, words),
      mayRetry ? wordButton(t("composer.send.again"), () => this.send(), { iconName: "refresh" }) : "");
  }

  #hideAlert() {
    if (this.#parts.alert) this.#parts.alert.hidden = true;
  }

  #setSending(isSending) {
    this.#isSending = isSending;
    this.#parts.send.classList.toggle("cp-sending", isSending);
    this.#parts.send.setAttribute("aria-busy", String(isSending));
    this.#showStatus();
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}
customElements.define("desk-composer", DeskComposer);
