import { api } from "../lib/api.js";
import { adopt, h, replace, sheet } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { SteadyList } from "../lib/steady-list.js";
import { showToast } from "../lib/toast.js";
import { keptBusiness } from "./kept-business.js";
import { loadAlert } from "./load-alert.js";
import { card, confirmAction, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";
import { readKnown } from "./part-lists.js";
import { businessField, useSettingsStyles } from "./settings-parts.js";

await registerStrings({ en: () => import("../i18n/en/rules.js"), ja: () => import("../i18n/ja/rules.js") });
await import("./rule-log.js");
await import("./rule-editor.js");
const { ruleSentence } = await import("./rule-words.js");

/** The distance of two rules' places, and the highest place. */
const STEP = 10;

/** Rules that were being written when their page was left, such as for a label that they need: by agent and business. @type {Map<string, {rule: any, draft: any}>} */
const halfWritten = new Map();

const styles = sheet(`
.rule-list { display: grid; gap: 10px; margin: 0; padding: 0; list-style: none; }
.rule-item { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: 4px 12px; align-items: start; padding: 12px 0; border-top: 1px solid var(--fd-line); }
.rule-item:first-child { border-top: 0; padding-top: 0; }
.rule-item h3 { margin: 0; overflow-wrap: anywhere; }
.rule-item p { margin: 2px 0 0; color: var(--fd-ink-2); overflow-wrap: anywhere; }
.rule-item.is-off :is(h3, p) { color: var(--fd-ink-3); }
.rule-switch { display: grid; place-items: center; width: 32px; min-height: 32px; }
.rule-switch input { width: 18px; height: 18px; margin: 0; accent-color: var(--fd-accent); }
.rule-buttons { display: flex; gap: 2px; }
.rule-buttons .fd-button { width: 36px; padding: 0; }
.rule-item .rule-warning { color: var(--fd-danger); }
.rule-log { display: grid; gap: 0; margin: 0; padding: 0; list-style: none; }
.rule-log li { padding: 6px 0; border-top: 1px solid var(--fd-line); }
.rule-log li:first-child { border-top: 0; }
.rule-log li > a { margin-inline-end: 10px; }
.rule-log summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 10px; min-height: 32px; cursor: pointer; }
.rule-log-name { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.rule-log-who { margin-inline-start: 8px; font-weight: 400; }
.rule-log details p { margin: 4px 0; overflow-wrap: anywhere; }
.rule-mark { flex: none; font-size: var(--fd-text-xs); font-weight: 600; color: var(--fd-ink-2); }
.rule-mark.is-done { color: var(--fd-accent-text); }
.rule-mark:is(.is-refused, .is-chainEnded, .is-tooMany) { color: var(--fd-danger); }
.rule-outcome { display: grid; gap: 6px; }
@media (max-width: 640px) { .rule-item { grid-template-columns: auto minmax(0, 1fr); } .rule-buttons { grid-column: 2; } .rule-buttons .fd-button { width: 44px; min-height: 44px; } }
`);

/**
 * The rules of a business, which its owners make, order and try; those of other pages are read again as they are saved.
 * Values down: `session`, `state`. Events up: `go`.
 */
class RulesPanel extends HTMLElement {
  session = null;
  state = null;
  #end = new AbortController();
  #business = null;
  #rules = [];
  #known = null;
  #logRule = null;
  #steady;
  /** The changes of this page, one after the other; how many are not yet answered. */
  #saving = Promise.resolve();
  #unanswered = 0;
  /** Counts the changes of this page. */
  #changes = 0;
  /** Whether the rules are to be read again after the last answer. */
  #isBehind = false;
  #loaded = Promise.resolve();
  /** Counts what events have read again: the last one counts. */
  #following = 0;

  connectedCallback() {
    useSettingsStyles();
    adopt(styles);
    const { businesses } = this.session;
    this.#business = keptBusiness(businesses) ?? businesses.find((one) => may(one, "rules.manage") && !one.isSandbox) ?? businesses.find((one) => !one.isSandbox) ?? businesses[0];
    this.state?.addEventListener("saved", ({ detail }) => {
      if (detail.kind === "rule" && detail.business === this.#business.id) this.#follow();
    }, { signal: this.#end.signal });
    this.state?.addEventListener("back", () => this.#follow(), { signal: this.#end.signal });
    this.#loaded = this.#load();
  }

  disconnectedCallback() {
    this.#end.abort();
  }

  /** Shows the rules as they are now; after the changes of this page, which an answer from before them would undo. */
  async #follow() {
    const business = this.#business;
    if (!may(business, "rules.manage")) return;
    // The page is made first; one that could not be is made now.
    await this.#loaded;
    if (business !== this.#business || !this.isConnected) return;
    if (!this.list?.isConnected) return void (this.#loaded = this.#load());
    if (this.#unanswered) return void (this.#isBehind = true);
    const following = (this.#following += 1);
    const changes = this.#changes;
    const page = await api.get(this.#path).catch(() => null);  // Safe: the page says that it is offline.
    if (!page || business !== this.#business || following !== this.#following || !this.isConnected) return;
    if (changes !== this.#changes) return void this.#follow();
    this.#rules = page.data;
    this.#draw();
  }

  get #path() {
    return `/api/businesses/${this.#business.id}/rules`;
  }

  async #load() {
    const business = this.#business;
    const mayManage = may(business, "rules.manage");
    let refusal = null;
    try {
      if (mayManage) {
        const [page, known] = await Promise.all([api.get(this.#path), readKnown(business.id)]);
        if (business !== this.#business) return;
        [this.#rules, this.#known] = [page.data, known];
      }
    } catch (problem) {
      if (business !== this.#business) return;
      refusal = problem;
    }
    this.alert = loadAlert(refusal, () => this.#load());
    this.list = h("div", { class: "panel" });
    this.#steady = new SteadyList(this.list);
    this.logs = h("div");
    replace(this, h("section", { class: "panel" }, h("h1", null, t("rules.title")),
      businessField("rules-business", this.session.businesses, business, (chosen) => {
        [this.#business, this.#logRule] = [chosen, null];
        this.#loaded = this.#load();
      }), h("p", { class: "fd-help" }, t(mayManage ? "rules.lead" : "rules.onlyOwners")), this.alert,
      mayManage && !refusal ? [this.list, this.logs] : null));
    if (!mayManage || refusal) return;
    this.#draw();
    this.#drawLog();
    const begun = halfWritten.get(this.#draftKey);
    if (begun) this.#edit(begun.rule, begun.draft);
  }

  get #draftKey() {
    return `${this.session.agent.id} ${this.#business.id}`;
  }

  #draw() {
    // What is being edited stays as it is typed.
    if (!this.list.querySelector("rule-editor")) this.#steady.draw(() => [this.#card()]);
  }

  #card() {
    const rules = this.#rules;
    return card("", rules.length ? h("ul", { class: "rule-list" }, rules.map((one, index) => this.#row(one, index)))
      : h("p", { class: "fd-help" }, t("rules.none")),
    h("div", { class: "form-actions is-start" }, h("button", { type: "button", class: "fd-button is-primary", onClick: () => this.#edit(null) }, t("rules.new"))));
  }

  #row(rule, index) {
    const { name } = rule;
    const button = (drawing, words, run, isOff = false, props = {}) => h("button", {
      type: "button", class: "fd-button is-plain is-icon", title: t(words, { name }), "aria-label": t(words, { name }), disabled: isOff, onClick: run, ...props,
    }, icon(drawing, 16));
    return h("li", { class: `rule-item ${rule.on ? "" : "is-off"}`, dataset: { rule: rule.id } },
      h("label", { class: "rule-switch" }, h("input", {
        type: "checkbox", role: "switch", checked: rule.on, "aria-label": t("rules.onOf", { name }), onChange: (event) => this.#store({ ...rule, on: event.target.checked }),
      })),
      h("div", null, h("h3", null, name), h("p", null, ruleSentence(rule, this.#known)),
        rule.warnings.length ? h("p", { class: "rule-warning" }, t("rules.warning", { count: rule.warnings.length })) : null),
      h("div", { class: "rule-buttons" },
        button("up", "rules.up", () => this.#move(index, -1), index === 0, { dataset: { step: "-1" } }),
        button("down", "rules.down", () => this.#move(index, 1), index === this.#rules.length - 1, { dataset: { step: "1" } }),
        button("list", "rules.logButton", () => this.#showLog(rule)),
        button("note", "rules.editOf", () => this.#edit(rule)),
        button("close", "rules.removeOf", () => this.#remove(rule))));
  }

  /** @param {any} rule null for a new one @param {any} [draft] what was written of it before */
  #edit(rule, draft = null) {
    const key = this.#draftKey;
    halfWritten.delete(key);
    const editor = h("rule-editor", {
      ".leave": (left) => halfWritten.set(key, { rule, draft: left }),
      ".business": this.#business, ".rule": rule, ".draft": draft, ".known": this.#known, ".order": Math.min(10_000, Math.max(0, ...this.#rules.map((one) => one.order)) + STEP),
    });
    const business = this.#business;
    editor.addEventListener("rule-saved", ({ detail }) => {
      showToast(t("rules.saved", detail));
      halfWritten.delete(key);
      if (business !== this.#business) return;
      this.#put(detail);
      // The page may have been left for another business and back, and shows another form.
      if (!editor.isConnected) return this.#draw();
      this.#steady.drawNow(() => [this.#card()]);
      this.querySelector(`[data-rule="${detail.id}"] .rule-switch input`)?.focus();
    });
    editor.addEventListener("editor-closed", () => {
      this.#steady.drawNow(() => [this.#card()]);
      this.list.querySelector(rule ? `[data-rule="${rule.id}"] .rule-switch input` : ".is-primary")?.focus();
    });
    this.#steady.drawNow(() => [editor]);
  }

  /** A rule in its place of the list. */
  #put(rule) {
    this.#rules = [...this.#rules.filter((one) => one.id !== rule.id), rule].sort((one, other) => one.order - other.order);
  }

  /** Stores a rule, after what was changed before; the page shows it at once. */
  #store(rule) {
    this.#put(rule);
    this.#changes += 1;
    this.#unanswered += 1;
    const [owner, path] = [this.#business, this.#path];
    this.#saving = this.#saving.then(() => this.#send(rule, owner, path));
    return this.#saving;
  }

  /** @param {any} rule @param {any} owner its business, which may be on screen no more @param {string} path of its rules */
  async #send({ id, warnings, business, ...body }, owner, path) {
    this.alert.textContent = "";
    let saved = null;
    try {
      saved = await api.put(`${path}/${id}`, body);
    } catch (problem) {
      if (owner === this.#business) this.alert.textContent = sentence(problem);
      else showToast(`${body.name}: ${sentence(problem)}`);
      this.#isBehind = true;
    }
    this.#unanswered -= 1;
    // An earlier answer would undo on the page what was changed since.
    if (this.#unanswered) return;
    if (owner === this.#business) {
      if (saved) this.#put(saved);
      this.#draw();
    }
    if (!this.#isBehind) return;
    this.#isBehind = false;
    this.#follow();
  }

  /** Moves a rule by one place. Places are given anew, for several may have the same. */
  async #move(index, step) {
    const order = [...this.#rules];
    const { id } = order[index];
    [order[index], order[index + step]] = [order[index + step], order[index]];
    const moved = order.map((one, place) => ({ ...one, order: (place + 1) * STEP })).filter((one) => this.#rules.find(({ id: own }) => own === one.id).order !== one.order);
    await Promise.all(moved.map((one) => this.#store(one)));
    const buttons = [...this.querySelectorAll(`[data-rule="${id}"] [data-step]`)];
    const own = buttons.find((one) => one.dataset.step === String(step));
    (own?.disabled ? buttons.find((one) => one !== own) : own)?.focus();
  }

  async #remove(rule) {
    if (!(await confirmAction(t("rules.removeQuestion", rule), t("console.remove")))) return;
    const business = this.#business;
    try {
      await api.delete(`${this.#path}/${rule.id}`);
      if (business !== this.#business) return;
      this.#rules = this.#rules.filter((one) => one.id !== rule.id);
      if (this.#logRule?.id === rule.id) this.#showLog(null);
      this.#draw();
      this.list.querySelector(".is-primary")?.focus();
    } catch (problem) {
      if (business !== this.#business) return showToast(`${rule.name}: ${sentence(problem)}`);
      this.alert.textContent = sentence(problem);
    }
  }

  #showLog(rule) {
    this.#logRule = rule;
    this.#drawLog();
    this.logs.scrollIntoView({ block: "nearest" });
  }

  #drawLog() {
    replace(this.logs, h("rule-log", { ".business": this.#business, ".known": this.#known, ".rule": this.#logRule }),
      this.#logRule ? h("button", { type: "button", class: "fd-button is-plain", onClick: () => this.#showLog(null) }, t("rules.logAll")) : null);
  }
}

customElements.define("rules-panel", RulesPanel);
