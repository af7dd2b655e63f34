import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { makeUUID } from "../lib/uuid.js";
import { addressTo, withMessageID, wrapInteractive } from "./addressing.js";
import { freshElementID, textField, wordButton } from "./fields.js";
import "./finding-list.js";
import { icon } from "./icons.js";
import { myApp } from "./kinds/raw.js";
import { syntaxFinding } from "./findings.js";
import { byteCount, lineAndColumn, readJSON } from "./json-tokens.js";
import { KindForm } from "./kind-form.js";
import { fillPlaceholders, findPlaceholders, knownValue } from "./placeholders.js";
import { formatBytes } from "./sizes.js";

/** The largest JSON file that is accepted, in bytes; the server accepts no larger payload. */
const fileByteLimit = 4 * 1024 * 1024;
const storageKey = (name) => `fd.placeholder.${name}`;

const remembered = (name) => {
  try {
    return localStorage.getItem(storageKey(name)) ?? "";
  } catch {
    return "";  // Safe: no storage, nothing remembered.
  }
};
const remember = (name, value) => {
  try {
    localStorage.setItem(storageKey(name), value);
  } catch {
    // Safe: a browser without storage only forgets.
  }
};

/**
 * My App: a JSON file of the developer's, its placeholders filled in a form.
 * @fires edit-raw with `detail.text`
 */
export class MyAppForm extends KindForm {
  #list = document.createElement("finding-list");

  blankDraft() {
    return { name: "", source: "", values: {}, notice: "" };
  }

  draw() {
    return this.draft.source ? this.#drawFile() : this.#drawDrop();
  }

  #drawDrop() {
    const id = freshElementID("file");
    const input = h("input", { type: "file", id, class: "fd-hidden-text", accept: ".json,application/json" });
    input.addEventListener("change", () => this.#readFile(input.files[0]));
    const zone = h("div", { class: "cp-dropzone" },
      icon("myApp", myApp.drawing),
      h("p", { class: "cp-dropzone-title" }, t("composer.myapp.drop")),
      h("p", { class: "cp-hint" }, t("composer.myapp.hint")),
      input, h("label", { class: "cp-button", for: id }, icon("file"), h("span", null, t("composer.myapp.choose"))));
    zone.addEventListener("dragover", (event) => {
      event.preventDefault();
      zone.classList.add("cp-dropping");
    });
    zone.addEventListener("dragleave", () => zone.classList.remove("cp-dropping"));
    zone.addEventListener("drop", (event) => {
      event.preventDefault();
      zone.classList.remove("cp-dropping");
      const [file] = event.dataTransfer.files;
      if (file) this.#readFile(file);
      else this.load("", event.dataTransfer.getData("text/plain"));
    });
    const paste = h("textarea", {
      class: "cp-input cp-mono", rows: "3", id: freshElementID("paste"), spellcheck: "false",
      placeholder: t("composer.myapp.pasteExample"),
    });
    paste.addEventListener("input", () => {
      if (paste.value.trim() && !readJSON(paste.value).error) this.load("", paste.value);
      else problem.replaceChildren(...(paste.value.trim() ? [this.#syntaxWords(paste.value)] : []));
    });
    const problem = h("p", { class: "cp-note", role: "status" }, this.draft.notice || null);
    return [zone, h("div", { class: "cp-field" }, h("label", { class: "cp-label", for: paste.id }, t("composer.myapp.paste")), paste), problem,
      wordButton(t("composer.myapp.sample"), () => this.load("tea-order.json", sampleFile()), { iconName: "spark", className: "cp-quiet" })];
  }

  #syntaxWords(text) {
    const { error } = readJSON(text);
    return error ? `${t("composer.findings.place", error)} ${syntaxFinding(error, text).fix}` : "";
  }

  async #readFile(file) {
    if (!file) return;
    if (file.size > fileByteLimit) {
      this.draft.notice = t("composer.text.tooLarge", { name: file.name, limit: formatBytes(fileByteLimit) });
      return this.render();
    }
    this.load(file.name, await file.text());
  }

  /** Reads a file's text and asks for the values of its placeholders. */
  load(name, text) {
    if (readJSON(text).error) {
      this.draft = { ...this.blankDraft(), notice: `${name ? `${name}: ` : ""}${this.#syntaxWords(text)}` };
      this.render();
      this.changed();
      return;
    }
    const envelope = this.context.envelope();
    const known = { business: envelope.business, customer: envelope.customer, freshID: makeUUID };
    const values = {};
    for (const { name: placeholder } of findPlaceholders(text)) {
      values[placeholder] = knownValue(placeholder, known) ?? remembered(placeholder);
    }
    this.draft = { name, source: text, values, notice: "" };
    this.render();
    this.changed();
    this.querySelector(".cp-placeholders input, .cp-file button")?.focus();
  }

  #drawFile() {
    const { draft } = this;
    const found = findPlaceholders(draft.source);
    const fields = found.map(({ name, count }) => textField({
      label: name, draft: draft.values, key: name, hint: count > 1 ? t("composer.myapp.places", { count }) : undefined,
      changed: () => {
        remember(name, draft.values[name]);
        this.changed();
      },
    }));
    return [
      h("div", { class: "cp-file" }, icon("file"),
        h("div", { class: "cp-grow" },
          h("p", { class: "cp-chip-name" }, draft.name || t("composer.myapp.pasted")),
          h("p", { class: "cp-hint" }, formatBytes(byteCount(draft.source)))),
        wordButton(t("composer.json.editRaw"), () => this.dispatchEvent(new CustomEvent("edit-raw", {
          detail: { text: this.text() }, bubbles: true,
        })), { iconName: "edit", className: "cp-quiet" }),
        wordButton(t("composer.myapp.another"), () => this.setDraft(null), { className: "cp-quiet" })),
      found.length
        ? h("fieldset", { class: "cp-section cp-placeholders" },
          h("legend", { class: "cp-label" }, t("composer.myapp.fill")), ...fields)
        : h("p", { class: "cp-hint" }, t("composer.myapp.complete")),
      h("p", { class: "cp-hint" }, t("composer.myapp.addressed")),
      this.#list,
    ];
  }

