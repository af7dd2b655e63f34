import "../composer/json-view.js";
import { h, replace } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";
import "./customer-panel.js";
import { keyHint, keyOf } from "./shortcuts.js";

/**
 * The third column: the customer; the phone, or the exact JSON, while a card is composed or a template is filled, and
 * as long as its preview is wanted.
 *
 * Values down: `state`, `open`, `composer`, `business`, `attachmentUrl`; `draft` (the detail of `draft-change`) and
 * `template` (a payload or null). Events up: `message-wanted`, `side-close`.
 */
export class SideColumn extends HTMLElement {
  state = null;
  composer = null;
  business = null;
  attachmentUrl = null;
  #draft = null;
  #template = null;
  /** What the reader chose; null for what the composer asks for. */
  #choice = null;
  #isComposing = false;
  /** What the phone shows; it is loaded when it is first seen. */
  #shown = {};

  connectedCallback() {
    if (this.firstChild) return;
    this.customer = h("customer-panel", { ".state": this.state });
    this.phone = h("div", { class: "side-phone" });
    this.#showOnPhone({ business: this.business, attachmentUrl: this.attachmentUrl });
    this.json = h("json-view", { ".composer": this.composer });
    this.json.addEventListener("edit-raw", (event) => {
      this.composer.editRaw(event.detail.text);
      this.#end();
    });
    this.panels = { device: this.phone, json: this.json, customer: this.customer };
    this.tabs = Object.keys(this.panels).map((name) => h("button", {
      type: "button", class: "tab", dataset: { side: name }, onClick: () => this.#choose(name),
    }, t(`console.side.${name}`)));
    this.head = h("div", { class: "side-head" },
      h("div", { class: "tabs", role: "group", "aria-label": t("console.side") }, this.tabs));
    this.foot = h("div", { class: "side-foot" },
      h("button", { type: "button", class: "fd-button is-plain side-preview", onClick: () => this.#choose("device") },
        icon("phone", 16), t("console.side.preview")),
      h("button", {
        type: "button", class: "fd-button is-plain side-hide", ...keyHint("side"), title: t("console.key.side"), onClick: () => this.#end(),
      }, icon("sidebar", 16), h("span", { class: "side-hide-words" }, t("shared.close")), h("kbd", { "aria-hidden": "true", "data-key-of": "side", hidden: !keyOf("side") }, keyOf("side"))));
    replace(this, h("aside", { class: "side", "aria-label": t("console.side") }, this.head,
      h("div", { class: "side-body" }, this.customer, this.phone, this.json), this.foot));
    this.#show();
    this.#drawDraft();
  }

  set open(open) {
    this.customer.open = open;
    this.#showOnPhone({ messages: open.messages });
  }

  set draft(draft) {
    this.#draft = draft;
    this.#drawDraft();
  }

  set template(payload) {
    this.#template = payload;
    this.#drawDraft();
  }

  /** Shows the phone. */
  preview() {
    this.#choose("device");
  }

  #showOnPhone(values) {
    Object.assign(this.#shown, values);
    if (this.device) Object.assign(this.device, values);
  }

  async #loadPhone() {
    await Promise.all([import("../cards/phone-frame.js"), import("../cards/phone-switches.js")]);
    if (this.device) return;
    this.device = Object.assign(h("phone-frame"), this.#shown);
    replace(this.phone, this.device, h("phone-switches", { ".frame": this.device, ".composer": this.composer }));
  }

  #drawDraft() {
    if (!this.phone) return;
    const { payload = null, kind = "text", attachments = [] } = this.#draft ?? {};
    this.#showOnPhone({ draft: this.#template ?? payload, draftAttachments: this.#template ? [] : attachments });
    const isComposing = Boolean(this.#template) || (kind !== "text" && payload !== null);
    if (isComposing === this.#isComposing) return;
    this.#isComposing = isComposing;
    this.#choice = null;
    this.#show();
  }

  #choose(name) {
    this.#choice = name;
    this.#show();
    this.tabs.find((tab) => tab.dataset.side === name)?.focus();
  }

  #show() {
    const shown = this.#choice ?? (this.#isComposing ? "device" : "customer");
    for (const tab of this.tabs) tab.setAttribute("aria-pressed", String(tab.dataset.side === shown));
    for (const [name, panel] of Object.entries(this.panels)) panel.hidden = name !== shown;
    this.head.hidden = shown === "customer" && !this.#isComposing;
    this.querySelector(".side-preview").hidden = shown !== "customer";
    this.dataset.shows = shown;
    // Safe: without a connection its place stays empty until it is chosen again.
    if (shown === "device") this.#loadPhone().catch(() => {});
  }

  #end() {
    this.dispatchEvent(new CustomEvent("side-close"));
  }
}

customElements.define("side-column", SideColumn);
