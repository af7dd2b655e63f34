import { isTyped, replaceKeepingFocus } from "./reconcile.js";

/**
 * A part of a page that is drawn anew when changes are saved, and in which names are typed: it is not replaced while a
 * field in it holds what is being typed or a press has begun, but right after. A node that is removed would lose the
 * press, and would save what is half typed.
 */
export class SteadyList {
  #node;
  /** Presses that have begun and not ended; one may begin before the end of the one before is seen. */
  #presses = 0;
  /** Makes what is to be shown as soon as nothing is typed or pressed. @type {(() => Element[])|null} */
  #waiting = null;

  /** @param {Element} node */
  constructor(node) {
    this.#node = node;
    node.addEventListener("pointerdown", () => this.#hold("pointerup", "pointercancel"));
    // The space bar presses when it is let go.
    node.addEventListener("keydown", ({ key }) => { if (key === " ") this.#hold("keyup", "blur"); });
    // What a field has passed on is no longer being typed; one of a form is passed on with the form.
    node.addEventListener("change", ({ target }) => { if (!target.form) settle(target); });
    node.addEventListener("submit", ({ target }) => [...target.elements].forEach(settle), { capture: true });
    node.addEventListener("focusout", () => setTimeout(() => this.#look()));
  }

  /** Shows what `make` makes, now or when nothing is typed or pressed. @param {() => Element[]} make */
  draw(make) {
    this.#waiting = make;
    this.#look();
  }

  #hold(...ends) {
    this.#presses += 1;
    const end = new AbortController();
    for (const type of ends) {
      addEventListener(type, () => {
        end.abort();
        // The press itself comes after its end.
        setTimeout(() => {
          this.#presses -= 1;
          this.#look();
        });
      }, { capture: true, signal: end.signal });
    }
  }

  #look() {
    const make = this.#waiting;
    const { activeElement } = /** @type {Document|ShadowRoot} */ (this.#node.getRootNode());
    if (!make || this.#presses > 0 || (this.#node.contains(activeElement) && isTyped(activeElement))) return;
    this.#waiting = null;
    replaceKeepingFocus(this.#node, make());
  }
}

/** What a field holds counts as its own from now on. */
function settle(field) {
  if (isTyped(field)) field.defaultValue = field.value;
}
