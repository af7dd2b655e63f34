import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { SteadyList } from "../lib/steady-list.js";
import { showToast } from "../lib/toast.js";
import { keptBusiness } from "./kept-business.js";
import { freshColour } from "./label-colours.js";
import { labelChip } from "./label-parts.js";
import { loadAlert } from "./load-alert.js";
import { card, field, savingForm, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";
import { businessField, colourButton, useSettingsStyles } from "./settings-parts.js";

await registerStrings({ en: () => import("../i18n/en/team.js"), ja: () => import("../i18n/ja/team.js") });

/** The longest name of a label or a team, in characters. */
const MOST_CHARACTERS = 40;

/**
 * What a business has that bears a name and a colour, as labels and teams do: owners make, rename, colour and retire
 * it, others see it. Values down: `session`. `kind` is its name in the API and the prefix of its texts.
 */
export class ItemPanel extends HTMLElement {
  session = null;
  kind = "";
  business = null;
  items = [];
  #steady;
  /** The name of a new item that is being typed: it stays when another business is chosen. */
  #typed = "";

  connectedCallback() {
    useSettingsStyles();
    const { businesses } = this.session;
    this.business = keptBusiness(businesses) ?? businesses.find((one) => may(one, `${this.kind}.manage`) && !one.isSandbox) ?? businesses.find((one) => !one.isSandbox) ?? businesses[0];
    this.#load();
  }

  /** What else a panel reads before it draws. */
  async prepare() {}

  /** What follows the name in a row. @param {any} _item @param {number} _index @param {any[]} _all @returns {Node[]} */
  controls(_item, _index, _all) {
    return [];
  }

  /** What agents see of an item beside its name. @param {any} _item @returns {Node|string|null} */
  facts(_item) {
    return null;
  }

  /** What a new item has beside its name and colour. */
  more() {
    return {};
  }

  /** The order of the list. */
  compare(one, other) {
    return (one.order ?? 0) - (other.order ?? 0) || one.name.localeCompare(other.name);
  }

  get path() {
    return `/api/businesses/${this.business.id}/${this.kind}`;
  }

  get mayManage() {
    return may(this.business, `${this.kind}.manage`);
  }

  async #load() {
    const { business } = this;
    let refusal = null;
    try {
      const { data } = await api.get(this.path);
      await this.prepare();
      if (business !== this.business) return;
      this.items = data;
    } catch (problem) {
      if (business !== this.business) return;
      refusal = problem;
    }
    this.alert = loadAlert(refusal, () => this.#load());
    this.list = h("div");
    this.#steady = new SteadyList(this.list);
    replace(this, h("section", { class: "panel" }, h("h1", null, t(`${this.kind}.title`)),
      businessField(`${this.kind}-business`, this.session.businesses, business, (chosen) => {
        this.business = chosen;
        return this.#load();
      }),
      h("p", { class: "fd-help" }, t(`${this.kind}.lead`)), this.alert,
      refusal ? null : this.list,
      refusal ? null : this.mayManage ? this.#form() : h("p", { class: "fd-help" }, t(`${this.kind}.onlyOwners`))));
    if (!refusal) this.draw();
  }

  draw() {
    this.#steady.draw(() => this.#lists());
  }

  #lists() {
    const used = this.items.filter((one) => !one.retired);
    const retired = this.items.filter((one) => one.retired);
    return [h("div", { class: "panel" },
      card("", used.length ? h("ul", { class: "item-list" }, used.map((one, index) => this.mayManage ? this.#row(one, index, used)
        : h("li", null, labelChip(one), this.facts(one)))) : h("p", { class: "fd-help" }, t(`${this.kind}.none`))),
      retired.length ? card(t(`${this.kind}.retired`), h("p", { class: "fd-help" }, t(`${this.kind}.retiredLead`)),
        h("ul", { class: "item-list" }, retired.map((one) => h("li", { dataset: { item: one.id } }, h("span", { class: "item-words" }, labelChip(one)),
          this.mayManage ? h("button", {
            type: "button", class: "fd-button", "aria-label": t("items.restoreOf", one), onClick: () => this.save(one, { retired: false }),
          }, t("items.restore")) : null)))) : null)];
  }

  #row(item, index, all) {
    const name = h("input", {
      class: "fd-input", value: item.name, maxlength: MOST_CHARACTERS, "aria-label": t("items.nameOf", item),
      onChange: () => (name.value.trim() && name.value.trim() !== item.name ? this.save(item, { name: name.value.trim() }) : this.draw()),
    });
    return h("li", { dataset: { item: item.id } },
      colourButton(item.colour, t("items.colourOf", item), (colour) => this.save(item, { colour })), name,
      this.controls(item, index, all),
      h("button", {
        type: "button", class: "fd-button is-plain", "aria-label": t("items.retireOf", item), onClick: () => this.save(item, { retired: true }),
      }, t("items.retire")));
  }

  #form() {
    const name = h("input", { class: "fd-input", required: true, maxlength: MOST_CHARACTERS, value: this.#typed, onInput: () => { this.#typed = name.value; } });
    let colour = freshColour(this.items);
    const made = card(t(`${this.kind}.new`), savingForm({
      save: t(`${this.kind}.create`), isCarried: true,
      onSave: async () => {
        const sent = name.value;
        // What is being saved does not go along to another business.
        this.#typed = "";
        const { business } = this;
        try {
          const saved = await api.post(this.path, { name: name.value.trim(), colour, ...this.more() });
          if (business !== this.business) return;
          this.put(saved);
        } catch (problem) {
          this.#typed ||= sent;
          throw this.#worded(problem);
        }
        const isHere = made.contains(document.activeElement);
        made.replaceWith(this.#form());
        if (isHere) this.querySelector(`#${this.kind}-name`).focus();
      },
    }, h("div", { class: "new-item" }, colourButton(colour, t("items.colour"), (next) => { colour = next; }),
      field(`${this.kind}-name`, t("items.name"), name))));
    return made;
  }

  /** Saves a change of an item, and says why when it is refused. @param {any} item @param {Record<string, any>} change */
  async save(item, change) {
    this.alert.textContent = "";
    const { business } = this;
    try {
      const saved = await api.patch(`${this.path}/${item.id}`, change);
      if (business === this.business) this.put(saved);
      showToast(t("items.saved", { name: change.name ?? item.name }));
      // It is in another list now: the focus goes with it.
      if ("retired" in change) this.querySelector(`[data-item="${item.id}"] :is(input, .fd-button)`)?.focus();
    } catch (problem) {
      if (business !== this.business) return showToast(`${item.name}: ${sentence(this.#worded(problem))}`);
      this.alert.textContent = sentence(this.#worded(problem));
      this.draw();
    }
  }

  /** An item as it is now. @param {any} saved @param {boolean} [isDrawn] */
  put(saved, isDrawn = true) {
    this.items = [...this.items.filter((one) => one.id !== saved.id), saved].sort((one, other) => this.compare(one, other));
    if (isDrawn) this.draw();
  }

  /** A name that is in use has a sentence of its own. */
  #worded(problem) {
    if (problem.code === "name_taken") problem.detail = t(`${this.kind}.taken`);
    return problem;
  }
}
