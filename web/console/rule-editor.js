import { api } from "../lib/api.js";
import { whileBusy } from "../lib/busy.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { formatRecord } from "../lib/time.js";
import { actionControl, conditionControl, offeredActions } from "./part-controls.js";
import { PartRows } from "./part-rows.js";
import { card, field, savingForm, sentence } from "./panel-parts.js";
import { actionsOfParts, conditionKinds, conditionsOfParts, messageConditions, partsOfActions, partsOfConditions, rowOfPointer, triggers, triggersWithMessage } from "./rule-parts.js";
import { conversationLink } from "./rule-log.js";

const MOST_ROWS = 20;

/**
 * A rule in sentences: when, if, then, and what it would have done.
 *
 * Values down: `business`, `rule` (null for a new one), `draft` (what was written of it before its page was left), `known` (what the business
 * has), `order` of a new one, `leave` (what is done with a draft where the page is left). Events up: `rule-saved` (`detail`: the rule),
 * `editor-closed`, and `go` of a conversation.
 */
class RuleEditor extends HTMLElement {
  business = null;
  rule = null;
  draft = null;
  known = null;
  order = 0;
  /** @type {((draft: any) => void)|null} */
  leave = null;
  /** What the form began with, and whether it was saved or cancelled. */
  #before = "";
  #isDone = false;

  connectedCallback() {
    const rule = this.draft ?? this.rule ?? { name: "", when: "customerMessage", if: [], then: [{ priority: "high" }] };
    this.name = h("input", { class: "fd-input", required: true, maxlength: 60, value: rule.name, autocomplete: "off" });
    this.when = h("select", { class: "fd-input", onChange: () => this.conditions.offerAnew() },
      triggers.map((one) => h("option", { value: one }, t(`rules.when.${one}`))));
    this.when.value = rule.when;
    this.conditions = new PartRows({
      name: "rules.condition", most: MOST_ROWS, hasNot: true, none: t("rules.always"), control: conditionControl(this.known),
      kinds: () => conditionKinds.filter((one) => triggersWithMessage.includes(this.when.value) || !messageConditions.includes(one)),
    });
    this.conditions.draw(partsOfConditions(rule.if));
    this.actions = new PartRows({
      name: "rules.action", most: MOST_ROWS, none: t("rules.noActions"), kinds: offeredActions, control: actionControl(this.known, { hasCaller: false }),
    });
    this.actions.draw(partsOfActions(rule.then));
    this.outcome = h("section", { class: "rule-outcome", "aria-live": "polite" });
    const form = savingForm({ save: t("shared.save"), keepsWritten: true, onSave: () => this.#save() },
      field("rule-name", t("rules.name"), this.name),
      field("rule-when", t("rules.when"), this.when),
      h("fieldset", { class: "marks" }, h("legend", null, t("rules.if")), this.conditions.element),
      h("fieldset", { class: "marks" }, h("legend", null, t("rules.then")), this.actions.element), this.outcome);
    [this.form, this.alert] = [form, form.querySelector(":scope > .fd-error")];
    form.querySelector(":scope > .form-actions").prepend(
      h("button", { type: "button", class: "fd-button is-plain", onClick: () => this.#close() }, t("shared.cancel")),
      h("button", { type: "button", class: "fd-button", onClick: ({ currentTarget }) => whileBusy(currentTarget, () => this.#try()) }, t("rules.try")));
    replace(this, card(t(this.rule ? "rules.edit" : "rules.new"), this.draft ? h("p", { class: "fd-help" }, t("rules.begun")) : null, form));
    if (this.draft) return;
    this.#before = JSON.stringify(this.#body());
    this.name.focus();
  }

  disconnectedCallback() {
    const body = this.#body();
    if (!this.#isDone && JSON.stringify(body) !== this.#before) this.leave?.(body);
  }

  #body() {
    this.conditions.clearMarks();
    this.actions.clearMarks();
    return {
      name: this.name.value.trim(), when: this.when.value, on: this.rule?.on ?? true, order: this.rule?.order ?? this.order,
      if: conditionsOfParts(this.conditions.read()), then: actionsOfParts(this.actions.read()),
    };
  }

  async #save() {
    const path = `/api/businesses/${this.business.id}/rules`;
    const body = this.#body();
    try {
      const saved = this.rule ? await api.put(`${path}/${this.rule.id}`, body) : await api.post(path, body);
      this.#isDone = true;
      this.dispatchEvent(new CustomEvent("rule-saved", { detail: saved }));
    } catch (problem) {
      throw this.#mark(problem, body);
    }
  }

  /** Asks what the rule would have done, as it stands in the form. */
  async #try() {
    this.form.querySelector(":scope > .form-actions").before(this.alert);
    this.alert.textContent = "";
    const body = this.#body();
    try {
      const found = await api.post(`/api/businesses/${this.business.id}/rules/dry-run`, { ...body, name: body.name || t("rules.new") });
      replace(this.outcome, this.#outcome(found));
    } catch (problem) {
      replace(this.outcome);
      this.alert.textContent = sentence(this.#mark(problem, body));
    }
  }

  #outcome({ lookedAt, since, matches, conversations, data }) {
    const lead = matches ? t("rules.tried", { count: conversations, lookedAt, since: formatRecord(new Date(since)) }) : t("rules.triedNone", { lookedAt });
    const seen = new Set();
    const rows = data.filter(({ conversation }) => !seen.has(conversation.id) && seen.add(conversation.id));
    return [h("h3", null, t("rules.outcome")), h("p", { class: "fd-help" }, lead),
      rows.length ? h("ul", { class: "rule-log" }, rows.map((one) => h("li", null, conversationLink(one.conversation),
        h("time", { class: "fd-help", datetime: one.time }, formatRecord(new Date(one.time)))))) : null];
  }

  /** Puts the refusals at their rows; what is left is said at the button. */
  #mark(problem, body) {
    const left = (problem.errors ?? []).filter(({ pointer }) => {
      if (pointer === "/then") return true;
      const isCondition = pointer.startsWith("/if/");
      const place = isCondition ? Number(pointer.split("/")[2]) : rowOfPointer(body.then, pointer);
      return !(isCondition ? this.conditions : this.actions).mark(place, t("rules.fault.row"));
    });
    if (left.some(({ pointer }) => pointer === "/then") && body.then.length) return new RuleFault(t("rules.fault.loop"));
    if (!body.then.length) return new RuleFault(t("rules.noActions"));
    return problem.errors?.length && !left.length ? new RuleFault(t("rules.fault.rows")) : problem;
  }

  #close() {
    this.#isDone = true;
    this.dispatchEvent(new CustomEvent("editor-closed"));
  }
}

/** A refusal with a sentence of the page. */
class RuleFault extends Error {
  constructor(words) {
    super(words);
    this.errors = [{ fix: words }];
  }
}

customElements.define("rule-editor", RuleEditor);
