import "../cards/desk-card.js";
import { outboundSchema } from "../composer/editor/page-schemas.js";
import "../composer/finding-list.js";
import "../composer/json-editor.js";
import { templateName } from "../composer/template-parts.js";
import { Validator } from "../composer/validator.js";
import { api, exchange } from "../lib/api.js";
import { h, oncePerFrame, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { sliceMember } from "../lib/payload-slice.js";
import { segments } from "../lib/segments.js";
import { field, savingForm, sentence } from "./panel-parts.js";
import "./template-form.js";
import { fillPreview, fillTemplate, findAutomatic, findParameterLists, findParameters, findingsOfTemplate } from "./template-parameters.js";
import { ValueRows } from "./value-rows.js";

/**
 * Writes the next version of a template, in the composer's own forms or as JSON: validated as it is typed with its
 * gaps filled, the values that it asks for, and the card that it makes. Event up: `saved` with the template's name.
 *
 * Values down: `business`, `template` (null for a new one), `draft` (of a new one: `name`, `title`, `payload`,
 * `parameters`), `used` (the names of all templates).
 */
class TemplateEditor extends HTMLElement {
  business = null;
  template = null;
  draft = null;
  /** @type {string[]} */
  used = [];
  #rows = new ValueRows(() => this.#drawSoon());
  #validator = new Validator((verdict) => this.#showVerdict(verdict));
  /** The text last given to the validator, with its placeholders filled. */
  #filled = null;
  #drawSoon = oncePerFrame(() => this.#update());
  #isJSON = false;
  #hasLists = false;
  /** The kind that was to be saved as it was. */
  #savedKind = "";
  /** The newest version that its author knows of; 0 for none. */
  #seen = 0;

  /** When its form is there: a saved template is read first. @type {Promise<void>|null} */
  ready = null;

  connectedCallback() {
    this.ready = this.#begin();
  }

  async #begin() {
    const known = this.template ?? this.draft ?? startingDraft();
    let text = JSON.stringify(known.payload, null, 2);
    for (const one of known.parameters ?? []) this.#rows.set(one);
    if (this.template) {
      this.#seen = this.template.version;
      const answer = await exchange("GET", `/api/templates/${encodeURIComponent(this.template.name)}`, {
        query: { business: this.business.id },
      }).catch(() => null);  // Safe: the list's own copy is shown instead.
      text = (answer && sliceMember(answer.text, "payload")) ?? text;
      if (answer) this.#seen = JSON.parse(answer.text).version;
    }
    await this.#build(text, known);
  }

  async #build(text, { name = "", title = "" }) {
    const { template } = this;
    this.name = h("input", { class: "fd-input", name: "name", required: true, maxlength: 64,
      pattern: "[a-z0-9][a-z0-9._\\-]*", value: name, readonly: Boolean(template || this.draft?.name) });
    this.label = h("input", { class: "fd-input", maxlength: 200, required: true, value: title });
    // Until a name is written, it follows the title.
    this.label.addEventListener("input", () => {
      if (!this.name.readOnly && !this.hasOwnName) this.name.value = this.label.value.trim() ? templateName(this.label.value, "template", this.used) : "";
    });
    this.name.addEventListener("input", () => { this.hasOwnName = this.name.value !== ""; });
    this.payload = h("json-editor", { ".label": t("console.templatePayload"), ".schema": outboundSchema, ".text": text });
    this.payload.addEventListener("text-change", this.#drawSoon);
    this.payload.addEventListener("send-request", () => this.querySelector("form").requestSubmit());
    this.form = h("template-form", { ".business": this.business, ".values": () => this.#rows.own, ".lists": () => this.#rows.lists });
    this.form.addEventListener("payload-change", (event) => {
      this.payload.text = JSON.stringify(event.detail.payload, null, 2);
      this.#drawSoon();
    });
    this.form.addEventListener("value-added", (event) => this.#rows.set({ required: true, ...event.detail }));
    this.findings = h("finding-list");
    this.addEventListener("submit", () => {
      this.#savedKind = this.form.kind;
      this.#validator.forget();
      this.#drawSoon();
    });
    this.addEventListener("finding-jump", (event) => this.#jump(event.detail.finding));
    this.addEventListener("finding-fix", (event) => this.payload.fix(event.detail.finding));
    this.#validator.path = `/api/validate?business=${encodeURIComponent(this.business.id)}`;
    this.preview = h("div", { class: "template-preview" });
    this.onlyJSON = h("p", { class: "fd-help", role: "status", hidden: true }, t("console.template.onlyJSON"));
    this.json = h("div", { class: "stack" }, this.payload, h("p", { class: "fd-help" }, t("console.templatePayloadHelp")),
      h("p", { class: "fd-help" }, t("lists.help")));
    this.tabs = segments(t("console.template.writtenAs"), [["form", t("console.template.form")], ["json", t("console.template.json")]], "form",
      (choice) => this.#turn(choice === "json"));
    replace(this, h("div", { class: "template-columns" },
      savingForm({
        save: template ? t("console.saveVersion", { version: template.version + 1 }) : t("console.saveTemplate"),
        onSave: () => this.#save(), written: () => JSON.stringify([this.name.value, this.label.value, this.payload.text, [...this.#rows.known.values()]]),
      },
      field("template-title", t("console.templateTitle"), this.label),
      field("template-name", t("console.templateName"), this.name, t("console.templateNameHelp")),
      this.tabs, this.onlyJSON, this.form, this.json, this.findings,
      h("h2", null, t("console.parameters")), this.#rows.element),
      h("aside", { class: "template-side" },
        h("h2", null, t("console.preview")), this.preview)));
    await this.#turn(false);
    this.#update();
  }

  /** Shows the forms or the JSON; what no form has stays JSON. */
  async #turn(isJSON) {
    const hasForm = isJSON || await this.form.show(parsed(this.payload.text));
    this.#isJSON = isJSON || !hasForm;
    this.onlyJSON.hidden = isJSON || hasForm;
    this.form.hidden = this.#isJSON;
    this.json.hidden = !this.#isJSON;
    for (const one of this.tabs.children) one.setAttribute("aria-pressed", String((one.dataset.choice === "json") === this.#isJSON));
    this.#validator.forget();
    this.#drawSoon();
  }

  #update() {
    if (!this.isConnected) return;
    const { text } = this.payload;
    const lists = findParameterLists(text);
    this.#rows.draw(findParameters(text), findAutomatic(text), lists);
    const payload = fillPreview(text, this.#rows.known);
    // What a list repeats is seen in the opened card.
    const isOpen = lists.size > 0 === this.#hasLists ? this.preview.querySelector("desk-card")?.expanded ?? false : lists.size > 0;
    this.#hasLists = lists.size > 0;
    replace(this.preview, payload ? h("desk-card", { ".payload": payload, ".perspective": "customer", ".expanded": isOpen })
      : h("p", { class: "fd-help" }, t("console.notJSON")));
    this.#filled = { own: text, ...fillTemplate(text, this.#rows.known) };
    this.#validator.ask(this.#filled.text);
  }

  /** Findings of the filled text, where the template has them. */
  #showVerdict({ text, findings, isSettled }) {
    // Until the answer arrives, the editor moves the last findings along with typing.
    if (!isSettled || text !== this.#filled.text || this.#filled.own !== this.payload.text) return;
    // An empty form is no mistake before it is written in or saved.
    const isShown = this.#isJSON || this.form.isWritten || this.#savedKind === this.form.kind;
    const own = isShown ? findingsOfTemplate(this.payload.text, this.#filled, findings ?? []) : [];
    this.payload.findings = own;
    this.form.markFindings(own);
    this.findings.show(own, this.payload.text, { withFixes: this.#isJSON, withPlaces: this.#isJSON });
  }

  async #jump(finding) {
    if (!this.#isJSON && this.form.focusPointer(finding.pointer ?? "")) return;
    await this.#turn(true);
    this.payload.jump(finding);
  }

  /** Throws once, where the name has a version that its author has not seen and would replace. */
  async #askForNewest() {
    const newest = await api.get(`/api/templates/${encodeURIComponent(this.name.value)}`, { query: { business: this.business.id } }).catch((problem) => {
      if (problem.status !== 404) throw problem;
      return null;
    });
    const version = newest?.version ?? 0;
    if (version === this.#seen) return;
    if (!this.name.readOnly) throw refusal(t("console.template.taken"), "/name");
    this.#seen = version;
    throw refusal(version ? t("console.template.newer", { version }) : t("console.template.gone"));
  }

  async #save() {
    const { text } = this.payload;
    const body = {
      business: this.business.id, name: this.name.value, title: this.label.value, description: this.template?.description ?? "",
      parameters: this.#rows.list([...findParameters(text), ...findAutomatic(text)], findParameterLists(text)),
    };
    // The payload goes as it is typed: its text becomes the template's text.
    JSON.parse(text);
    try {
      await this.#askForNewest();
      await api.postText("/api/templates", `${JSON.stringify(body).slice(0, -1)},"payload":${text}}`);
    } catch (problem) {
      throw problem.errors ? problem : Object.assign(new Error(sentence(problem)), { errors: [] });
    }
    this.dispatchEvent(new CustomEvent("saved", { detail: { name: this.name.value, title: this.label.value.trim() } }));
  }
}

/** What a new template begins with. Customers have no name until an agent enters one. */
const startingDraft = () => ({
  payload: { type: "text", body: t("console.template.starting") },
  parameters: [
    { name: "customer.name", label: "customer.name", type: "text", required: false, default: t("console.starterName") },
    { name: "order", label: t("console.template.startingOrder"), type: "text", required: true },
  ],
});

/** A refusal of the page's own, as of the server. @param {string} fix @param {string} [pointer] to the field that it is about */
const refusal = (fix, pointer = "") => Object.assign(new Error(fix), { errors: [{ fix, pointer }] });

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;  // Safe: it stays in the JSON editor, which says what is wrong.
  }
}

customElements.define("template-editor", TemplateEditor);
