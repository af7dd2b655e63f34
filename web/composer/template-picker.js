import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { api } from "../lib/api.js";
import { knownValues } from "../lib/names.js";
import { SteadyList } from "../lib/steady-list.js";
import { showToast } from "../lib/toast.js";
import { makeUUID } from "../lib/uuid.js";
import { blockedParts } from "./blocked-parts.js";
import { refusalWords } from "./composer-frame.js";
import { fallbackText } from "./fallback.js";
import { inLanguage, withoutTranslations } from "./template-languages.js";
import { adoptFieldStyles, labelOfValue, parameterField, startingValue, statedValues, wrongNumbers } from "./template-fields.js";
import { freshElementID, iconButton, wordButton } from "./fields.js";
import { canShow, kindOfPayload } from "./kinds.js";

/** How long after the last typed value the preview is requested again, in milliseconds. */
const previewRestMilliseconds = 250;

/** Values that were begun are kept for so many templates and conversations. */
const MOST_BEGUN = 50;

/** Where templates are written. */
const PAGE = "/console/templates";

/**
 * Finds a template, asks for its parameters, shows the result.
 *
 * Values down: `open({business, conversation, templates, apiBase, guard, sendQuery, capabilities, save, chosen})`, `chosen` a template to begin
 * with or null. Events up: `template-insert`
 * (`detail.payload`, `detail.kind`), `template-sent` (`detail.message`), `template-close`; `template-preview`
 * (`detail`: the message as it would be sent, null when there is none any more).
 */
export class TemplatePicker extends HTMLElement {
  #context;
  /** What the page adds to the request that sends. */
  #query = Promise.resolve({});
  #templates = [];
  #shown = [];
  #active = 0;
  #timer = 0;
  #round = 0;
  /** The parts of the template on screen; null for none. */
  #filled = null;
  /** What was typed and neither sent nor inserted, by conversation and version of a template: a step back removes none of it. */
  #begun = new Map();

  /** Shows the list and puts the focus into its search. */
  async open(context) {
    this.#context = context;
    // What was on screen when the template was looked for; a colleague may answer while it is filled.
    this.#query = context.sendQuery?.({ anyway: false, isTemplate: true }) ?? Promise.resolve({});
    this.hidden = false;
    adoptFieldStyles(this);
    this.#templates = context.templates ?? [];
    if (context.chosen) return this.#choose(context.chosen);
    // What is typed from now on searches, although the list is still on its way.
    const list = this.#drawList(context.templates ? "" : t("composer.template.loading"));
    if (context.templates) return;
    try {
      const templates = await api.getAll(`${context.apiBase}/api/templates`, { query: { business: context.business.id } });
      if (context !== this.#context) return;
      this.#templates = templates;
      list.update();
    } catch (problem) {
      list.update(problem.message);
    }
  }

  /** Hides the picker without a word to the composer, which shows another part instead. */
  putAway() {
    if (this.hidden) return;
    this.hidden = true;
    this.#leave();
    this.replaceChildren();
    this.#show(null);
  }

  /** The template on screen is none any more: a preview of it that is on its way is not shown. */
  #leave() {
    clearTimeout(this.#timer);
    this.#round += 1;
    this.#filled = null;
  }

  #show(payload) {
    this.dispatchEvent(new CustomEvent("template-preview", { detail: payload, bubbles: true }));
  }

