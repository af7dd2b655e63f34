import { h, replace } from "../lib/dom.js";
import "./business-steps.js";
import "./first-steps.js";
import { sandboxOf, shopOf } from "./first-businesses.js";

/**
 * The first steps that are next: those of the sandbox, then those of the business that customers write to. Where the list
 * shows one business it is that one's. Values down: `state`.
 */
class StartSteps extends HTMLElement {
  state = null;
  #isTried = false;
  #shown = "";
  #end = new AbortController();

  connectedCallback() {
    this.state.addEventListener("change", () => this.#draw(), { signal: this.#end.signal });
    this.#draw();
  }

  disconnectedCallback() {
    this.#end.abort();
  }

  #draw() {
    const { session, filter } = this.state;
    const [sandbox, shop] = [sandboxOf(session), shopOf(session, filter.business)];
    const isSandbox = Boolean(sandbox) && (filter.business ? filter.business === sandbox.id : !this.#isTried);
    const business = isSandbox ? sandbox : shop;
    const shown = business && `${isSandbox} ${business.id}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    if (!business) return replace(this);
    const go = () => /** @type {any} */ (this.closest("desk-workspace")).openView({ business: shop.id });
    const over = () => {
      this.#isTried = true;
      // Not while the card that says so draws itself.
      queueMicrotask(() => this.#draw());
    };
    replace(this, isSandbox ? h("first-steps", { ".state": this.state, ".business": sandbox, ".next": shop, onNext: go, onOver: over })
      : h("business-steps", { ".state": this.state, ".business": business }));
  }
}

customElements.define("start-steps", StartSteps);
