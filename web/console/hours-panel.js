import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { segments } from "../lib/segments.js";
import { formatMoment } from "../lib/time.js";
import { showToast } from "../lib/toast.js";
import "./automatic-answers.js";
import { firstHours } from "./hours-draft.js";
import { hoursForm } from "./hours-form.js";
import { keptBusiness } from "./kept-business.js";
import { loadAlert } from "./load-alert.js";
import { card, confirmAction, field, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";
import { businessField } from "./settings-parts.js";
import { hasUnsaved, mayLeave } from "./unsaved-forms.js";

await registerStrings({ en: () => import("../i18n/en/hours.js"), ja: () => import("../i18n/ja/hours.js") });

/** When each business and each of its teams answers, and what is answered by itself. */
class HoursPanel extends HTMLElement {
  session = null;
  #business = null;
  /** The teams of the business that are in use, and the one that is shown: null is the business itself. */
  #teams = [];
  #team = null;

  connectedCallback() {
    this.#business = keptBusiness(this.session.businesses) ?? this.session.businesses.find((one) => !one.isSandbox) ?? this.session.businesses[0];
    this.#load();
  }

  #pathOf(team) {
    const path = `/api/businesses/${this.#business.id}`;
    return team ? `${path}/teams/${team}/hours` : `${path}/hours`;
  }

  get #mayChange() {
    return may(this.#business, "hours.manage");
  }

  #show(business, team) {
    [this.#business, this.#team] = [business, team];
    return this.#load();
  }

  async #load() {
    const [business, team] = [this.#business, this.#team];
    let found = null;
    let whole = null;
    let problem = null;
    try {
      const [own, ofBusiness, { data }] = await Promise.all([
        api.get(this.#pathOf(team)), team ? api.get(this.#pathOf(null)) : null, api.get(`/api/businesses/${business.id}/teams`),
      ]);
      [found, whole] = [own, ofBusiness];
      if (business === this.#business) this.#teams = data.filter((one) => !one.retired || one.id === team);
    } catch (refusal) {
      problem = refusal;
    }
    if (business !== this.#business || team !== this.#team) return;
    replace(this, h("section", { class: "panel" },
      h("h1", null, t("console.section.hours")),
      businessField("hours-business", this.session.businesses, business, (chosen) => this.#show(chosen, null)),
      this.#teams.length ? this.#teamField() : null,
      problem ? loadAlert(problem, () => this.#load()) : [
        this.#mayChange ? null : h("p", { class: "fd-help" }, t("hours.onlyOwners")),
        card(team ? t("hours.hoursOf", this.#teams.find((one) => one.id === team)) : t("hours.hours"), h("p", { role: "status" }, nowWords(found.now, found.hours ?? whole?.hours)),
          team ? this.#teamPart(found.hours, whole.hours) : this.#part(found.hours)),
        team ? null : this.#halfChosen(business) ?? h("automatic-answers", { class: "settings-card", ".business": business, ".hasHours": Boolean(found.hours) }),
      ]));
  }

  /** The automatic answers that are being changed beside the hours that were saved. */
  #halfChosen(business) {
    const shown = /** @type {any} */ (this.querySelector("automatic-answers"));
    return shown?.business === business && hasUnsaved(shown) ? shown : null;
  }

  #teamField() {
    const choose = h("select", { class: "fd-input" }, h("option", { value: "" }, t("hours.business")),
      this.#teams.map((one) => h("option", { value: one.id }, t("hours.team", one))));
    choose.value = this.#team ?? "";
    choose.addEventListener("change", async () => {
      const wanted = choose.value;
      choose.value = this.#team ?? "";
      if (!await mayLeave(this)) return;
      await this.#show(this.#business, wanted || null);
      this.querySelector("#hours-of")?.focus();
    });
    return field("hours-of", t("hours.of"), choose);
  }

  /** Hours of a business that has none yet are made by a button. */
  #part(hours) {
    if (hours) return this.#form(hours, this.#remover(t("hours.remove"), t("hours.removeQuestion")));
    return this.#mayChange ? h("div", { class: "form-actions" }, h("button", {
      type: "button", class: "fd-button", onClick: (event) => {
        event.target.parentElement.replaceWith(this.#form(firstHours()));
        this.querySelector("#hours-zone")?.focus();
      },
    }, t("hours.set"))) : null;
  }

  /** As the business, or hours of its own, which begin as those of the business. */
  #teamPart(own, ofBusiness) {
    if (!this.#mayChange) return own ? this.#form(own) : h("p", null, t("hours.asBusinessNow"));
    const place = h("div");
    const show = (isOwn) => replace(place, isOwn ? this.#form(own ?? ofBusiness ?? firstHours()) : h("p", { class: "fd-help" }, t("hours.asBusinessNow")));
    const choices = segments(t("hours.choice"), [["business", t("hours.asBusiness")], ["own", t("hours.own")]], own ? "own" : "business", async (chosen) => {
      if (chosen === "own" || !own) return show(chosen === "own");
      if (await this.#remove(t("hours.asBusiness"), t("hours.asBusinessQuestion"))) this.querySelector(".fd-segments [aria-pressed='true']")?.focus();
      else for (const one of choices.children) one.setAttribute("aria-pressed", String(one.dataset.choice === "own"));
    });
    show(Boolean(own));
    return [choices, place];
  }

  #form(hours, more = null) {
    const path = this.#pathOf(this.#team);
    return hoursForm(hours, {
      mayChange: this.#mayChange, more, save: async (changed) => {
        await api.put(path, changed);
        await this.#load();
        showToast(t("hours.saved"));
        if (!this.contains(document.activeElement)) this.querySelector("form [type=submit]")?.focus();
      },
    });
  }

  #remover(words, question) {
    return h("button", { type: "button", class: "fd-button is-plain", onClick: async () => {
      // In its place hours can be set again.
      if (await this.#remove(words, question)) this.querySelector(".settings-card button")?.focus();
    } }, words);
  }

  /** Removes the hours that are shown, after a question. @returns {Promise<boolean>} whether they are removed */
  async #remove(words, question) {
    if (!(await confirmAction(question, words))) return false;
    try {
      await api.delete(this.#pathOf(this.#team));
    } catch (problem) {
      showToast(sentence(problem));
      return false;
    }
    await this.#load();
    return true;
  }
}

/** Without hours a business is open at all times. */
function nowWords({ open, changesAt }, hours) {
  if (!hours) return t("hours.now.always");
  const state = open ? "open" : "closed";
  return changesAt ? t(`hours.now.${state}Until`, { time: formatMoment(new Date(changesAt)) }) : t(`hours.now.${state}`);
}

customElements.define("hours-panel", HoursPanel);
