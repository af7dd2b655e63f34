import { languageOf } from "../composer/template-languages.js";
import { api } from "../lib/api.js";
import { whileBusy } from "../lib/busy.js";
import { adopt, h, replace } from "../lib/dom.js";
import { drawKeepingFocus } from "../lib/focus-return.js";
import { icon } from "../lib/icons.js";
import { language, registerStrings, t } from "../lib/i18n.js";
import { openMenu } from "../lib/popup.js";
import { showToast } from "../lib/toast.js";
import { loadAlert } from "./load-alert.js";
import "./template-editor.js";
import "./template-reading.js";
import { keepBusiness, keptBusiness } from "./kept-business.js";
import { followForms, mayLeave } from "./unsaved-forms.js";
import { confirmAction, field, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";
import { readRoute, writeRoute } from "./routes.js";
import { addStarters } from "./starter-templates.js";
import { templateStyles } from "./template-styles.js";

adopt(templateStyles);

await registerStrings({ en: () => import("../i18n/en/team.js"), ja: () => import("../i18n/ja/team.js") });

/** Languages that a template is offered to be translated into. */
const LANGUAGES = ["en", "ja", "de", "es", "fr", "it", "ko", "nl", "pt", "zh"];

/** Where there is one column: the list, then what was chosen of it, with the way back. */
const ONE_COLUMN = matchMedia("(max-width: 720px)");

/** The templates of a business: list with translations, versions, editor with a drawn preview. What is open has its own address. */
class TemplatesPage extends HTMLElement {
  session = null;
  #forms = followForms(this);
  guard = { leave: this.#forms.leave, stepBack: (_address, leave) => this.#forms.stepBack(this.#address, () => this.#stepped(leave)) };
  #business = null;
  /** The address of what is shown. */
  #address = "";
  /** The name of the template that is shown; null for none. @type {string|null} */
  #shown = null;
  /** Whether the list is shown where there is one column, and not what was chosen of it. */
  #isList = true;
  /** Counts what was asked to be on screen. */
  #round = 0;

  connectedCallback() {
    this.#business = keptBusiness(this.session.businesses) ?? this.session.businesses[0];
    this.#enter();
  }

  /** Shows what the address says. */
  #enter() {
    this.#address = location.pathname;
    const { template, isNew } = /** @type {any} */ (readRoute(location.pathname));
    if (template) return this.#show(template);
    if (isNew) return this.#begin();
    if (this.firstChild) return this.#backToList(this.#shown);
    return this.#load();
  }

  /** The address has changed, by a step back or forward. @param {() => Promise<void>} leave for another page */
  #stepped(leave) {
    return readRoute(location.pathname).name === "templates" ? this.#enter() : leave();
  }

  /** @param {{template?: string, isNew?: boolean}} place what is shown from now on @param {{isSame?: boolean}} [how] `isSame`: a step back does not lead to what was there */
  #name(place, { isSame = false } = {}) {
    this.#address = writeRoute({ name: "templates", ...place });
    if (this.#address !== location.pathname) history[isSame ? "replaceState" : "pushState"](null, "", this.#address);
  }

  /** Shows what was asked for last. @param {string|null} chosen name of a template @param {any} [draft] of a new one @param {string} [problem] what went wrong before */
  async #load(chosen = null, draft = null, problem = "") {
    const round = (this.#round += 1);
    const business = this.#business;
    const choose = h("select", { class: "fd-input" },
      this.session.businesses.map((one) => h("option", { value: one.id }, one.name)));
    choose.value = business?.id ?? "";
    choose.addEventListener("change", async () => {
      const wanted = choose.value;
      choose.value = business.id;
      if (!await mayLeave(this)) return;
      choose.value = wanted;
      this.#business = this.session.businesses.find((one) => one.id === choose.value);
      this.#name({}, { isSame: true });
      keepBusiness(this.#business);
      // What is there belongs to the former business: nothing more is written into it.
      while (nav.childElementCount > 2) nav.lastElementChild.remove();
      replace(this.querySelector(".settings-main"), t("shared.loading"));
      this.#load();
    });
    let [templates, unread] = [[], null];
    try {
      templates = await api.getAll("/api/templates", { query: { business: business.id } });
    } catch (failure) {
      unread = failure;
    }
    if (round !== this.#round) return;
    const mayPublish = may(business, "templates.publish");
    // Who may only read begins with the first one, and not with a new one.
    const template = templates.find((one) => one.name === chosen) ?? (mayPublish ? null : templates[0] ?? null);
    this.#shown = template?.name ?? null;
    // One that was removed, or is another business's, leads to the list.
    if (chosen && !template && !unread) {
      this.#isList = true;
      this.#name({}, { isSame: true });
    }
    const names = templates.map((one) => one.name);
    const nav = h("nav", { class: "settings-nav", "aria-label": t("console.templates") },
      h("h1", null, t("console.templates")),
      field("template-business", t("console.business"), choose),
      mayPublish ? h("button", { type: "button", class: "fd-button is-wide", onClick: () => this.#go({ isNew: true }, () => this.#begin()) },
        t("console.newTemplate")) : null,
      templates.map((one) => this.#row(one, one === template, names)),
      templates.length || unread ? null : mayPublish ? this.#empty() : h("p", { class: "fd-help" }, t("console.noTemplates")));
    // Why they cannot be read stands in the place of what is chosen.
    this.classList.toggle("is-list", this.#isList && !unread);
    drawKeepingFocus(this, () => replace(this, h("div", { class: "settings" }, nav,
      h("main", { class: "settings-main", onInput: () => this.#open() },
        h("button", { type: "button", class: "settings-back", onClick: () => this.#go({}, () => this.#backToList(template?.name)) }, icon("back", 18), t("console.template.all")),
        h("div", { class: "template-head" },
          h("h1", null, template ? template.title || template.name : draft?.title ?? t(mayPublish ? "console.newTemplate" : "console.templates")),
          template && mayPublish ? h("div", { class: "form-actions" }, this.#translateButton(template, names), this.#removeButton(template, names)) : null),
        problem ? h("p", { class: "fd-error", role: "alert" }, problem) : null,
        mayPublish ? null : h("p", { class: "fd-help" }, t("console.onlyOwners.templates")),
        unread ? loadAlert(unread, () => this.#load(chosen, draft)) : mayPublish ? h("template-editor", {
          ".business": business, ".template": template, ".draft": draft, ".used": names,
          onSaved: (event) => this.#saved(round, event.detail),
        }) : template ? h("template-reading", { ".template": template }) : null))));
  }

  /** Shows a template that was chosen. @param {string} name */
  async #show(name) {
    this.#isList = false;
    await this.#load(name);
    const main = this.querySelector(".settings-main");
    await /** @type {any} */ (main.querySelector("template-editor"))?.ready;
    if (!ONE_COLUMN.matches) return;
    main.scrollIntoView({ block: "start" });
    /** @type {HTMLElement} */ (main.querySelector(".settings-back")).focus({ preventScroll: true });
  }

  /** What is written stays in view where the page becomes one column. */
  #open() {
    this.#isList = false;
    this.classList.remove("is-list");
  }

  /** Shows the list again, at what was chosen of it. @param {string|null} [name] */
  async #backToList(name) {
    this.#isList = true;
    await this.#load();
    const row = [...this.querySelectorAll(".nav-row")].find((one) => one.dataset.name === name);
    /** @type {HTMLElement|null} */ (row ?? this.querySelector(".settings-nav button"))?.focus();
  }

  /** Shows the page as it is without a button that did what it was for: its focus goes on. @param {Element} button @param {string} next */
  async #loadFrom(button, next) {
    this.#isList = true;
    const hadFocus = document.activeElement === button;
    this.#name({}, { isSame: true });
    await this.#load();
    if (hadFocus) /** @type {HTMLElement|null} */ (this.querySelector(next))?.focus();
  }

  /**
   * Opens something else in the place of what is written, after a question where that is not saved.
   * @param {{template?: string, isNew?: boolean}} place @param {() => Promise<void>} open
   */
  async #go(place, open) {
    if (!await mayLeave(this)) return;
    this.#name(place);
    await open();
  }

  /** Begins a new one, where its title is written next. @param {any} [draft] what a translation begins with */
  async #begin(draft = null) {
    this.#isList = false;
    await this.#load(null, draft);
    const editor = this.querySelector("template-editor");
    await editor?.ready;
    /** @type {HTMLElement|null} */ (editor?.querySelector("#template-title"))?.focus();
  }

  /** Says that a template was saved, and shows it as it is now where nothing else was opened meanwhile. */
  async #saved(round, { name, title }) {
    if (round === this.#round) {
      this.#name({ template: name }, { isSame: true });
      await this.#load(name);
      const editor = this.querySelector("template-editor");
      await editor?.ready;
      // Where the next field was not reached meanwhile.
      if (!this.querySelector(":focus")) editor?.querySelector(".is-primary")?.focus();
    }
    showToast(t("items.saved", { name: title || name }));
  }

  #row(one, isChosen, names) {
    const code = languageOf(one.name, names);
    return h("button", {
      type: "button", class: code ? "nav-row is-translation" : "nav-row", "aria-pressed": String(isChosen), dataset: { name: one.name }, onClick: () => this.#go({ template: one.name }, () => this.#show(one.name)),
    }, h("span", null, one.title || one.name), code ? h("span", { class: "customer-chip" }, languageName(code)) : null,
    h("span", { class: "fd-help" }, t("console.version", { version: one.version })));
  }

  /** A business without templates: ten to begin with. */
  #empty() {
    const [business, round] = [this.#business, this.#round];
    const problem = h("p", { class: "fd-error", role: "alert" });
    const button = h("button", { type: "button", class: "fd-button is-primary is-wide", onClick: () => whileBusy(button, async () => {
      problem.textContent = "";
      try {
        await addStarters(api, business.id, language());
        if (round === this.#round) await this.#loadFrom(button, ".nav-row");
      } catch (failure) {
        problem.textContent = sentence(failure);
      }
    }) }, t("console.template.addStarters"));
    return h("div", { class: "stack" }, h("p", { class: "fd-help" }, t("console.noTemplates")), button, problem);
  }

  /** Removes a template with its translations, after a question. */
  #removeButton(template, names) {
    const [business, round] = [this.#business, this.#round];
    const button = h("button", { type: "button", class: "fd-button is-danger", onClick: () => whileBusy(button, async () => {
      if (!(await confirmAction(t("console.template.removeQuestion", { title: template.title || template.name }), t("shared.delete")))) return;
      try {
        // Itself first: where it is in use, nothing is removed.
        for (const name of [template.name, ...translationsOf(template.name, names)]) {
          await api.delete(`/api/templates/${encodeURIComponent(name)}`, { query: { business: business.id } });
        }
        if (round === this.#round) await this.#loadFrom(button, ".settings-nav .fd-button");
      } catch (failure) {
        if (round !== this.#round) return showToast(`${template.title || template.name}: ${sentence(failure)}`);
        await this.#load(template.name, null, sentence(failure));
      }
    }) }, t("shared.delete"));
    return button;
  }

  /** Begins a translation: another template, whose name ends with the language. */
  #translateButton(template, names) {
    const stem = languageOf(template.name, names) ? template.name.slice(0, template.name.lastIndexOf(".")) : template.name;
    const open = LANGUAGES.filter((code) => !names.includes(`${stem}.${code}`));
    const button = h("button", { type: "button", class: "fd-button", "aria-haspopup": "menu", "aria-expanded": "false", onClick: () => openMenu(button,
      open.map((code) => ({ text: languageName(code), run: () => this.#go({ isNew: true }, () => this.#begin({
        name: `${stem}.${code}`, title: template.title, payload: template.payload, parameters: template.parameters,
      })) })), { label: t("console.template.translate") }) }, t("console.template.translate"));
    return button;
  }
}

/** The names of a template's translations; of a translation none. */
function translationsOf(name, names) {
  return languageOf(name, names) ? [] : names.filter((one) => one.startsWith(`${name}.`) && languageOf(one, names));
}

const languageName = (code) => new Intl.DisplayNames([language()], { type: "language" }).of(code);

customElements.define("templates-page", TemplatesPage);
