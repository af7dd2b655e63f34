import { isFormLoaded, loadForm } from "../composer/forms.js";
import { LastField } from "../composer/insert-text.js";
import { icon } from "../composer/icons.js";
import { kinds } from "../composer/kinds.js";
import { draftOfPayload } from "../composer/payload-drafts.js";
import { markRepeated, readRepeated, writeRepeated } from "../composer/repeated-elements.js";
import { adoptStyles } from "../composer/styles.js";
import { templatePayload } from "../composer/template-parts.js";
import { h, replace } from "../lib/dom.js";
import { language, t } from "../lib/i18n.js";
import { openMenu } from "../lib/popup.js";
import { showToast } from "../lib/toast.js";
import { makeUUID } from "../lib/uuid.js";
import { markPlaceholders } from "./placeholder-marks.js";
import { chooseList, memberOf } from "./template-list-values.js";
import { POSITION } from "./template-lists.js";
import { openNewValue } from "./template-values.js";
import { templateTextDraft } from "./template-text.js";

/** Kinds that a template is written as in a form: an amount of money is a number, which only the JSON of a template can leave open. */
const formKinds = kinds.filter(({ kind, isWritten }) => !isWritten && kind !== "payment");
/** What the server fills in by itself. */
const automatic = ["customer.name", "business.name", "agent.name"];

/**
 * A template in the composer's own forms, with placeholders put in from a menu.
 *
 * Values down: `business`, `values` (the template's own names so far), `lists` (its lists). Events up: `payload-change`
 * (`detail.payload`), `value-added` (`detail`: name, label, type, choices, of a list members).
 */
export class TemplateForm extends HTMLElement {
  business = null;
  /** @type {() => {name: string, label?: string, type?: string}[]} */
  values = () => [];
  /** @type {() => import("../composer/repeated-rows.js").List[]} */
  lists = () => [];
  /** The name of the request, for as long as it is edited. */
  #request = makeUUID();
  #kind = "text";
  #form = null;
  /** What is written in the other kinds, until the editor goes. */
  #drafts = new Map();
  #lastField = new LastField();
  /** Counts what was asked to be on screen. */
  #round = 0;
  #panel = h("div", { class: "cp-panel template-panel" });

