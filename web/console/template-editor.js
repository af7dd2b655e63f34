import "../cards/desk-card.js";
import { outboundSchema } from "../composer/editor/page-schemas.js";
import "../composer/finding-list.js";
import "../composer/json-editor.js";
import { Validator } from "../composer/validator.js";
import { api, exchange } from "../lib/api.js";
import { h, oncePerFrame, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { sliceMember } from "../lib/payload-slice.js";
import { field, savingForm, sentence } from "./panel-parts.js";
import { fillPreview, fillTemplate, findAutomatic, findParameters, findingsOfTemplate } from "./template-parameters.js";

const TYPES = ["text", "number", "date", "choice"];
const FIRST_PAYLOAD = `{
  "type": "text",
  "body": "Hello {{customer.name}}, your order {{order}} is ready."
}`;

/**
 * Writes the next version of a template: its payload as JSON text, validated as it is typed with its
 * gaps filled, the parameters found in it, and the card that it makes. Event up: `saved` with the
 * template's name.
 */
class TemplateEditor extends HTMLElement {
  business = null;
  template = null;
  #types = new Map();
  #validator = new Validator((verdict) => this.#showVerdict(verdict));
  /** The text last given to the validator, with its placeholders filled. */
  #filled = null;
  #draw = oncePerFrame(() => this.#update());

  async connectedCallback() {
    let text = FIRST_PAYLOAD;
    // Customers have no name until an agent enters one.
    if (!this.template) this.#types.set("customer.name", fallback("customer.name", t("console.starterName")));
    if (this.template) {
      const answer = await exchange("GET", `/api/templates/${encodeURIComponent(this.template.name)}`, {
        query: { business: this.business.id },
      }).catch(() => null);  // Safe: the list's own copy is shown instead.
      text = (answer && sliceMember(answer.text, "payload"))
        ?? JSON.stringify(this.template.payload, null, 2);
      for (const one of this.template.parameters ?? []) this.#types.set(one.name, one);
    }
    this.#build(text);
  }

  #build(text) {
    const { template } = this;
    this.name = h("input", { class: "fd-input", required: true, maxlength: 64,
      pattern: "[a-z0-9][a-z0-9._\\-]*", value: template?.name ?? "", readonly: Boolean(template) });
    this.label = h("input", { class: "fd-input", maxlength: 100, value: template?.title ?? "" });
    this.payload = h("json-editor", {
      ".label": t("console.templatePayload"), ".schema": outboundSchema, ".text": text,
    });
    this.payload.addEventListener("text-change", this.#draw);
    this.payload.addEventListener("send-request", () => this.querySelector("form").requestSubmit());
    this.findings = h("finding-list");
    this.addEventListener("finding-jump", (event) => this.payload.jump(event.detail.finding));
    this.addEventListener("finding-fix", (event) => this.payload.fix(event.detail.finding));
    this.#validator.path = `/api/validate?business=${encodeURIComponent(this.business.id)}`;
    this.parameters = h("div", { class: "stack" });
    this.preview = h("div", { class: "template-preview" });
    replace(this, h("div", { class: "template-columns" },
      savingForm({
        save: template ? t("console.saveVersion", { version: template.version + 1 })
          : t("console.saveTemplate"),
        onSave: () => this.#save(),
      },
      field("template-name", t("console.templateName"), this.name, t("console.templateNameHelp")),
      field("template-title", t("console.templateTitle"), this.label),
      h("div", { class: "fd-field" },
        h("span", { class: "fd-label", "aria-hidden": "true" }, t("console.templatePayload")),
        this.payload, this.findings, h("p", { class: "fd-help" }, t("console.templatePayloadHelp"))),
      h("h2", null, t("console.parameters")), this.parameters),
      h("aside", { class: "template-side" },
        h("h2", null, t("console.preview")), this.preview)));
    this.#update();
  }

  #update() {
    if (!this.isConnected) return;
    const names = findParameters(this.payload.text);
    const automatic = findAutomatic(this.payload.text);
    const mark = [...names, "", ...automatic].join("\n");
    if (this.parameters.dataset.mark !== mark || !this.parameters.childNodes.length) {
      this.parameters.dataset.mark = mark;
      replace(this.parameters, names.map((name) => this.#parameterRow(name)),
        automatic.map((name) => this.#automaticRow(name)),
        names.length || automatic.length ? null : h("p", { class: "fd-help" }, t("console.noParameters")));
    }
    const payload = fillPreview(this.payload.text, this.#types);
    replace(this.preview, payload ? h("desk-card", { ".payload": payload, ".perspective": "customer" })
      : h("p", { class: "fd-help" }, t("console.notJSON")));
    this.#filled = { own: this.payload.text, ...fillTemplate(this.payload.text, this.#types) };
    this.#validator.ask(this.#filled.text);
  }

  /** Findings of the filled text, where the template has them. */
  #showVerdict({ text, findings, isSettled }) {
    // Until the answer arrives, the editor moves the last findings along with typing.
    if (!isSettled || text !== this.#filled.text || this.#filled.own !== this.payload.text) return;
    const own = findingsOfTemplate(this.payload.text, this.#filled, findings ?? []);
    this.payload.findings = own;
    this.findings.show(own, this.payload.text, { withFixes: true });
  }

  #parameterRow(name) {
    const known = this.#types.get(name) ?? { name, type: "text", required: true };
    this.#types.set(name, known);
    const type = h("select", { class: "fd-input", "aria-label": t("console.parameterType", { name }) },
      TYPES.map((one) => h("option", { value: one }, t(`console.type.${one}`))));
    type.value = known.type;
    const choices = h("input", {
      class: "fd-input", value: (known.choices ?? []).join(", "), hidden: known.type !== "choice",
      "aria-label": t("console.parameterChoices", { name }), placeholder: t("console.choicesHint"),
    });
    const preset = h("input", { class: "fd-input", value: known.default ?? "",
      "aria-label": t("console.parameterDefault", { name }), placeholder: t("console.defaultHint") });
    const read = () => {
      choices.hidden = type.value !== "choice";
      const words = choices.value.split(",").map((word) => word.trim()).filter(Boolean);
      this.#types.set(name, {
        name, label: known.label ?? name, type: type.value, required: preset.value === "",
        ...(preset.value ? { default: defaultOf(type.value, preset.value) } : {}),
        ...(type.value === "choice" ? { choices: words } : {}),
      });
      this.#draw();
    };
    for (const input of [type, choices, preset]) input.addEventListener("input", read);
    read();
    return h("div", { class: "parameter" }, h("code", null, `{{${name}}}`), type, preset, choices);
  }

  /** The value where the server does not know a name; without it the agent has to enter one. */
  #automaticRow(name) {
    const preset = h("input", { class: "fd-input", value: this.#types.get(name)?.default ?? "",
      "aria-label": t("console.parameterFallback", { name }), placeholder: t("console.fallbackHint") });
    preset.addEventListener("input", () => {
      if (preset.value) this.#types.set(name, fallback(name, preset.value));
      else this.#types.delete(name);
      this.#draw();
    });
    return h("div", { class: "parameter" }, h("code", null, `{{${name}}}`),
      h("span", { class: "fd-help" }, t("console.automatic")), preset);
  }

  async #save() {
    const names = findParameters(this.payload.text);
    const body = {
      business: this.business.id, name: this.name.value, title: this.label.value,
      description: this.template?.description ?? "",
      parameters: [...names, ...findAutomatic(this.payload.text)].flatMap((name) => this.#types.get(name) ?? []),
    };
    // The payload goes as it is typed: its text becomes the template's text.
    const text = `${JSON.stringify(body).slice(0, -1)},"payload":${this.payload.text}}`;
    JSON.parse(this.payload.text);
    try {
      await api.postText("/api/templates", text);
    } catch (problem) {
      throw problem.errors ? problem : Object.assign(new Error(sentence(problem)), { errors: [] });
    }
    this.dispatchEvent(new CustomEvent("saved", { detail: { name: this.name.value } }));
  }
}

/** An automatic value with its replacement where it is unknown. */
const fallback = (name, text) => ({ name, label: name, type: "text", required: false, default: text });

/** A number's default is a number; another text is left for the server to refuse. */
function defaultOf(type, text) {
  return type === "number" && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

customElements.define("template-editor", TemplateEditor);
