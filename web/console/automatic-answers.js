import { api } from "../lib/api.js";
import { adopt, h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { field, savingForm, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";
import { hoursStyles } from "./hours-styles.js";

adopt(hoursStyles);

const kinds = Object.freeze(["greeting", "outOfHours", "unanswered"]);

/** Which template the server answers with by itself, and when. */
class AutomaticAnswers extends HTMLElement {
  business = null;

  async connectedCallback() {
    const path = `/api/businesses/${this.business.id}/automatic-answers`;
    let chosen, templates;
    try {
      [chosen, templates] = await Promise.all([api.get(path), api.get(`/api/templates?business=${this.business.id}`)]);
    } catch (problem) {
      replace(this, h("p", { class: "fd-error", role: "alert" }, sentence(problem)));
      return;
    }
    const mayChange = may(this.business, "hours.manage");
    const names = templates.data.map(({ name, title }) => [name, title]);
    const selects = new Map(kinds.map((kind) => [kind, select(names, chosen[kind]?.template ?? "")]));
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
    form.querySelector(".form-actions").append(done);
    if (!mayChange) form.querySelector(".form-actions").remove();
    replace(this, h("h2", null, t("hours.answers")), h("p", { class: "fd-help" }, t("hours.answersLead")), form);
  }
}

function select(names, value) {
  const element = h("select", { class: "fd-input" }, h("option", { value: "" }, t("hours.answer.none")),
    names.map(([name, title]) => h("option", { value: name }, title)));
  // A template beyond the first page of the list stays chosen.
  if (value && !names.some(([name]) => name === value)) element.append(h("option", { value }, value));
  element.value = value;
  return element;
}

customElements.define("automatic-answers", AutomaticAnswers);
