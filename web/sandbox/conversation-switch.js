import { h } from "../lib/dom.js";
import { summaryOf } from "../lib/erased.js";
import { t } from "../lib/i18n.js";
import { icon } from "../composer/icons.js";
import { customerLetters, customerName } from "../lib/names.js";
import { reconcileRows } from "../lib/reconcile.js";
import { formatClock } from "../lib/time.js";

/**
 * The sandbox's conversations; one is open.
 *
 * Values down: `show(conversations, openID, fresh)`. Events up: `conversation-open` (`detail.id`).
 */
export class ConversationSwitch extends HTMLElement {
  #title = h("h2", { class: "cs-title" });
  #none = h("p", { class: "cs-empty" });
  #list = h("ul", { class: "cs-list", onclick: (event) => this.#press(event) });

  /**
   * @param {any[]} conversations
   * @param {string|null} openID
   * @param {Set<string>} fresh ids with an unseen message
   */
  show(conversations, openID, fresh) {
    if (!this.firstChild) this.append(this.#title, this.#list, this.#none);
    this.#title.replaceChildren(t("sandbox.conversations"));
    this.#none.replaceChildren(t("sandbox.conversations.none"));
    this.#none.hidden = conversations.length > 0;
    this.#list.hidden = conversations.length === 0;
    reconcileRows(this.#list, conversations.map((conversation) => this.#row(conversation, openID, fresh)));
  }

  #press(event) {
    const { id } = event.target.closest("[data-id]")?.dataset ?? {};
    if (id) this.dispatchEvent(new CustomEvent("conversation-open", { detail: { id }, bubbles: true }));
  }

  #row(conversation, openID, fresh) {
    const { id, lastMessage, left } = conversation;
    const name = customerName(conversation);
    return h("li", { dataset: { key: id } }, h("button", {
      type: "button", class: "cs-row", dataset: { id }, "aria-current": id === openID ? "true" : null,
    },
    h("span", { class: "cs-face", "aria-hidden": "true" }, customerLetters(conversation)),
    h("span", { class: "cs-words" },
      h("span", { class: "cs-name" }, h("bdi", null, name),
        fresh.has(id) ? h("span", { class: "cs-new" }, t("sandbox.new")) : null),
      h("span", { class: "cs-last" }, left ? h("span", { class: "cs-left" }, icon("lock"), t("sandbox.left")) : summaryOf(lastMessage))),
    lastMessage ? h("time", { class: "cs-time", datetime: lastMessage.time }, formatClock(new Date(lastMessage.time))) : null));
  }
}
customElements.define("conversation-switch", ConversationSwitch);
