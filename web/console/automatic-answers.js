import { withoutTranslations } from "../composer/template-languages.js";
import { api } from "../lib/api.js";
import { adopt, h, replace } from "../lib/dom.js";
import { language, t } from "../lib/i18n.js";
import { keepBusiness } from "./kept-business.js";
import { field, savingForm } from "./panel-parts.js";
import { may } from "./permissions.js";
import { writeRoute } from "./routes.js";
import { fillPreview, withoutValue } from "./template-parameters.js";
import { addReadyAnswer, readyAnswer } from "./ready-answers.js";
import { showNamedPart } from "./shown-part.js";
import { hoursStyles } from "./hours-styles.js";
import { loadAlert } from "./load-alert.js";

adopt(hoursStyles);

const kinds = Object.freeze(["greeting", "outOfHours", "unanswered"]);

/** Which template the server answers with by itself, and when. Texts are ready to be chosen; they become templates when they are saved. */
class AutomaticAnswers extends HTMLElement {
  business = null;
  hasHours = true;

  async connectedCallback() {
    // Where the page around it is drawn again it stays as it is.
    if (this.firstChild) return;
    await this.#load();
    showNamedPart(this, "automatic-answers");
  }

  async #load() {
    const path = `/api/businesses/${this.business.id}/automatic-answers`;
    let chosen, templates;
    try {
      [chosen, templates] = await Promise.all([api.get(path), api.getAll("/api/templates", { query: { business: this.business.id } })]);
    } catch (problem) {
      replace(this, loadAlert(problem, () => this.#load()));
      return;
    }
    const mayChange = may(this.business, "hours.manage");
    const offered = withoutTranslations(templates).map((template) => ({ ...template, missing: withoutValue(template) }));
    const mayPublish = mayChange && may(this.business, "templates.publish");
    const known = new Set(templates.map(({ name }) => name));
    const ready = new Map(mayPublish ? kinds.map((kind) => [kind, readyAnswer(kind, language())]) : []);
    for (const [kind, { name }] of ready) if (known.has(name)) ready.delete(kind);
    const selects = new Map(kinds.map((kind) => [kind, select(offered, chosen[kind]?.template ?? "", ready.get(kind))]));
    const said = new Map([...offered, ...ready.values()].map((one) => [one.name, this.#words(one)]));
    const minutes = h("input", { class: "fd-input", type: "number", min: 1, max: 1440, value: String(chosen.unanswered?.afterMinutes ?? 10) });
    const done = h("span", { role: "status", class: "fd-help" });
    const form = savingForm({
      save: t("shared.save"),
      onSave: async () => {
        done.textContent = "";
        const answers = Object.fromEntries([...selects].map(([kind, { value }]) => [kind, value ? { template: value } : null]));
        if (answers.unanswered) answers.unanswered.afterMinutes = Number(minutes.value);
        for (const [kind, { name, title }] of ready) {
          if (answers[kind]?.template !== name) continue;
          await addReadyAnswer(api, this.business.id, kind, language());
          ready.delete(kind);
          selects.get(kind).selectedOptions[0].textContent = title;
        }
        await api.put(path, answers);
        done.textContent = t("hours.saved");
      },
    }, h("fieldset", { class: "hours-form", disabled: !mayChange },
      kinds.map((kind) => this.#choice(kind, selects.get(kind), said)),
      field("answer-minutes", t("hours.answer.minutes"), minutes)));
    if (mayChange) {
      const needs = offered.some(({ missing }) => missing.length) ? [t("hours.answer.needsValues"), " "] : [];
      form.querySelector(".form-actions").before(h("p", { class: "fd-help" }, needs, t("hours.answer.change"), " ",
        h("a", { href: writeRoute({ name: "templates" }), onClick: (event) => {
          event.preventDefault();
          keepBusiness(this.business);
          this.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: writeRoute({ name: "templates" }) }));
        } }, t("console.templates"))));
    }
    form.querySelector(".form-actions").append(done);
    if (!mayChange) form.querySelector(".form-actions").remove();
    replace(this, h("h2", null, t("hours.answers")), h("p", { class: "fd-help" }, t("hours.answersLead")), form);
  }

  /** The choice of a template with what customers will read. */
  #choice(kind, choose, said) {
    const words = h("p", { class: "answer-words", id: `answer-${kind}-words` });
    const draw = () => {
      words.textContent = said.get(choose.value) ?? "";
      words.hidden = !words.textContent;
    };
    choose.addEventListener("change", draw);
    draw();
    const whole = field(`answer-${kind}`, t(`hours.answer.${kind}`), choose, t(kind === "outOfHours" && !this.hasHours ? "hours.answer.outOfHoursNone" : `hours.answer.${kind}Help`));
    choose.setAttribute("aria-describedby", `answer-${kind}-help ${words.id}`);
    whole.append(words);
    return whole;
  }

  /** The text of a template as a customer without a name reads it; cards are known by their titles. @returns {string} */
  #words({ payload, parameters }) {
    const types = new Map([["business.name", { default: this.business.name }], ...parameters.map((one) => [one.name, one])]);
    return payload.type === "text" ? fillPreview(JSON.stringify(payload), types)?.body ?? "" : "";
  }
}

/** A template that asks for values is shown and cannot be chosen, unless it was before. */
function select(offered, value, ready) {
  const element = h("select", { class: "fd-input" }, h("option", { value: "" }, t("hours.answer.none")),
    ready ? h("option", { value: ready.name }, t("hours.answer.ready", ready)) : null,
    offered.map(({ name, title, missing }) => h("option", { value: name, disabled: missing.length > 0 && name !== value },
      missing.length ? t("hours.answer.asksFor", { title, values: missing.join(", ") }) : title)));
  // A translation, which the API may have chosen, stays chosen.
  if (value && !offered.some(({ name }) => name === value)) element.append(h("option", { value }, value));
  element.value = value;
  return element;
}

customElements.define("automatic-answers", AutomaticAnswers);
