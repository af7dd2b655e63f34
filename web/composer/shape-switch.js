import { ApiProblem, api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { serverLanguage } from "./rule-words.js";

const own = "messages-for-business";
const shapes = [own, "whatsapp", "rcs", "line", "slack", "telegram"];
/** How long the typing has to pause before the server is asked, in milliseconds. */
const restMilliseconds = 400;
/** More losses than this are counted. */
const shownLosses = 100;

/**
 * Shows a message of ours as another vendor's channel writes it, and what that loses.
 *
 * Values down: `show(text)`. Events up: `shape-change` when there is something else to show: `shown`, the
 * text in the chosen shape, or null while that is ours or there is none.
 */
export class ShapeSwitch extends HTMLElement {
  /** What the addresses of the API begin with. */
  apiBase = "";
  shown = null;
  #text = "";
  #timer = 0;
  #running = null;
  #select = h("select", { class: "js-shapes", onchange: () => this.#choose() });
  #label = h("label", { class: "js-shape" }, h("span", { class: "js-shape-word" }), this.#select);
  #state = h("p", { class: "js-lost-state", role: "status" });
  #list = h("ul", { class: "js-lost" });

  /** What is lost, for the view to place below the text. */
  losses = h("section", { class: "js-losses", hidden: true, tabindex: "0" }, this.#state, this.#list);

  connectedCallback() {
    this.#label.firstChild.replaceChildren(t("composer.json.shownAs"));
    this.losses.setAttribute("aria-label", t("composer.json.lost"));
    if (!this.firstChild) this.append(this.#label);
    if (this.#select.options.length > 0) return;
    this.#select.append(...shapes.map((shape) => h("option", { value: shape }, t(`composer.json.shape.${shape}`))));
  }

  /** Whether another shape than ours is shown. */
  get isForeign() {
    return this.#select.value !== "" && this.#select.value !== own;
  }

  /** @param {string} text the message in our shape */
  show(text) {
    if (text === this.#text) return;
    this.#text = text;
    if (this.isForeign) this.#askSoon(restMilliseconds);
  }

  #choose() {
    this.#forget();
    this.#change(null, []);
    if (this.isForeign) this.#askSoon(0);
  }

  /** What was asked for another shape or text is not shown. */
  #forget() {
    clearTimeout(this.#timer);
    this.#running?.abort();
  }

  #askSoon(wait) {
    this.#forget();
    if (this.#text.trim() === "") return this.#change(null, []);
    this.#timer = setTimeout(() => this.#ask(this.#text, this.#select.value), wait);
  }

  async #ask(text, shape) {
    const stop = (this.#running = new AbortController());
    try {
      const answer = await api.postText(`${this.apiBase}/api/translate?from=${own}&to=${shape}`, text, { signal: stop.signal });
      if (stop.signal.aborted) return;
      this.#change(JSON.stringify(answer.message, null, 2), answer.losses);
    } catch (problem) {
      if (stop.signal.aborted) return;
      if (!(problem instanceof ApiProblem)) throw problem;
      this.#change("", [], problem.mayRetry ? t("composer.json.notNow") : t("composer.json.notShown"));
    }
  }

  #change(shown, losses, words = null) {
    this.shown = shown;
    this.losses.hidden = !this.isForeign || (shown === null && words === null);
    const count = losses.length;
    this.#state.replaceChildren(words ?? (count === 0 ? t("composer.json.nothingLost") : t("composer.json.lostCount", { count })));
    this.#list.replaceChildren(...losses.slice(0, shownLosses).map((loss) => h("li", null,
      h("span", { class: `js-lost-kind js-lost-${loss.kind}` }, t(`composer.json.lost.${loss.kind}`)),
      h("code", null, loss.pointer || "/"),
      h("span", { lang: serverLanguage() }, loss.reason))));
    this.dispatchEvent(new CustomEvent("shape-change", { bubbles: true }));
  }
}
customElements.define("shape-switch", ShapeSwitch);
