import "../cards/desk-card.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { fillPreview } from "./template-parameters.js";

/** A template for those who may read it and not save it: its names, what it asks for, and the card that it makes. Values down: `template`. */
class TemplateReading extends HTMLElement {
  template = null;

  connectedCallback() {
    const { name, title, description, payload, parameters = [] } = this.template;
    const known = new Map(parameters.map((one) => [one.name, one]));
    const facts = [[t("console.templateTitle"), title], [t("console.templateName"), name], ["", description],
      [t("console.parameters"), parameters.map((one) => one.label || one.name).join(", ")]].filter(([, value]) => value);
    replace(this, h("div", { class: "template-columns" },
      h("dl", { class: "facts" }, facts.map(([label, value]) => [h("dt", null, label), h("dd", null, h("bdi", null, value))])),
      h("aside", { class: "template-side" }, h("h2", null, t("console.preview")), h("div", { class: "template-preview" },
        h("desk-card", { ".payload": fillPreview(JSON.stringify(payload), known) ?? payload, ".perspective": "customer" })))));
  }
}

customElements.define("template-reading", TemplateReading);
