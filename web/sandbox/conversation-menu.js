import { icon } from "../composer/icons.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { customerLetters, customerName } from "../lib/names.js";
import { openPopup } from "../lib/popup.js";
import { redraw } from "../lib/reconcile.js";

/**
 * The head above the simulated phone: whose conversation is open; a press shows the others, the code for a further
 * phone, and the way back to the first page.
 *
 * Values down: `list` (a `conversation-switch`), `join` (a `join-code`), `show(conversation, fresh)`. Event up:
 * `code-wanted`.
 */
export class ConversationMenu extends HTMLElement {
  list = null;
  join = null;
  #popup = null;
  #button = h("button", {
    type: "button", class: "sb-who", "aria-haspopup": "dialog", "aria-expanded": "false", onClick: () => this.#open(),
  });

  connectedCallback() {
    this.append(this.#button);
  }

  disconnectedCallback() {
    this.#popup?.close();
  }

  /**
   * @param {any} conversation the open one
   * @param {number} fresh how many others have an unseen message
   */
  show(conversation, fresh) {
    redraw(this.#button,
      h("span", { class: "cs-face", "aria-hidden": "true" }, customerLetters(conversation)),
      h("span", { class: "sb-who-name" }, h("span", { class: "fd-hidden-text" }, t("sandbox.conversations"), ": "),
        h("bdi", null, customerName(conversation))),
      fresh > 0 ? h("span", { class: "cs-new" }, t("sandbox.newCount", { count: fresh })) : null,
      icon("down"));
  }

  /** Closes what the head shows. */
  close() {
    this.#popup?.close();
  }

  #open() {
    const invite = h("details", { class: "sb-invite", onToggle: () => this.#popup?.settle() },
      h("summary", null, icon("plus"), t("sandbox.invite")), this.join);
    this.#popup = openPopup(this.#button, h("div", { class: "sb-others" }, this.list, invite, h("button", {
      type: "button", class: "fd-button is-plain sb-back",
      onClick: () => this.dispatchEvent(new CustomEvent("code-wanted")),
    }, icon("back"), t("sandbox.newCode"))), {
      label: t("sandbox.conversations"), className: "sb-conversations", onClose: () => { this.#popup = null; },
    });
    this.list.querySelector("[aria-current=true]")?.focus();
  }
}

customElements.define("conversation-menu", ConversationMenu);