  markFindings(findings) {
    this.findings = findings;
    this.#list.show(findings, this.isBlank() ? "" : this.text());
  }

  text() {
    if (!this.draft.source) return "";
    const envelope = this.context.envelope();
    const filled = fillPlaceholders(this.draft.source, new Map(Object.entries(this.draft.values)));
    return withMessageID(addressTo(wrapInteractive(filled, envelope), envelope), envelope.id);
  }

  payload() {
    try {
      return JSON.parse(this.text());
    } catch {
      return null;  // Safe: no file, no picture.
    }
  }

  ownFindings() {
    const text = this.text();
    const open = new Set(findPlaceholders(text).map(({ name }) => name));
    return readJSON(text).tokens.flatMap(({ start, end, kind }) => {
      if (kind !== "string") return [];
      const name = [...open].find((it) => text.slice(start, end).includes(`<${it}>`));
      if (!name) return [];
      open.delete(name);
      const { line, column } = lineAndColumn(text, start);
      return [{
        rule: "placeholder-open", severity: "error", pointer: "", line, column, offset: start, isOwn: true, docs: null,
        fix: t("composer.myapp.open", { name }),
      }];
    });
  }

  focusPointer() {
    const empty = [...this.querySelectorAll(".cp-placeholders input")].find((input) => !input.value);
    empty?.focus();
    return Boolean(empty);
  }

  isBlank() {
    return !this.draft.source;
  }
}

/** A file like those that app developers keep, with placeholders for the values of a message. */
function sampleFile() {
  return `{
  "v": 1,
  "type": "interactive",
  "interactiveData": {
    "bid": "com.apple.messages.MSMessageExtensionBalloonPlugin:<team-identifier>:<extension-identifier>",
    "appId": "<app-id>",
    "appName": "${t("composer.example.app.name")}",
    "URL": "?screen=order&number=<order-number>",
    "receivedMessage": {
      "title": ${JSON.stringify(t("composer.example.app.title"))},
      "subtitle": ${JSON.stringify(t("composer.example.app.subtitle"))}
    }
  }
}
`;
}
customElements.define("myapp-form", MyAppForm);