  #close() {
    this.putAway();
    this.dispatchEvent(new CustomEvent("template-close", { bubbles: true }));
  }

  /** Draws the search and the list; `update` draws the list again, with the reason why it is empty. */
  #drawList(reason = "") {
    if (this.#filled) this.#show(null);
    this.#leave();
    let problem = reason;
    const listID = freshElementID("templates");
    const list = h("ul", { class: "tp-list", id: listID, role: "listbox", "aria-label": t("composer.template.title") });
    const steady = new SteadyList(list);
    const search = h("input", {
      class: "cp-input", type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": listID,
      "aria-autocomplete": "list", "aria-label": t("composer.template.search"),
      placeholder: t("composer.template.search"), autocomplete: "off",
    });
    const draw = () => {
      const words = search.value.trim().toLowerCase();
      this.#shown = withoutTranslations(this.#templates).filter((template) =>
        `${template.name} ${template.title ?? ""} ${template.description ?? ""}`.toLowerCase().includes(words));
      this.#active = Math.min(this.#active, Math.max(0, this.#shown.length - 1));
      steady.draw(() => this.#shown.map((template, index) => {
        const isActive = index === this.#active;
        const option = h("li", {
          role: "option", id: `${listID}-${index}`, "aria-selected": String(isActive), class: "tp-option",
          onclick: () => this.#choose(template),
        }, h("span", { class: "tp-name" }, template.title || template.name),
        h("span", { class: "cp-hint" }, template.description || `/${template.name}`));
        if (isActive) queueMicrotask(() => option.scrollIntoView({ block: "nearest" }));
        return option;
      }));
      if (this.#shown.length) search.setAttribute("aria-activedescendant", `${listID}-${this.#active}`);
      else search.removeAttribute("aria-activedescendant");
      empty.hidden = this.#shown.length > 0;
      make.hidden = this.#templates.length > 0 || problem !== "";
      empty.textContent = problem || t(this.#templates.length ? "composer.template.noMatch" : "composer.template.none");
    };
    const empty = h("p", { class: "cp-hint", role: "status" });
    const make = h("a", { class: "tp-make", href: PAGE, hidden: true, onclick: (event) => this.#goToPage(event) }, t("composer.template.make"));
    search.addEventListener("input", () => {
      this.#active = 0;
      draw();
    });
    search.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && this.#shown.length) {
        event.preventDefault();
        this.#active = (this.#active + step + this.#shown.length) % this.#shown.length;
        draw();
      } else if (event.key === "Enter" && this.#shown[this.#active]) {
        event.preventDefault();
        this.#choose(this.#shown[this.#active]);
      } else if (event.key === "Escape" || (event.key === "Backspace" && search.value === "")) {
        event.preventDefault();
        event.stopPropagation();
        this.#close();
      }
    });
    this.replaceChildren(
      h("div", { class: "tp-head" }, h("span", { class: "tp-slash", "aria-hidden": "true" }, "/"), search,
        iconButton("close", t("composer.template.close"), () => this.#close())),
      list, empty, make, this.#drawFoot());
    draw();
    search.focus();
    return {
      update(text = "") {
        problem = text;
        draw();
      },
    };
  }

  /** In the console the page is opened without leaving it. */
  #goToPage(event) {
    if (event.metaKey || event.ctrlKey || !this.closest("desk-workspace")) return;
    event.preventDefault();
    this.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: PAGE }));
  }

  /** What else can be done with templates: saving what is written as one. */
  #drawFoot() {
    const { save } = this.#context;
    if (!save) return h("div", { class: "tp-foot" });
    const button = wordButton(t("composer.template.saveText"), () => save(button), { iconName: "template", className: "cp-quiet" });
    button.setAttribute("aria-haspopup", "dialog");
    button.setAttribute("aria-expanded", "false");
    return h("div", { class: "tp-foot" }, button);
  }

  #choose(chosen) {
    const template = inLanguage(this.#templates, chosen, this.#context.conversation.customer?.locale);
    const place = JSON.stringify([this.#context.conversation.id, template.name, template.version]);
    const begun = this.#begun.get(place) ?? { values: {}, attempt: { text: "", id: "" } };
    const { values, attempt } = begun;
    const known = knownValues(this.#context.conversation);
    for (const parameter of template.parameters ?? []) values[parameter.name] ??= startingValue(parameter, known);
    const parts = {
      template, values, place, parameters: [...template.parameters ?? []], fields: h("div", { class: "tp-fields" }),
      isSending: false, isWaiting: false, attempt,
      // The message of the last preview, and the values of it as they were asked for.
      made: null, asked: "",
      outcome: h("div", { class: "tp-preview", "aria-live": "polite" }), actions: h("div", { class: "tp-actions" }),
      refresh: () => {
        this.#begun.set(place, begun);
        if (this.#begun.size > MOST_BEGUN) this.#begun.delete(this.#begun.keys().next().value);
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#preview(parts), previewRestMilliseconds);
      },
    };
    parts.fields.append(...parts.parameters.map((parameter) => parameterField(parameter, parts)));
    this.#leave();
    this.#filled = parts;
    this.replaceChildren(
      h("div", { class: "tp-head" },
        iconButton("up", t("composer.template.back"), () => this.#drawList(), "tp-back"),
        h("h3", { class: "cp-grow" }, template.title || template.name),
        iconButton("close", t("composer.template.close"), () => this.#close())),
      parts.fields, parts.outcome, parts.actions);
    this.onkeydown = (event) => {
      if (event.isComposing || event.defaultPrevented) return;
      // Enter in a field inserts what is complete; with the key that sends from every field, it is sent.
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        this.#withValues(parts, () => this.#send(parts));
      } else if (event.key === "Enter" && event.target.matches("input, select")) {
        event.preventDefault();
        this.#withValues(parts, () => this.#insert(parts));
      }
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      this.#drawList();
    };
    const field = this.querySelector(".tp-fields input, .tp-fields select");
    (field ?? this.querySelector("button"))?.focus();
    this.#preview(parts).then(() => {
      // Without a parameter, inserting is the next thing to do.
      if (!field && this.contains(document.activeElement)) parts.actions.querySelector("button")?.focus();
    });
  }

  async #preview(parts) {
    const { template, outcome, actions } = parts;
    const { apiBase, business, conversation } = this.#context;
    const round = (this.#round += 1);
    const stated = statedValues(parts);
    const asked = JSON.stringify(stated);
    try {
      const made = await api.post(`${apiBase}/api/templates/${encodeURIComponent(template.name)}/preview`, {
        business: business.id, conversation: conversation.id, version: template.version, values: stated,
      });
      if (round !== this.#round) return;
      Object.assign(parts, { made, asked });
      const card = document.createElement("desk-card");
      Object.assign(card, { direction: "outbound", perspective: "business", payload: made.payload });
      this.#show(made.payload);
      outcome.replaceChildren(...this.#blocked(made.payload), card);
      actions.replaceChildren(
        wordButton(t("composer.template.insert"), () => this.#withValues(parts, () => this.#insert(parts))),
        wordButton(t("composer.send"), () => this.#withValues(parts, () => this.#send(parts)), { iconName: "send", className: "cp-primary" }));
    } catch (problem) {
      if (round !== this.#round) return;
      Object.assign(parts, { made: null, asked });
      outcome.replaceChildren(...this.#whatToDo(parts, problem));
      this.#show(null);
      actions.replaceChildren();
    }
  }

  /** Does something with the message of the values as they are now: what was typed since the last preview is in it. */
  async #withValues(parts, act) {
    if (parts.isWaiting) return;
    parts.isWaiting = true;
    while (parts === this.#filled && parts.asked !== JSON.stringify(statedValues(parts))) {
      clearTimeout(this.#timer);
      await this.#preview(parts);
    }
    parts.isWaiting = false;
    if (parts === this.#filled && parts.made) act();
  }

  #insert({ made, isSending, place }) {
    if (isSending) return;
    this.#begun.delete(place);
    this.#close();
    this.dispatchEvent(new CustomEvent("template-insert", { detail: made, bubbles: true }));
  }

  /** That the customer's device cannot show the message, with the way to send its words. */
  #blocked(payload) {
    const { capabilities, conversation } = this.#context;
    const entry = kindOfPayload(payload);
    if (!entry || canShow(entry, capabilities)) return [];
    return [h("div", { class: "cp-reason", role: "note" }, blockedParts(entry, capabilities, () => {
      const body = fallbackText(payload, (conversation.customer?.locale ?? document.documentElement.lang).replace("_", "-"));
      this.#close();
      this.dispatchEvent(new CustomEvent("template-insert", { detail: { payload: { type: "text", body } }, bubbles: true }));
    }))];
  }

  /** What is missing before the message can be sent: fields to fill, or why no value helps. */
  #whatToDo(parts, problem) {
    const missing = (problem.errors ?? []).filter(({ rule, pointer }) => rule === "request-missing" && pointer.startsWith("/values/"))
      .map(({ pointer }) => pointer.slice("/values/".length));
    for (const name of missing) {
      if (name.includes("/") || parts.parameters.some((parameter) => parameter.name === name)) continue;
      // The server has this value for other customers, and not for this one.
      const parameter = {
        name, type: "text", required: true, isUnknown: true,
      };
      parts.parameters.push(parameter);
      parts.values[name] ??= "";
      parts.fields.append(parameterField(parameter, parts));
    }
    if (missing.length) {
      const labels = missing.map((name) => labelOfValue(name, parts.parameters));
      return [h("p", { class: "cp-hint" }, t("composer.template.fillIn", { fields: labels.join(t("composer.template.comma")) }))];
    }
    // The server says it to programs.
    const wrong = wrongNumbers(parts);
    if (wrong.length) return [h("p", { class: "cp-note" }, t("composer.template.notNumbers", { fields: wrong.join(t("composer.template.comma")) }))];
    const sentences = (problem.errors ?? []).slice(0, 5).map((error) => error.fix || error.allowed);
    const isOfValues = problem.errors?.length > 0 && problem.errors.every(({ pointer }) => pointer?.startsWith("/values"));
    return [
      ...(sentences.length ? sentences : [problem.message]).map((sentence) => h("p", { class: "cp-note" }, sentence)),
      problem.errors?.length && !isOfValues ? h("p", { class: "cp-hint" }, t("composer.template.cannot")) : "",
    ];
  }

  /** Sends what is filled: once however often it is pressed, and as the same message where the answer to it was lost. */
  async #send(parts, { anyway = false } = {}) {
    if (parts.isSending) return;
    const { template, outcome, actions, asked } = parts;
    const { apiBase, conversation, guard } = this.#context;
    if (parts.attempt.text !== asked) Object.assign(parts.attempt, { text: asked, id: makeUUID() });
    for (const alert of outcome.querySelectorAll("[role=alert]")) alert.remove();
    parts.isSending = true;
    actions.ariaBusy = "true";
    try {
      const query = anyway ? {} : await this.#query;
      const message = await api.post(`${apiBase}/api/conversations/${encodeURIComponent(conversation.id)}/template-messages`, {
        id: parts.attempt.id, template: template.name, version: template.version, values: JSON.parse(asked),
      }, { query });
      this.#begun.delete(parts.place);
      if (parts === this.#filled) this.#close();
      this.dispatchEvent(new CustomEvent("template-sent", { detail: { message }, bubbles: true }));
    } catch (problem) {
      this.#refused(parts, problem, guard);
    } finally {
      parts.isSending = false;
      actions.ariaBusy = null;
    }
  }

  #refused(parts, problem, guard) {
    if (parts !== this.#filled) {
      const { name, title } = parts.template;
      return showToast(`${title || name}: ${refusalWords(problem)}`);
    }
    const words = problem.code === "answered_meanwhile" ? guard?.(problem.body.current) : null;
    parts.outcome.append(words
      ? h("div", { class: "cp-alert", role: "alert" }, h("span", { class: "cp-grow" }, words),
        wordButton(t("composer.send.anyway"), () => this.#withValues(parts, () => this.#send(parts, { anyway: true }))))
      : h("p", { class: "cp-note", role: "alert" }, problem.errors?.[0]?.fix || refusalWords(problem)));
  }
}

customElements.define("template-picker", TemplatePicker);
