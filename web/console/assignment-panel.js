import { api } from "../lib/api.js";
import { whileBusy } from "../lib/busy.js";
import { adopt, h, replace } from "../lib/dom.js";
import { drawKeepingFocus } from "../lib/focus-return.js";
import { registerStrings, t } from "../lib/i18n.js";
import { face } from "./conversation-list.js";
import { keptBusiness } from "./kept-business.js";
import { card, field, savingForm, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";
import { businessField } from "./settings-parts.js";
import { hasUnsaved } from "./unsaved-forms.js";
import { numberOf, strategies, summaryOf } from "./assignment-words.js";
import { hoursStyles } from "./hours-styles.js";
import { loadAlert } from "./load-alert.js";

adopt(hoursStyles);

await registerStrings({ en: () => import("../i18n/en/assignment.js"), ja: () => import("../i18n/ja/assignment.js") });

const DEFAULTS = Object.freeze({ strategy: "round_robin", sticky: false, capacity: 10, giveBackMinutes: null });

/** Who is given the conversations of a business and of its teams by themselves. Values down: `session`. */
class AssignmentPanel extends HTMLElement {
  session = null;
  #business = null;
  /** The business whose parts are on screen. */
  #shown = null;

  connectedCallback() {
    const { businesses } = this.session;
    this.#business = keptBusiness(businesses) ?? businesses.find((one) => may(one, "assignment.manage") && !one.isSandbox) ?? businesses.find((one) => !one.isSandbox) ?? businesses[0];
    this.#load();
  }

  get #path() {
    return `/api/businesses/${this.#business.id}`;
  }

  get #mayManage() {
    return may(this.#business, "assignment.manage");
  }

  async #load() {
    const business = this.#business;
    let parts;
    try {
      const [own, { data: teams }] = await Promise.all([api.get(`${this.#path}/assignment`), api.get(`${this.#path}/teams`)]);
      const used = teams.filter((team) => !team.retired);
      const rules = await Promise.all(used.map((team) => api.get(`${this.#path}/teams/${team.id}/assignment`)));
      parts = [
        this.#mayManage ? null : h("p", { class: "fd-help" }, t("assignment.onlyOwners")),
        this.#queue(t(used.length ? "assignment.withoutTeam" : "assignment.all"), `${this.#path}/assignment`, own),
        used.map((team, index) => this.#queue(team.name, `${this.#path}/teams/${team.id}/assignment`, rules[index], own.assignment)),
        this.#people(own), this.#answering(),
      ];
    } catch (problem) {
      parts = loadAlert(problem, () => this.#load());
    }
    if (business !== this.#business) return;
    // What was saved is drawn again, and not what is being changed beside it.
    const former = this.#shown === business ? [...this.querySelectorAll("[data-part]")] : [];
    this.#shown = business;
    parts = [parts].flat(Infinity).map((part) => former.find((one) => one.dataset.part === part?.dataset?.part && hasUnsaved(one)) ?? part);
    drawKeepingFocus(this, () => replace(this, h("section", { class: "panel" },
      h("h1", null, t("assignment.title")),
      businessField("assignment-business", this.session.businesses, business, (next) => {
        this.#business = next;
        this.#load();
      }),
      h("p", { class: "fd-help" }, t("assignment.lead")), parts)));
  }

  /** One queue: a team's, or with its own rule the business's. `inherited` is what holds for a team without one. */
  #queue(name, path, { assignment, members }, inherited = null) {
    const rule = assignment ?? inherited;
    const words = h("p", null, summaryOf(rule, members, t));
    const body = h("div", { class: "stack" });
    if (assignment) replace(body, this.#form(path, assignment, Boolean(inherited)));
    else if (this.#mayManage) {
      replace(body, h("div", { class: "form-actions" }, h("button", {
        type: "button", class: "fd-button", onClick: () => replace(body, this.#form(path, { ...DEFAULTS, ...inherited }, false)),
      }, t("assignment.ownRule"))));
    }
    return named(name, path, assignment ? null : h("p", { class: "fd-help" }, t("assignment.asBusiness")), words, body);
  }

  #form(path, rule, isRemovable) {
    const key = path.split("/").at(-2);
    const name = `strategy-${key}`;
    const choices = strategies.map((one) => {
      const id = `${name}-${one}`;
      const input = h("input", { type: "radio", name, id, value: one, checked: one === rule.strategy });
      return { input, element: h("div", { class: "mark" }, input, h("label", { for: id }, h("span", null, t(`assignment.${one}`)), " ", h("span", { class: "fd-help" }, t(`assignment.${one}Help`)))) };
    });
    const sticky = h("input", { type: "checkbox", id: `sticky-${key}`, checked: rule.sticky });
    const capacity = numberField(rule.capacity);
    const minutes = numberField(rule.giveBackMinutes);
    const givesBack = h("input", { type: "checkbox", id: `back-${key}`, checked: rule.giveBackMinutes !== null, onChange: () => draw() });
    const back = field(`minutes-${key}`, t("assignment.minutes"), minutes);
    const chosen = () => choices.find(({ input }) => input.checked).input.value;
    const more = h("div", { class: "hours-form" },
      h("div", { class: "mark" }, sticky, h("label", { for: sticky.id }, t("assignment.sticky"))),
      field(`capacity-${key}`, t("assignment.capacity"), capacity, t("assignment.capacityHelp")));
    const draw = () => {
      more.hidden = chosen() === "off";
      back.hidden = !givesBack.checked;
      if (givesBack.checked && !minutes.value) minutes.value = "15";
    };
    for (const { input } of choices) input.addEventListener("change", draw);
    draw();
    const form = savingForm({
      judgesNumbers: true,
      save: t("shared.save"),
      onSave: async () => {
        await api.put(path, {
          strategy: chosen(), sticky: sticky.checked,
          capacity: chosen() === "off" ? rule.capacity : numberOf(capacity, 1000, t("assignment.fault.capacity")),
          giveBackMinutes: givesBack.checked ? numberOf(minutes, 1440, t("assignment.fault.minutes")) : null,
        });
        await this.#load();
      },
    }, h("fieldset", { class: "hours-form", disabled: !this.#mayManage },
      h("fieldset", { class: "marks" }, h("legend", null, t("assignment.strategy")), choices.map(({ element }) => element)), more,
      h("div", { class: "mark" }, givesBack, h("label", { for: givesBack.id }, t("assignment.giveBack"))), back));
    const actions = form.querySelector(".form-actions");
    if (!this.#mayManage) actions.remove();
    else if (isRemovable) {
      const alert = form.querySelector("[role=alert]");
      actions.append(h("button", {
        type: "button", class: "fd-button is-plain", onClick: ({ currentTarget }) => whileBusy(currentTarget, async () => {
          alert.textContent = "";
          try {
            await api.delete(path);
            await this.#load();
          } catch (problem) {
            alert.textContent = sentence(problem);
          }
        }),
      }, t("assignment.removeRule")));
    }
    return form;
  }

  /** Who is there, how much each has, and the numbers of their own. */
  #people({ assignment, members }) {
    const rows = members.map((one) => {
      const input = numberField(one.ownCapacity);
      input.placeholder = String(assignment.capacity);
      input.setAttribute("aria-label", t("assignment.ownNumber", { name: one.agent.name }));
      const limit = one.capacity;
      return { id: one.agent.id, input, element: h("li", { class: "assignment-person" },
        face(one.agent.name, one.agent.id),
        h("span", { class: "item-words" }, one.agent.name), h("span", { class: "fd-help" }, t(`assignment.state.${one.state}`)),
        h("meter", { min: 0, max: limit, value: Math.min(one.open, limit), "aria-label": t("assignment.load", { open: one.open, capacity: limit }) }),
        h("span", { class: "fd-help" }, t("assignment.load", { open: one.open, capacity: limit })), input) };
    });
    const list = h("ul", { class: "assignment-people" }, rows.map(({ element }) => element));
    if (!this.#mayManage) {
      for (const { input } of rows) input.remove();
      return named(t("assignment.people"), "people", list);
    }
    return named(t("assignment.people"), "people", h("p", { class: "fd-help" }, t("assignment.peopleLead")), savingForm({
      judgesNumbers: true,
      save: t("shared.save"),
      onSave: async () => {
        const capacities = Object.fromEntries(rows.filter(({ input }) => input.value.trim())
          .map(({ id, input }) => [id, numberOf(input, 1000, t("assignment.fault.capacity"))]));
        const { strategy, sticky, capacity, giveBackMinutes } = assignment;
        await api.put(`${this.#path}/assignment`, { strategy, sticky, capacity, giveBackMinutes, capacities });
        await this.#load();
      },
    }, list));
  }

  /** Whether an answer assigns a conversation without an assignee. */
  #answering() {
    const business = this.#business;
    const problem = h("p", { class: "fd-error", role: "alert" });
    const input = h("input", {
      type: "checkbox", id: "assigns-on-reply", checked: business.assignsOnReply, disabled: !may(business, "business.manage"),
      onChange: async () => {
        problem.textContent = "";
        try {
          business.assignsOnReply = (await api.patch(this.#path, { assignsOnReply: input.checked })).assignsOnReply;
        } catch (refusal) {
          problem.textContent = sentence(refusal);
          input.checked = business.assignsOnReply;
        }
      },
    });
    return named(t("assignment.answering"), "answering", h("div", { class: "mark" }, input, h("label", { for: input.id }, t("assignment.onReply"))), problem);
  }
}

/** A part that is a region of its own. @param {string} name @param {string} key says which one it is @param {...any} children */
function named(name, key, ...children) {
  const part = card(name, ...children);
  part.dataset.part = key;
  part.setAttribute("aria-label", name);
  return part;
}

function numberField(value) {
  return h("input", { class: "fd-input", type: "number", inputmode: "numeric", min: 1, value: value === null ? "" : String(value) });
}

customElements.define("assignment-panel", AssignmentPanel);
