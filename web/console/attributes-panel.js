import { api } from "../lib/api.js";
import { adopt, h, replace, sheet } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { SteadyList } from "../lib/steady-list.js";
import { showToast } from "../lib/toast.js";
import { attributeSubjects, choiceFault } from "./attribute-draft.js";
import { attributeForm } from "./attribute-form.js";
import { moved, STEP } from "./item-order.js";
import { keptBusiness } from "./kept-business.js";
import { loadAlert } from "./load-alert.js";
import { card, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";
import { businessField, useSettingsStyles } from "./settings-parts.js";

await registerStrings({ en: () => import("../i18n/en/attributes.js"), ja: () => import("../i18n/ja/attributes.js") });
await registerStrings({ en: () => import("../i18n/en/team.js"), ja: () => import("../i18n/ja/team.js") });

const styles = sheet(`
.attribute-facts { flex: 1 1 100%; display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; color: var(--fd-ink-3); font-size: var(--fd-text-sm); }
.attribute-facts code { overflow-wrap: anywhere; }
.attribute-choices { flex: 1 1 100%; display: flex; flex-wrap: wrap; align-items: center; gap: 6px; }
.attribute-choices form { display: flex; flex: 1 1 200px; gap: 6px; }
.attribute-list > li + li { padding-top: 10px; border-top: 1px solid var(--fd-line); }
`);

/** What a business keeps of its conversations and contacts: owners define, rename, order and retire it. Values down: `session`. */
class AttributesPanel extends HTMLElement {
  session = null;
  #business = null;
  #all = [];
  #steady;
  /** What is typed of a new one: it stays when another business is chosen. @type {Record<string, string>} */
  #typed = {};

  connectedCallback() {
    useSettingsStyles();
    adopt(styles);
    const live = this.session.businesses.filter((one) => !one.isSandbox);
    this.#business = keptBusiness(this.session.businesses) ?? live.find((one) => may(one, "attributes.manage")) ?? live[0] ?? this.session.businesses[0];
    this.#load();
  }

  get #path() {
    return `/api/businesses/${this.#business.id}/attributes`;
  }

  get #mayManage() {
    return may(this.#business, "attributes.manage");
  }

  async #load() {
    const business = this.#business;
    let refusal = null;
    try {
      const { data } = await api.get(this.#path);
      if (business !== this.#business) return;
      this.#all = data;
    } catch (problem) {
      if (business !== this.#business) return;
      refusal = problem;
    }
    this.alert = loadAlert(refusal, () => this.#load());
    this.list = h("div", { class: "panel" });
    this.#steady = new SteadyList(this.list);
    replace(this, h("section", { class: "panel" }, h("h1", null, t("attributes.title")),
      businessField("attributes-business", this.session.businesses, business, (chosen) => {
        this.#business = chosen;
        return this.#load();
      }),
      h("p", { class: "fd-help" }, t("attributes.lead")), this.alert,
      refusal ? null : [this.list, this.#mayManage ? this.#form() : h("p", { class: "fd-help" }, t("attributes.onlyOwners"))]));
    if (!refusal) this.#draw();
  }

  #draw() {
    this.#steady.draw(() => this.#lists());
  }

  #lists() {
    const retired = this.#all.filter((one) => one.retired);
    return [
      ...attributeSubjects.map((of) => {
        const used = this.#all.filter((one) => one.of === of && !one.retired);
        return card(t(`attributes.of.${of}`), used.length
          ? h("ul", { class: "item-list attribute-list" }, used.map((one, index) => this.#row(one, index, used)))
          : h("p", { class: "fd-help" }, t("attributes.none")));
      }),
      ...retired.length ? [card(t("attributes.retired"), h("p", { class: "fd-help" }, t("attributes.retiredLead")),
        h("ul", { class: "item-list" }, retired.map((one) => h("li", { dataset: { attribute: one.id } },
          h("span", { class: "item-words" }, h("bdi", null, one.name), h("span", { class: "fd-help" }, t(`attributes.of.${one.of}`))),
          this.#mayManage ? h("button", {
            type: "button", class: "fd-button", "aria-label": t("items.restoreOf", one), onClick: () => this.#save(one, { retired: false }),
          }, t("items.restore")) : null))))] : [],
    ];
  }

  #row(one, index, all) {
    const facts = h("p", { class: "attribute-facts" }, h("code", null, one.key), h("span", null, t(`attributes.type.${one.type}`)));
    const choices = one.type === "choice" ? this.#choices(one) : null;
    if (!this.#mayManage) return h("li", null, h("bdi", { class: "item-words" }, one.name), facts, choices);
    const name = h("input", {
      class: "fd-input", value: one.name, maxlength: 120, "aria-label": t("items.nameOf", one),
      onChange: () => (name.value.trim() && name.value.trim() !== one.name ? this.#save(one, { name: name.value.trim() }) : this.#draw()),
    });
    const mover = (step, drawing, words, isOff) => h("button", {
      type: "button", class: "fd-button is-plain is-icon", "aria-label": t(words, one), title: t(words, one), disabled: isOff,
      onClick: () => this.#move(all, index, step),
    }, icon(drawing, 16));
    return h("li", { dataset: { attribute: one.id } }, name,
      mover(-1, "up", "labels.up", index === 0), mover(1, "down", "labels.down", index === all.length - 1),
      h("button", {
        type: "button", class: "fd-button is-plain", "aria-label": t("items.retireOf", one), onClick: () => this.#save(one, { retired: true }),
      }, t("items.retire")), facts, choices);
  }

  /** What can be chosen; more is added, nothing is removed, for conversations have it. */
  #choices(one) {
    const shown = one.choices.map((choice) => h("bdi", { class: "chip" }, choice));
    if (!this.#mayManage) return h("div", { class: "attribute-choices" }, shown);
    const input = h("input", { class: "fd-input", "aria-label": t("attributes.newChoice", one), placeholder: t("attributes.choice"), autocomplete: "off" });
    const form = h("form", { novalidate: true }, input, h("button", { class: "fd-button", "aria-label": t("attributes.addChoiceTo", one) }, t("attributes.add")));
    const fault = h("p", { class: "fd-error", role: "alert", id: `choice-fault-${one.id}` });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const choice = input.value.trim();
      const kind = choiceFault(choice, one.choices);
      fault.textContent = kind ? t(`attributes.fault.choice.${kind}`) : "";
      input.setAttribute("aria-invalid", String(Boolean(kind)));
      input.setAttribute("aria-describedby", fault.id);
      if (kind) return input.focus();
      await this.#save(one, { choices: [choice] });
      this.querySelector(`[data-attribute="${one.id}"] form input`)?.focus();
    });
    return h("div", { class: "attribute-choices" }, shown, form, fault);
  }

  #form() {
    const typed = this.#typed;
    const made = card(t("attributes.new"), attributeForm({
      known: () => this.#all, typed,
      save: async (draft) => {
        const business = this.#business;
        // What is being saved does not go along to another business.
        this.#typed = {};
        const places = this.#all.filter((one) => one.of === draft.of).map((one) => one.order);
        const saved = await api.post(this.#path, { ...draft, order: Math.max(0, ...places) + STEP }).catch((problem) => {
          if (business === this.#business) this.#typed = typed;
          throw problem;
        });
        showToast(t("items.saved", draft));
        if (business !== this.#business) return;
        this.#put(saved);
        const isHere = made.contains(document.activeElement);
        made.replaceWith(this.#form());
        if (isHere) this.querySelector("#attribute-name").focus();
      },
    }));
    return made;
  }

  async #save(one, change) {
    this.alert.textContent = "";
    const business = this.#business;
    try {
      const saved = await api.patch(`${this.#path}/${one.id}`, change);
      showToast(t("items.saved", { name: change.name ?? one.name }));
      if (business !== this.#business) return;
      this.#put(saved);
      // It is in another list now: the focus goes with it.
      if ("retired" in change) this.querySelector(`[data-attribute="${one.id}"] :is(input, button)`)?.focus();
    } catch (problem) {
      if (business !== this.#business) return void showToast(`${one.name}: ${sentence(problem)}`);
      this.alert.textContent = sentence(problem);
      this.#draw();
    }
  }

  async #move(all, index, step) {
    this.alert.textContent = "";
    const [business, path] = [this.#business, this.#path];
    try {
      for (const { one, order } of moved(all, index, step)) {
        const saved = await api.patch(`${path}/${one.id}`, { order });
        if (business === this.#business) this.#put(saved, false);
      }
    } catch (problem) {
      if (business !== this.#business) return showToast(`${all[index].name}: ${sentence(problem)}`);
      this.alert.textContent = sentence(problem);
    }
    if (business !== this.#business) return;
    this.#draw();
    const [up, down] = this.querySelectorAll(`[data-attribute="${all[index].id}"] .is-icon`);
    const [same, other] = step < 0 ? [up, down] : [down, up];
    (same.disabled ? other : same).focus();
  }

  #put(saved, isDrawn = true) {
    this.#all = [...this.#all.filter((one) => one.id !== saved.id), saved]
      .sort((one, other) => one.order - other.order || one.name.localeCompare(other.name));
    if (isDrawn) this.#draw();
  }
}

customElements.define("attributes-panel", AttributesPanel);
