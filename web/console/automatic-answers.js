import { api } from "../lib/api.js";
import { adopt, h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { field, savingForm } from "./panel-parts.js";
import { may } from "./permissions.js";
import { writeRoute } from "./routes.js";
import { withoutValue } from "./template-parameters.js";
import { hoursStyles } from "./hours-styles.js";
import { loadAlert } from "./load-alert.js";

adopt(hoursStyles);

const kinds = Object.freeze(["greeting", "outOfHours", "unanswered"]);

/** Which template the server answers with by itself, and when. */
class AutomaticAnswers extends HTMLElement {
  business = null;

  connectedCallback() {
    this.#load();
  }

  async #load() {
    const path = `/api/businesses/${this.business.id}/automatic-answers`;
    let chosen, templates;
    try {
      [chosen, templates] = await Promise.all([api.get(path), api.get(`/api/templates?business=${this.business.id}`)]);
    } catch (problem) {
      replace(this, loadAlert(problem, () => this.#load()));
      return;
    }
    const mayChange = may(this.business, "hours.manage");
    const offered = templates.data.map((template) => ({ ...template, missing: withoutValue(template) }));
    const selects = new Map(kinds.map((kind) => [kind, select(offered, chosen[kind]?.template ?? "")]));
    const minutes = h("input", { class: "fd-input", type: "number", min: 1, max: 1440, value: String(chosen.unanswered?.afterMinutes ?? 10) });
    const done = h("span", { role: "status", class: "fd-help" });
    const form = savingForm({
      save: t("shared.save"),
      onSave: async () => {
        done.textContent = "";
        const answers = Object.fromEntries([...selects].map(([kind, { value }]) => [kind, value ? { template: value } : null]));
        if (answers.unanswered) answers.unanswered.afterMinutes = Number(minutes.value);
        await api.put(path, answers);
        done.textContent = t("hours.saved");
      },
    }, h("fieldset", { class: "hours-form", disabled: !mayChange },
      kinds.map((kind) => field(`answer-${kind}`, t(`hours.answer.${kind}`), selects.get(kind), t(`hours.answer.${kind}Help`))),
      field("answer-minutes", t("hours.answer.minutes"), minutes)));
    if (mayChange && offered.some(({ missing }) => missing.length)) {
      form.querySelector(".form-actions").before(h("p", { class: "fd-help" }, t("hours.answer.needsValues"), " ",
        h("a", { href: writeRoute({ name: "templates" }), onClick: (event) => {
          event.preventDefault();
          this.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: writeRoute({ name: "templates" }) }));
        } }, t("console.templates"))));
    }
    form.querySelector(".form-actions").append(done);
    if (!mayChange) form.querySelector(".form-actions").remove();
    replace(this, h("h2", null, t("hours.answers")), h("p", { class: "fd-help" }, t("hours.answersLead")), form);
  }
}

/** A template that asks for values is shown and cannot be chosen, unless it was before. */
function select(offered, value) {
  const element = h("select", { class: "fd-input" }, h("option", { value: "" }, t("hours.answer.none")),
    offered.map(({ name, title, missing }) => h("option", { value: name, disabled: missing.length > 0 && name !== value },
      missing.length ? t("hours.answer.asksFor", { title, values: missing.join(", ") }) : title)));
  // A template beyond the first page of the list stays chosen.
  if (value && !offered.some(({ name }) => name === value)) element.append(h("option", { value }, value));
  element.value = value;
  return element;
}

customElements.define("automatic-answers", AutomaticAnswers);
