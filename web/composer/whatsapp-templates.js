import { h, sheet } from "../lib/dom.js";
import { language, registerStrings, t } from "../lib/i18n.js";
import { api } from "../lib/api.js";
import { placeNodes } from "../lib/reconcile.js";
import { makeUUID } from "../lib/uuid.js";
import { refusalWords } from "./composer-frame.js";
import { iconButton, textField, wordButton } from "./fields.js";
import { adoptStyles, focusedIn } from "./styles.js";
import { languageWords, missingIn, textOf } from "./whatsapp-text.js";

await registerStrings({ en: () => import("../i18n/en/whatsapp-templates.js"), ja: () => import("../i18n/ja/whatsapp-templates.js") });

/** With more templates than this the list has a search. */
const MOST_UNSEARCHED = 6;

const styles = sheet(`
whatsapp-templates { display: block; border: 1px solid var(--fd-line-strong); border-radius: var(--fd-radius-md); background: var(--fd-bg-raised);
  box-shadow: var(--fd-shadow-2); overflow: auto; scroll-padding-block: calc(84px + min(170px, 22dvh)) 76px; min-height: 0; flex: 0 1 auto; }
whatsapp-templates .tp-head { z-index: 1; }
whatsapp-templates .tp-head h3 { padding-inline-start: var(--fd-space-2); overflow-wrap: anywhere; }
whatsapp-templates .tp-head .tp-back ~ h3 { padding-inline-start: 0; }
.wt-note { margin: 0; padding: var(--fd-space-3) var(--fd-space-4); color: var(--fd-ink-2); font-size: var(--fd-text-sm); }
.wt-note .cp-button { margin-top: var(--fd-space-2); }
.wt-note code { display: block; margin-top: var(--fd-space-1); font-size: var(--fd-text-xs); overflow-wrap: anywhere; white-space: normal; }
.wt-list { margin: 0; padding: 4px; list-style: none; }
.wt-search { padding: var(--fd-space-2) var(--fd-space-3) 0; }
.wt-option { display: grid; width: 100%; gap: 2px; padding: 7px 10px; border: 0; border-radius: var(--fd-radius-sm); background: none; color: inherit;
  font: inherit; text-align: start; cursor: pointer; }
.wt-option:hover:not(:disabled) { background: var(--fd-bg-hover); }
.wt-option:disabled { cursor: default; color: var(--fd-ink-2); }
.wt-option .cp-hint { color: var(--fd-ink-2); }
.wt-name { font-weight: 500; overflow-wrap: anywhere; }
.wt-body { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; color: var(--fd-ink-2); font-size: var(--fd-text-sm);
  overflow-wrap: anywhere; }
/* What is sent stays in view while its variables are filled. */
.wt-preview { position: sticky; top: 51px; z-index: 1; max-height: min(170px, 22dvh); overflow: auto; border-bottom: 1px solid var(--fd-line); }
.wt-preview:focus-visible { outline: 2px solid var(--fd-focus); outline-offset: -2px; }
.wt-preview .cp-label { display: block; margin-bottom: var(--fd-space-2); }
.wt-said { padding: var(--fd-space-3) var(--fd-space-3) 0; }
.wt-said:empty { display: none; }
`);

/**
 * Picks a template that WhatsApp has approved, fills its variables, shows the finished text and sends it.
 *
 * Values down: `open({business, conversation, apiBase, guard, sendQuery})`. Events up: `template-sent` (`detail.message`) and `templates-close`.
 */
class WhatsAppTemplates extends HTMLElement {
  #context;
  #list = { data: [], isComplete: true };
  /** The template on screen with its values; null for the list. */
  #filled = null;
  /** What was typed for templates that were left for the list, with the attempt to send it. */
  #kept = new Map();
  /** The parts of the list, which stay while another list is read. */
  #listView;

  open(context) {
    this.#context = context;
    adoptStyles(this, [styles]);
    const search = h("input", {
      class: "cp-input", type: "search", "aria-label": t("whatsapp.search"), placeholder: t("whatsapp.search"), autocomplete: "off",
      onInput: () => this.#drawOptions(""),
    });
    const close = iconButton("close", t("whatsapp.close"), () => this.#close());
    this.#listView = {
      head: h("div", { class: "tp-head" }, h("h3", { class: "cp-grow" }, t("whatsapp.title")), close), close,
      box: h("div", { class: "wt-search" }, search), search,
      list: h("ul", { class: "wt-list" }), note: h("div", { class: "wt-note", role: "status" }),
    };
    this.onkeydown = (event) => this.#pressed(event);
    this.#load();
  }

