import { h } from "../lib/dom.js";
import { summaryOf } from "../lib/erased.js";
import { t } from "../lib/i18n.js";
import { exactPayload, isReference } from "../lib/payload.js";
import { layOut } from "../composer/json-tokens.js";
import { reconcileRows } from "../lib/reconcile.js";
import { formatClock } from "../lib/time.js";
import "../composer/json-view.js";
import "../thread/wire-drawer.js";

/**
 * Every message of the conversation with its JSON, so that an answer can be read as it came.
 *
 * Values down: `messages`. Events up: `edit-raw` (from the view inside).
 */
export class MessageLog extends HTMLElement {
  #messages = [];
  #chosen = null;
  #followsNewest = true;
  /** The message whose exact text is in view. */
  #shown = null;
  #list = h("ul", { class: "ml-list", onclick: (event) => this.#press(event) });
  #view = document.createElement("json-view");
  #drawer = document.createElement("wire-drawer");
  #wire = h("button", { type: "button", class: "ml-wire", onclick: () => this.#showWire() });
  #empty = h("p", { class: "js-empty" });

  connectedCallback() {
    if (!this.firstChild) this.append(this.#list, h("div", { class: "ml-side" }, this.#wire, this.#view), this.#empty, this.#drawer);
    this.#draw();
  }

  set messages(messages) {
    const conversation = messages.at(-1)?.conversation;
    if (conversation !== this.#messages.at(-1)?.conversation) this.#followsNewest = true;
    this.#messages = messages;
    this.#drawer.follow(messages);
    if (this.isConnected) this.#draw();
  }

  #draw() {
    const newest = [...this.#messages].reverse();
    this.#empty.hidden = newest.length > 0;
    this.#empty.replaceChildren(t("sandbox.log.empty"));
    this.#view.parentElement.hidden = newest.length === 0;
    this.#wire.textContent = t("thread.wire");
    if (this.#followsNewest) this.#chosen = newest[0]?.id ?? null;
    reconcileRows(this.#list, newest.map((message) => h("li", { dataset: { key: message.id } }, h("button", {
      type: "button", class: "ml-row", "aria-pressed": String(message.id === this.#chosen), dataset: { id: message.id },
    },
    h("span", { class: `ml-arrow ml-${message.direction}`, "aria-hidden": "true" }, message.direction === "inbound" ? "←" : "→"),
    h("span", { class: "fd-hidden-text" }, t(`sandbox.log.${message.direction}`)),
    h("span", { class: "ml-words" }, summaryOf(message) || message.kind),
    h("time", { class: "ml-time", datetime: message.time }, formatClock(new Date(message.time)))))));
    const chosen = newest.find((message) => message.id === this.#chosen);
    if (chosen) this.#show(chosen);
  }

  #press(event) {
    const { id } = event.target.closest("[data-id]")?.dataset ?? {};
    if (!id) return;
    this.#chosen = id;
    this.#followsNewest = false;
    this.#draw();
  }

  #showWire() {
    const message = this.#messages.find((one) => one.id === this.#chosen);
    if (message) this.#drawer.show(message);
  }

  async #show(message) {
    this.#view.heading = `${t(`sandbox.log.${message.direction}`)} · #${message.sequence}`;
    const key = `${message.id}/${message.erasedAt ?? ""}`;
    if (this.#shown !== key) this.#view.text = isReference(message.payload) ? "" : JSON.stringify(message.payload, null, 2);
    if (this.#shown === key) return;
    this.#shown = key;
    try {
      const payload = await exactPayload(message);
      // Text on one line is laid out for the eye; its tokens stay as they came.
      if (this.#shown === key) this.#view.text = payload.includes("\n") ? payload : layOut(payload);
    } catch {
      this.#shown = null;  // Safe: the payload from the stream stays in view.
    }
  }
}

customElements.define("message-log", MessageLog);