  connectedCallback() {
    adoptStyles(this);
    if (this.firstChild) return;
    this.#draw();
    markPlaceholders(this.#panel);
    this.addEventListener("focusin", (event) => this.#lastField.see(event.target));
    this.addEventListener("form-change", () => this.#emit("payload-change", {
      payload: templatePayload(writeRepeated(this.#form.payload(), this.#form.draft), { keepsFiles: true }),
    }));
  }

  /**
   * Shows a template's payload.
   * @param {any} payload
   * @returns {Promise<boolean>} false where no form has all of it
   */
  async show(payload) {
    const text = templateTextDraft(payload);
    const read = readRepeated(payload);
    const found = text ? { kind: "text", draft: text } : read && draftOfPayload(read.payload, this.#envelope());
    if (!found || !formKinds.some(({ kind }) => kind === found.kind)) return false;
    await this.#open(found.kind, markRepeated(found.draft, read?.repeated ?? new Map()));
    return true;
  }

  /** The kind that is written. */
  get kind() {
    return this.#kind;
  }

  /** Whether something was written in the form on screen. */
  get isWritten() {
    return Boolean(this.#form?.isWritten);
  }

  /** Marks the fields that findings belong to. @param {object[]} findings */
  markFindings(findings) {
    this.#form?.markFindings(findings);
  }

  /** Puts the focus into the field of a pointer; false where there is none. @param {string} pointer */
  focusPointer(pointer) {
    return Boolean(this.#form?.focusPointer(pointer));
  }

  #draw() {
    this.kindField = h("select", { class: "fd-input", id: "template-kind" },
      formKinds.map(({ kind }) => h("option", { value: kind }, t(`composer.kind.${kind}`))));
    this.kindField.addEventListener("change", () => this.#turn(this.kindField.value));
    const insert = h("button", {
      type: "button", class: "cp-button", "aria-haspopup": "menu", "aria-expanded": "false", onClick: () => this.#openValues(insert),
    }, icon("plus"), h("span", null, t("console.template.insertValue")));
    const example = h("button", { type: "button", class: "cp-button cp-quiet", onClick: () => this.#useExample() },
      icon("spark"), h("span", null, t("composer.example")));
    this.example = example;
    replace(this, h("div", { class: "template-tools" },
      h("label", { class: "fd-label", for: "template-kind" }, t("composer.kinds")), this.kindField, insert, example), this.#panel);
  }

  #envelope() {
    return { id: "template", requestID: this.#request, business: this.business.id, customer: "" };
  }

  async #turn(kind) {
    if (this.#form) this.#drafts.set(this.#kind, this.#form.draft);
    try {
      if (await this.#open(kind, this.#drafts.get(kind) ?? null)) this.#form.changed();
    } catch {
      // Safe: what is on screen stays, and can be left for another kind again.
      if (this.kindField.value !== kind) return;
      this.kindField.value = this.#kind;
      showToast(t("shared.problem.offline"));
    }
  }

  /** False where another kind was chosen while the form of this one was loaded. */
  async #open(kind, draft) {
    const round = (this.#round += 1);
    if (kind !== "text" && !isFormLoaded(kind)) await loadForm(kind);
    if (round !== this.#round) return false;
    const tag = kind === "text" ? "template-text" : kinds.find((entry) => entry.kind === kind).tag;
    const form = /** @type {import("../composer/kind-form.js").KindForm} */ (document.createElement(tag));
    form.context = {
      business: this.business, conversation: null, apiBase: "", locale: language(), envelope: () => this.#envelope(),
      lists: this.#listContext(),
    };
    form.draft = draft;
    this.#kind = kind;
    this.#form = form;
    this.kindField.value = kind;
    this.example.hidden = kind === "text";
    replace(this.#panel, form);
    return true;
  }

  /** What the forms know of the lists whose items repeat an element. */
  #listContext() {
    const find = (name) => this.lists().find((one) => one.name === name) ?? { name, label: name, members: [] };
    return {
      find,
      choose: (button, kind, put) => chooseList(button, {
        kind, put, lists: this.lists(), used: [...this.values(), ...this.lists()].map(({ name }) => name), add: (list) => this.#emit("value-added", list),
      }),
      add: (list, member) => {
        const made = memberOf(find(list), member);
        this.#emit("value-added", { ...made, required: made.default === undefined });
        return made.name;
      },
    };
  }

  #useExample() {
    this.#form.setDraft(this.#form.example());
  }

  #openValues(button) {
    const own = this.values();
    const put = (name, form = "") => this.#insert(`{{${name}${form}}}`);
    openMenu(button, [
      ...this.#valuesOfItems(button, put),
      ...automatic.map((name) => ({ text: t(`console.template.value.${name}`), aside: `{{${name}}}`, run: () => put(name) })),
      ...(own.length ? [{ isLine: true }] : []),
      ...own.map(({ name, label, type }) => ({
        text: label || name, aside: `{{${name}}}`, run: () => put(name, type === "date" ? "|date" : ""),
      })),
      { isLine: true },
      { text: t("console.template.newValue"), icon: icon("plus"), run: () => openNewValue(button, own.map(({ name }) => name), (value) => {
        this.#emit("value-added", value);
        put(value.name, value.type === "date" ? "|date" : "");
      }) },
    ], { label: t("console.template.insertValue") });
  }

  /** In an element that is repeated for the items of a list: what each of them has. */
  #valuesOfItems(button, put) {
    const { field } = this.#lastField;
    const row = field && this.#panel.contains(field) ? field.closest("[data-list]") : null;
    if (!row) return [];
    const { find, add } = this.#listContext();
    const { name, label: list, members } = find(row.dataset.list);
    const form = (type) => (type === "date" ? "|date" : "");
    return [
      ...members.map((one) => ({ text: t("lists.valueOf", { list, label: one.label }), aside: `{{${one.name}}}`, run: () => put(one.name, form(one.type)) })),
      { text: t("lists.position", { list }), aside: `{{${name}.${POSITION}}}`, run: () => put(`${name}.${POSITION}`) },
      { text: t("lists.newMember"), icon: icon("plus"), run: () => openNewValue(button, [], ({ name: _, ...value }) => put(add(name, value), form(value.type))) },
      { isLine: true },
    ];
  }

  /** Into the field that had the focus last, else into the first. */
  #insert(text) {
    if (this.#lastField.insert(this, text)) return;
    const first = /** @type {HTMLElement} */ (this.#panel.querySelector("textarea, input[type=text]"));
    first?.focus();
    this.#lastField.insert(this, text);
  }

  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
customElements.define("template-form", TemplateForm);
