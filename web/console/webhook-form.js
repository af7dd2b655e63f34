import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { segments } from "../lib/segments.js";
import { card, field, savingForm } from "./panel-parts.js";
import { needsHeaders, requestOf, typeGroups, valuesOf } from "./webhook-words.js";

/** Most fields of an endpoint's own, and most requests at once. */
const MOST_HEADERS = 10;
const MOST_AT_ONCE = 4;

/**
 * One endpoint, new or changed. Values down: `webhook` (null for a new one), `labels` of the business, `save(body)` that stores
 * it. Events up: `form-closed`.
 */
class WebhookForm extends HTMLElement {
  webhook = null;
  /** @type {{id: string, name: string}[]} */
  labels = [];
  save = async (_body) => {};
  #values = valuesOf(null);

  connectedCallback() {
    const values = this.#values = valuesOf(this.webhook);
    const url = h("input", { class: "fd-input", type: "url", name: "url", required: true, maxlength: 2048, value: values.url, placeholder: "https://", onInput: () => { values.url = url.value; } });
    const description = h("input", { class: "fd-input", maxlength: 500, value: values.description, onInput: () => { values.description = description.value; } });
    this.news = h("p", { class: "fd-help", role: "status" });
    replace(this, card(this.webhook ? t("webhooks.changeShort") : t("webhooks.new"), savingForm({
      class: "stack is-wide", save: t(this.webhook ? "shared.save" : "webhooks.create"),
      onSave: async () => {
        if (!values.isAll && !values.types.length) throw { detail: t("webhooks.noneChosen") };
        if (values.headers?.some(({ name, value }) => value.trim() && !name.trim())) throw { detail: t("webhooks.headerNameless") };
        if (needsHeaders(values, this.webhook)) throw { detail: t("webhooks.headersAnew") };
        if (!this.webhook) this.news.textContent = t("webhooks.creating");
        try {
          await this.save(requestOf(values, this.webhook));
        } finally {
          this.news.textContent = "";
        }
      },
    },
    field("webhook-url", t("webhooks.url"), url, t("webhooks.urlHelp")),
    field("webhook-description", t("webhooks.description"), description),
    this.#events(),
    this.#choice("webhooks.direction", [["", t("webhooks.direction.both")], ["inbound", t("webhooks.direction.inbound")], ["outbound", t("webhooks.direction.outbound")]], "direction"),
    this.labels.length ? this.#marks(t("webhooks.labels"), this.labels.map((one) => [one.id, one.name]), values.labels) : null,
    this.#choice("webhooks.payload", ["full", "thin"].map((one) => [one, t(`webhooks.payload.${one}`)]), "payload", t("webhooks.payloadHelp")),
    this.#choice("webhooks.order", ["conversation", "none"].map((one) => [one, t(`webhooks.order.${one}`)]), "order", t("webhooks.orderHelp")),
    this.#choice("webhooks.concurrency", Array.from({ length: MOST_AT_ONCE }, (_, index) => [String(index + 1), String(index + 1)]), "concurrency"),
    this.webhook ? null : this.#choice("webhooks.signing", ["v1", "v1a"].map((one) => [one, t(`webhooks.signing.${one}`)]), "signing"),
    this.#headers(), this.news)));
    this.querySelector("form > .form-actions:last-child").prepend(h("button", {
      type: "button", class: "fd-button", onClick: () => this.dispatchEvent(new CustomEvent("form-closed")),
    }, t("shared.cancel")));
    url.focus();
  }

  #choice(words, pairs, name, help = "") {
    return h("div", { class: "fd-field" }, h("span", { class: "fd-label" }, t(words)),
      segments(t(words), pairs, String(this.#values[name]), (value) => { this.#values[name] = value; }),
      help ? h("p", { class: "fd-help" }, help) : null);
  }

  #events() {
    const values = this.#values;
    const count = h("span", { class: "fd-help" });
    const say = () => { count.textContent = t("webhooks.chosen", { count: values.types.length }); };
    const groups = h("div", { class: "webhook-types", hidden: values.isAll },
      h("p", null, count),
      Object.entries(typeGroups).map(([group, types]) => this.#marks(t(`webhooks.group.${group}`), types.map((one) => [one, one]), values.types, say)));
    say();
    return h("div", { class: "fd-field" }, h("span", { class: "fd-label" }, t("webhooks.events")),
      segments(t("webhooks.events"), [["all", t("webhooks.allEvents")], ["some", t("webhooks.someEvents")]], values.isAll ? "all" : "some", (value) => {
        values.isAll = value === "all";
        groups.hidden = values.isAll;
      }), groups);
  }

  /** Boxes of which any number may be checked; `chosen` is the list of what is. */
  #marks(title, pairs, chosen, changed = () => {}) {
    return h("fieldset", { class: "marks" }, h("legend", null, title), h("div", { class: "webhook-marks" }, pairs.map(([value, text]) =>
      h("label", { class: "mark" }, h("input", {
        type: "checkbox", value, checked: chosen.includes(value), onChange: (event) => {
          if (event.target.checked) chosen.push(value);
          else chosen.splice(chosen.indexOf(value), 1);
          changed();
        },
      }), h("span", null, text)))));
  }

  #headers() {
    const part = h("fieldset", { class: "marks" });
    const draw = (focused = -1) => {
      const list = this.#values.headers;
      const rows = list?.map((one, index) => h("div", { class: "webhook-header" },
        h("input", { class: "fd-input", value: one.name, maxlength: 64, placeholder: t("webhooks.headerName"), "aria-label": t("webhooks.headerNameOf", { number: index + 1 }), onInput: (event) => { one.name = event.target.value; } }),
        h("input", { class: "fd-input", value: one.value, maxlength: 1024, placeholder: t("webhooks.headerValue"), "aria-label": t("webhooks.headerValueOf", { number: index + 1 }), autocomplete: "off", onInput: (event) => { one.value = event.target.value; } }),
        h("button", {
          type: "button", class: "fd-button is-plain is-icon", "aria-label": t("webhooks.headerRemove", { number: index + 1 }), title: t("webhooks.headerRemove", { number: index + 1 }),
          onClick: () => {
            list.splice(index, 1);
            draw(Math.max(0, index - 1));
          },
        }, icon("close", 16))));
      const add = h("button", {
        type: "button", class: "fd-button", disabled: (list?.length ?? 0) >= MOST_HEADERS, onClick: () => {
          this.#values.headers = [...list ?? [], { name: "", value: "" }];
          draw(this.#values.headers.length - 1);
        },
      }, t(list || !this.webhook.headers.length ? "webhooks.headerAdd" : "webhooks.headersReplace"));
      replace(part, h("legend", null, t("webhooks.headers")),
        list ? rows : this.webhook.headers.length ? h("p", null, t("webhooks.headersKept", { names: this.webhook.headers.join(", ") })) : null,
        h("p", { class: "fd-help" }, t("webhooks.headersHelp")), h("div", { class: "form-actions is-start" }, add));
      if (focused >= 0) (part.querySelectorAll(".webhook-header input:first-child")[focused] ?? add).focus();
    };
    draw();
    return part;
  }
}

customElements.define("webhook-form", WebhookForm);
