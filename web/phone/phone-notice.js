import { h, replace } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";

const MILLISECONDS = 5000;

/** The words over the field that say what has just happened. */
export class PhoneNotice {
  node = h("div", { class: "toast", role: "status" });
  #timer = 0;

  /** Says something for some seconds. @param {string} text */
  say(text) {
    this.#show(h("p", null, text));
    this.#timer = setTimeout(() => this.#show(), MILLISECONDS);
  }

  /** Says something that the customer is to act on, until they do. @param {string} text @param {string} what @param {() => void} act */
  ask(text, what, act) {
    const end = (work) => () => {
      this.#show();
      work?.();
    };
    this.#show(h("div", { class: "toast-question" }, h("p", null, text),
      h("button", { class: "toast-act", type: "button", onClick: end(act) }, what),
      h("button", { class: "toast-close", type: "button", "aria-label": t("shared.close"), onClick: end() }, icon("close", 18))));
  }

  /** The customer has gone on: what was only said goes. */
  settle() {
    if (!this.node.querySelector("button")) this.#show();
  }

  #show(content = null) {
    clearTimeout(this.#timer);
    replace(this.node, content);
  }
}
