import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { keptBusiness } from "./kept-business.js";
import { loadAlert } from "./load-alert.js";
import { card, field, savingForm } from "./panel-parts.js";
import { may } from "./permissions.js";
import { priorities } from "./priority.js";
import { businessField } from "./settings-parts.js";

await registerStrings({ en: () => import("../i18n/en/levels.js"), ja: () => import("../i18n/ja/levels.js") });

const kinds = Object.freeze(["firstAnswer", "nextAnswer"]);
const MOST_MINUTES = 43_200;

/** How soon each business wants to answer, by priority. Value down: `session`. */
class ServiceLevels extends HTMLElement {
  session = null;
  #business = null;

  connectedCallback() {
    const { businesses } = this.session;
    this.#business = keptBusiness(businesses) ?? businesses.find((one) => may(one, "service_levels.manage") && !one.isSandbox) ?? businesses[0];
    this.#load();
  }

  get #path() {
    return `/api/businesses/${this.#business.id}/service-levels`;
  }

  async #load() {
    const business = this.#business;
    let content;
    try {
      const levels = await api.get(this.#path);
      if (business !== this.#business) return;
      content = this.#form(levels);
    } catch (problem) {
      if (business !== this.#business) return;
      content = loadAlert(problem, () => this.#load());
    }
    replace(this, h("section", { class: "panel" }, h("h1", null, t("levels.title")),
      businessField("levels-business", this.session.businesses, business, (chosen) => {
        this.#business = chosen;
        this.#load();
      }),
      h("p", { class: "fd-help" }, t("levels.lead")), content));
  }

  #form(levels) {
    const isAllowed = may(this.#business, "service_levels.manage");
    const inputs = Object.fromEntries(kinds.map((kind) => [kind, Object.fromEntries(priorities.map((one) => [one, minutesInput(levels[kind]?.[one])]))]));
    const clock = h("select", { class: "fd-input", disabled: !isAllowed }, ["hours", "always"].map((one) => h("option", { value: one }, t(`levels.clock.${one}`))));
    clock.value = levels.clock;
    const warning = h("input", { class: "fd-input", type: "number", min: 0, max: 1440, value: String(levels.warningMinutes), disabled: !isAllowed });
    const done = h("span", { role: "status", class: "fd-help" });
    const table = h("div", { class: "levels-table" }, h("table", null,
      h("thead", null, h("tr", null, h("th", { scope: "col" }, t("customer.priority")), kinds.map((kind) => h("th", { scope: "col" }, t(`levels.${kind}`))))),
      h("tbody", null, priorities.map((one) => h("tr", null, h("th", { scope: "row" }, t(`customer.priority.${one}`)), kinds.map((kind) => {
        const input = inputs[kind][one];
        input.disabled = !isAllowed;
        input.setAttribute("aria-label", t("levels.minutesOf", { answer: t(`levels.${kind}`), priority: t(`customer.priority.${one}`) }));
        return h("td", null, input);
      }))))));
    const form = savingForm({
      save: t("shared.save"),
      onSave: async () => {
        done.textContent = "";
        const minutes = (kind) => Object.fromEntries(Object.entries(inputs[kind]).filter(([, { value }]) => value.trim()).map(([one, { value }]) => [one, Number(value)]));
        await api.put(this.#path, {
          firstAnswer: minutes("firstAnswer"), nextAnswer: minutes("nextAnswer"), clock: clock.value, warningMinutes: Number(warning.value),
        });
        done.textContent = t("levels.saved");
      },
    }, h("p", { class: "fd-help" }, t("levels.minutesLead")), table,
    field("levels-clock", t("levels.clock"), clock), field("levels-warning", t("levels.warning"), warning, t("levels.warningHelp")));
    const actions = form.querySelector(".form-actions");
    if (isAllowed) actions.append(done);
    else actions.remove();
    return card("", form, isAllowed ? null : h("p", { class: "fd-help" }, t("levels.onlyOwners")));
  }
}

function minutesInput(value) {
  return h("input", { class: "fd-input", type: "number", min: 1, max: MOST_MINUTES, step: 1, value: value ? String(value) : "" });
}

customElements.define("service-levels", ServiceLevels);
