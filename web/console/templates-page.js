import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import "./template-editor.js";
import { field, sentence } from "./panel-parts.js";

/** The templates of a business: list, versions, editor with a drawn preview. */
class TemplatesPage extends HTMLElement {
  session = null;
  #business = null;

  connectedCallback() {
    this.#business = this.session.businesses[0];
    this.#load();
  }

  async #load(chosen = null) {
    const choose = h("select", { class: "fd-input" },
      this.session.businesses.map((one) => h("option", { value: one.id }, one.name)));
    choose.value = this.#business?.id ?? "";
    choose.addEventListener("change", () => {
      this.#business = this.session.businesses.find((one) => one.id === choose.value);
      // Text typed into the former business's form would be lost with it.
      replace(this.querySelector(".settings-main"), t("shared.loading"));
      this.#load();
    });
    let templates = [];
    let problem = "";
    try {
      templates = await api.getAll("/api/templates", { query: { business: this.#business.id } });
    } catch (failure) {
      problem = sentence(failure);
    }
    const template = templates.find((one) => one.name === chosen) ?? null;
    replace(this, h("div", { class: "settings" },
      h("nav", { class: "settings-nav", "aria-label": t("console.templates") },
        field("template-business", t("console.business"), choose),
        h("button", { type: "button", class: "fd-button is-wide", onClick: () => this.#load() },
          t("console.newTemplate")),
        templates.map((one) => h("button", {
          type: "button", class: "nav-row", "aria-pressed": String(one === template),
          onClick: () => this.#load(one.name),
        }, h("span", null, one.title || one.name), h("span", { class: "fd-help" },
          t("console.version", { version: one.version })))),
        templates.length || problem ? null : h("p", { class: "fd-help" }, t("console.noTemplates"))),
      h("main", { class: "settings-main" },
        h("h1", null, template ? template.title || template.name : t("console.newTemplate")),
        problem ? h("p", { class: "fd-error", role: "alert" }, problem) : null,
        h("template-editor", {
          ".business": this.#business, ".template": template,
          onSaved: (event) => this.#load(event.detail.name),
        }))));
  }
}

customElements.define("templates-page", TemplatesPage);
