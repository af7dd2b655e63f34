import { api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { language, t } from "../lib/i18n.js";
import { SteadyList } from "../lib/steady-list.js";
import { field, savingForm } from "./panel-parts.js";

/** Definitions of a business are read at most this often, in milliseconds. */
const KEPT_MILLISECONDS = 60_000;
/** @type {Map<string, {at: number, definitions: Promise<any[]>}>} */
const known = new Map();
const changes = new EventTarget();

/** The definitions of a business's attributes. @param {string} business */
export function definitionsOf(business) {
  const kept = known.get(business);
  if (kept && Date.now() - kept.at < KEPT_MILLISECONDS) return kept.definitions;
  const definitions = api.get(`/api/businesses/${business}/attributes`).then((page) => page.data);
  known.set(business, { at: Date.now(), definitions });
  definitions.catch(() => known.delete(business));  // Safe: read again when it is needed next.
  return definitions;
}

/** The definitions of a business are others now: they are read again, also where they are shown. @param {string} business */
export function forgetDefinitions(business) {
  known.delete(business);
  changes.dispatchEvent(new Event("change"));
}

/**
 * The attributes of a conversation or a contact, edited in place; nothing where none is defined and none has a value.
 *
 * Values down: `mayChange`, `subject`, `{of, title, business, path, values}`. An edit that has begun is kept while values change.
 */
class AttributeBox extends HTMLElement {
  mayChange = true;
  #subject = null;
  #definitions = [];
  #isEditing = false;
  #end = null;
  #steady = new SteadyList(this);

  connectedCallback() {
    this.#end = new AbortController();
    changes.addEventListener("change", () => this.#read(), { signal: this.#end.signal });
  }

  disconnectedCallback() {
    this.#end.abort();
  }

  set subject(subject) {
    const isOther = this.#subject?.path !== subject.path;
    if (!isOther && JSON.stringify(this.#subject) === JSON.stringify(subject)) return;
    this.#subject = subject;
    if (isOther) {
      [this.#definitions, this.#isEditing] = [[], false];
      this.#steady.drawNow(() => []);
    } else if (!this.#isEditing) this.#steady.draw(() => this.#parts());
    this.#read();
  }

  #read() {
    const subject = this.#subject;
    if (!subject) return;
    definitionsOf(subject.business).then((all) => {
      if (subject !== this.#subject || this.#isEditing) return;
      this.#definitions = all.filter((one) => one.of === subject.of);
      this.#steady.draw(() => this.#parts());
    }, () => {});  // Safe: without the definitions nothing is shown.
  }

  /** Those that can be given a value, and those that have one. */
  get #shown() {
    return this.#definitions.filter((one) => (this.mayChange && !one.retired) || this.#subject.values[one.key] !== undefined);
  }

  #parts() {
    const { title, values } = this.#subject;
    if (!this.#shown.length) return [];
    const part = (...children) => [h("section", { class: "customer-part", "aria-label": title },
      h("h3", null, title), children)];
    if (this.#isEditing) return part(this.#form());
    const facts = this.#shown.filter((one) => values[one.key] !== undefined);
    const edit = h("button", { type: "button", class: "fd-button contact-edit" }, t("contact.edit"));
    edit.addEventListener("click", () => this.#edit(true));
    return part(facts.length ? h("dl", { class: "customer-facts" }, facts.map((one) =>
      [h("dt", null, one.name), h("dd", null, shownValue(one, values[one.key]))])) : null, this.mayChange ? h("div", null, edit) : null);
  }

  #edit(isEditing) {
    this.#isEditing = isEditing;
    this.#steady.drawNow(() => this.#parts());
    this.querySelector(isEditing ? "input, select" : ".contact-edit")?.focus();
  }

  #form() {
    const { of, path, values } = this.#subject;
    const inputs = this.#shown.map((one) => ({ one, input: inputFor(one, values[one.key]) }));
    const form = savingForm({
      save: t("contact.save"),
      onSave: async () => {
        const attributes = changedValues(inputs.map(({ one, input }) => [one, input.value]), values);
        if (Object.keys(attributes).length) {
          const saved = await api.patch(path, { attributes });
          this.#subject = { ...this.#subject, values: saved.attributes };
        }
        this.#edit(false);
      },
    }, inputs.map(({ one, input }) => field(`attribute-${of}-${one.key}`, one.name, input)));
    const cancel = h("button", { type: "button", class: "fd-button" }, t("shared.cancel"));
    cancel.addEventListener("click", () => this.#edit(false));
    form.querySelector(".form-actions").prepend(cancel);
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.#edit(false);
    });
    return form;
  }
}

/**
 * What a form changes of the values: those that differ, null for one that was emptied.
 * @param {[any, string][]} entries definitions with what their inputs hold
 * @param {Record<string, string|number>} values
 */
export function changedValues(entries, values) {
  const changed = {};
  for (const [one, text] of entries) {
    const typed = text.trim();
    const given = typed === "" ? null : one.type === "number" ? Number(typed) : typed;
    // What is no number is sent as it is: the server says what is allowed.
    const value = Number.isNaN(given) ? typed : given;
    if (value !== (values[one.key] ?? null)) changed[one.key] = value;
  }
  return changed;
}

function inputFor(one, value) {
  const shown = value === undefined ? "" : String(value);
  if (one.type === "choice" && !one.retired) {
    const choices = one.choices.includes(shown) || shown === "" ? one.choices : [...one.choices, shown];
    const select = h("select", { class: "fd-input" }, h("option", { value: "" }, "—"),
      choices.map((choice) => h("option", { value: choice }, choice)));
    select.value = shown;
    return select;
  }
  const types = { number: "text", date: "date", link: "url" };
  return h("input", {
    class: "fd-input", type: types[one.type] ?? "text", inputmode: one.type === "number" ? "decimal" : null,
    maxlength: "200", autocomplete: "off", value: shown,
  });
}

function shownValue(one, value) {
  if (one.type === "number") return new Intl.NumberFormat(language(), { maximumFractionDigits: 15 }).format(value);
  if (one.type === "date") {
    const day = new Date(`${value}T00:00:00Z`);
    return Number.isNaN(day.getTime()) ? String(value)
      : new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeZone: "UTC" }).format(day);
  }
  if (one.type === "link" && /^https?:\/\//i.test(value)) {
    return h("a", { href: value, target: "_blank", rel: "noopener noreferrer" }, h("bdi", null, value));
  }
  return h("bdi", null, String(value));
}

customElements.define("attribute-box", AttributeBox);