  async #load() {
    this.#drawList(t("whatsapp.loading"));
    const context = this.#context;
    try {
      const list = await api.get(`${context.apiBase}/api/businesses/${encodeURIComponent(context.business.id)}/gateway/whatsapp/templates`);
      if (context !== this.#context || !this.isConnected) return;
      this.#list = list;
      this.#drawList();
    } catch (problem) {
      if (context === this.#context && this.isConnected) this.#drawList(problem);
    }
  }

  #close() { this.dispatchEvent(new CustomEvent("templates-close", { bubbles: true })); }

  #pressed(event) {
    if (event.isComposing || event.defaultPrevented) return;
    const { key } = event;
    if (key === "Enter" && this.#filled && (event.ctrlKey || event.metaKey || event.target.matches("input"))) {
      event.preventDefault();
      this.#send(this.#filled);
    }
    if (key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (this.#filled) this.#drawList();
    else this.#close();
  }

  /** Draws the list, or a problem or a word in its place. @param {any} [reason] */
  #drawList(reason = "") {
    const { template: former } = this.#filled ?? {};
    // Who went elsewhere while the list was on its way stays there.
    const hadFocus = !this.firstChild || this.contains(focusedIn(this));
    this.#filled = null;
    const { head, close, box, search, list, note } = this.#listView;
    box.hidden = this.#list.data.length <= MOST_UNSEARCHED;
    placeNodes(this, [head, box, list, note]);
    this.#drawOptions(reason);
    const focused = focusedIn(this);
    if (!hadFocus || (this.contains(focused) && focused !== close)) return;
    const options = [...list.querySelectorAll("button")];
    (options.find((one) => one.dataset.key === keyOf(former)) ?? (box.hidden || reason ? options.find((one) => !one.disabled) : search) ?? close)?.focus();
  }

  /** @param {any} reason why there is no list; empty where there is one */
  #drawOptions(reason) {
    const { data, isComplete } = this.#list;
    const { search, list, note } = this.#listView;
    const words = search.value.trim().toLowerCase();
    const shown = reason ? [] : data.filter(({ name, body }) => `${name} ${body}`.toLowerCase().includes(words));
    list.replaceChildren(...shown.map((template) => h("li", null, this.#option(template))));
    list.hidden = shown.length === 0;
    const said = reason ? problemParts(reason, () => this.#load())
      : shown.length === 0 ? [t(data.length ? "whatsapp.noMatch" : "whatsapp.none")]
        : isComplete ? [] : [t("whatsapp.incomplete")];
    note.replaceChildren(...said);
    note.hidden = said.length === 0;
  }

  #option(template) {
    const { name, language: code, category, body, isFillable } = template;
    const facts = [languageWords(code, language()), categoryWords(category), isFillable ? "" : t("whatsapp.notFillable")].filter(Boolean);
    return h("button", {
      type: "button", class: "wt-option", disabled: !isFillable, dataset: { key: keyOf(template) }, onclick: () => this.#choose(template),
    }, h("span", { class: "wt-name" }, name), h("span", { class: "cp-hint" }, facts.join(" · ")), h("span", { class: "wt-body", lang: code.replace("_", "-") }, body));
  }

  #choose(template) {
    const kept = this.#kept.get(keyOf(template));
    const values = Object.fromEntries(template.parameters.map(({ key }) => [key, kept?.values[key] ?? ""]));
    const preview = h("div", { class: "tp-preview wt-preview", role: "group", tabindex: "0", "aria-label": t("whatsapp.preview") });
    const said = h("div", { class: "wt-said", role: "alert" });
    const send = wordButton(t("whatsapp.send"), () => this.#send(parts), { iconName: "send", className: "cp-primary" });
    // What was on screen when it was chosen: a colleague may answer while it is filled.
    const query = this.#context.sendQuery?.({ anyway: false, isTemplate: true }) ?? Promise.resolve({});
    const parts = { template, values, said, send, query, isSending: false, attempt: kept?.attempt ?? { text: "", id: "" }, boxes: [] };
    this.#kept.set(keyOf(template), parts);
    const draw = () => {
      const card = document.createElement("desk-card");
      Object.assign(card, { direction: "outbound", perspective: "business", payload: { type: "text", body: textOf(template, values) } });
      preview.replaceChildren(h("span", { class: "cp-label" }, t("whatsapp.preview")), card);
    };
    parts.boxes = template.parameters.map((parameter) => textField({
      label: labelOf(parameter, template), draft: values, key: parameter.key,
      type: isFile(parameter) ? "url" : "text", maxLength: parameter.maximumBytes,
      hint: parameter.example ? t("whatsapp.example", { example: parameter.example }) : isFile(parameter) ? t("whatsapp.https") : undefined,
      changed: () => {
        markField(parts, parameter.key, "");
        draw();
      },
    }));
    for (const box of parts.boxes) box.control.required = true;
    this.#filled = parts;
    this.replaceChildren(
      h("div", { class: "tp-head" }, iconButton("up", t("whatsapp.back"), () => this.#drawList(), "tp-back"),
        h("h3", { class: "cp-grow" }, template.name), iconButton("close", t("whatsapp.close"), () => this.#close())),
      preview, h("div", { class: "tp-fields" }, parts.boxes), said, h("div", { class: "tp-actions" }, send));
    draw();
    (parts.boxes[0]?.control ?? send).focus();
    this.scrollTop = 0;
  }

  /** Sends it, once however often it is pressed, and as the same message where the answer to it was lost. */
  async #send(parts, { anyway = false } = {}) {
    if (parts.isSending) return;
    const { template, values, said, send } = parts;
    const { apiBase, conversation } = this.#context;
    // The button that sends it anyway goes, and not the focus with it.
    if (said.contains(focusedIn(this))) send.focus();
    said.replaceChildren();
    const missing = missingIn(template, values);
    for (const { key } of missing) markField(parts, key, t("whatsapp.fill"));
    if (missing.length) return parts.boxes[template.parameters.indexOf(missing[0])].control.focus();
    const text = JSON.stringify(values);
    if (parts.attempt.text !== text) parts.attempt = { text, id: makeUUID() };
    parts.isSending = true;
    send.ariaBusy = "true";
    try {
      const { ifLastSequence } = anyway ? {} : await parts.query;
      const message = await api.post(`${apiBase}/api/conversations/${encodeURIComponent(conversation.id)}/whatsapp-template-messages`, {
        id: parts.attempt.id, name: template.name, language: template.language, values,
      }, { query: ifLastSequence === undefined ? {} : { ifLastSequence } });
      this.#kept.delete(keyOf(template));
      this.dispatchEvent(new CustomEvent("template-sent", { detail: { message }, bubbles: true }));
      if (parts === this.#filled) this.#close();
    } catch (problem) {
      if (parts === this.#filled) this.#refused(parts, problem);
    } finally {
      parts.isSending = false;
      send.ariaBusy = null;
    }
  }

  #refused(parts, problem) {
    const words = problem.code === "answered_meanwhile" ? this.#context.guard?.(problem.body.current) : null;
    if (words) {
      return parts.said.replaceChildren(h("div", { class: "cp-alert" }, h("span", { class: "cp-grow" }, words),
        wordButton(t("composer.send.anyway"), () => this.#send(parts, { anyway: true }))));
    }
    const marked = (problem.errors ?? []).filter(({ pointer }) => markField(parts, pointer?.slice("/values/".length), t("whatsapp.oneLine")));
    if (marked.length) return this.querySelector("[aria-invalid=true]")?.focus();
    parts.said.replaceChildren(h("div", { class: "cp-note" }, ...problemParts(problem)));
  }
}

/** Says at a field what is wrong with it; false where there is no such field. */
function markField({ boxes }, key, words) {
  const box = boxes.find((one) => one.control.dataset.key === key);
  if (!box) return false;
  box.problem.hidden = !words;
  box.problem.textContent = words && box.control.type === "url" && box.control.value ? t("whatsapp.https") : words;
  box.control.ariaInvalid = words ? "true" : null;
  for (const name of ["cp-visited", "cp-has-error"]) box.classList.toggle(name, Boolean(words));
  return true;
}

/** Why there is nothing to choose or nothing was sent, with what WhatsApp says, and another attempt where one may help. */
function problemParts(problem, retry = null) {
  if (typeof problem === "string") return [problem];
  const own = { whatsapp_template_refused: "refused", whatsapp_unusable: "unusable", whatsapp_unavailable: "unavailable" }[problem.code];
  return [
    own ? t(`whatsapp.${own}`) : refusalWords(problem),
    // For who repairs the connection: it is not translated.
    own && problem.detail ? h("code", { lang: "en" }, problem.detail) : "",
    retry && own !== "unusable" ? h("div", null, wordButton(t("whatsapp.again"), retry, { iconName: "refresh" })) : "",
  ];
}

function labelOf({ kind, place, name }, { buttons }) {
  if (kind === "text") return t(`whatsapp.field.${place}`, { name: `{{${name}}}` });
  return t(`whatsapp.field.${kind}`, { button: buttons[Number(name)]?.text ?? "" });
}

const isFile = ({ kind }) => ["image", "video", "document"].includes(kind);
const keyOf = (template) => (template ? `${template.name} ${template.language}` : "");

function categoryWords(category) {
  return ["MARKETING", "UTILITY", "AUTHENTICATION"].includes(category) ? t(`whatsapp.category.${category}`) : category;
}

customElements.define("whatsapp-templates", WhatsAppTemplates);
