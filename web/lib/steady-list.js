import { Presses } from "./presses.js";
import { isTyped, replaceKeepingFocus, settle } from "./reconcile.js";

/**
 * A part of a page that is drawn anew when something changes elsewhere, and in which the reader types and presses: it is not
 * replaced while a field in it holds what is being typed or a press has begun, but right after. A node that is removed would
 * lose the press, and would save what is half typed.
 */
export class SteadyList {
  #node;
  #presses;
  #drawn;
  /** Makes what is to be shown as soon as nothing is typed or pressed. @type {(() => import("./dom.js").Child[])|null} */
  #waiting = null;

  /** @param {Element} node @param {() => void} [drawn] called after each time that it was drawn */
  constructor(node, drawn = () => {}) {
    this.#node = node;
    this.#drawn = drawn;
    this.#presses = new Presses(node);
    // What a field has passed on is no longer being typed; one of a form is passed on with the form.
    node.addEventListener("change", ({ target }) => { if (!target.form) settle(target); }, { capture: true });
    node.addEventListener("submit", ({ target }) => [...target.elements].forEach(settle), { capture: true });
    node.addEventListener("focusout", () => setTimeout(this.#look));
  }

  /** Shows what `make` makes, now or when nothing is typed or pressed. @param {() => import("./dom.js").Child[]} make */
  draw(make) {
    this.#waiting = make;
    this.#look();
  }

  /** Shows what a press of the reader's asked for at once, in the place of all else. @param {() => import("./dom.js").Child[]} make */
  drawNow(make) {
    this.#waiting = null;
    replaceKeepingFocus(this.#node, make);
    this.#drawn();
  }

  #look = () => {
    if (this.#waiting) this.#presses.after(this.#drawWaiting);
  };

  #drawWaiting = () => {
    const { activeElement } = /** @type {Document|ShadowRoot} */ (this.#node.getRootNode());
    if (this.#waiting && !(this.#node.contains(activeElement) && isTyped(activeElement))) this.drawNow(this.#waiting);
  };
}
