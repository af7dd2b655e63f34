import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { redraw } from "../lib/reconcile.js";

/**
 * Whether a member is there and how many open conversations they have, in a dot and words, as the roster changes.
 *
 * Values down: `roster`, `agent` (an id).
 */
class AgentPresence extends HTMLElement {
  roster = null;
  agent = "";
  #end = null;

  connectedCallback() {
    this.#end = new AbortController();
    this.roster.addEventListener("change", () => this.#draw(), { signal: this.#end.signal });
    this.#draw();
  }

  disconnectedCallback() {
    this.#end.abort();
  }

  #draw() {
    const state = this.roster.stateOf(this.agent);
    const open = this.roster.openOf(this.agent);
    const words = t(`presence.${state}`);
    const said = open === null ? words : t("presence.with", { state: words, open: t("presence.open", { count: open }) });
    if (this.textContent === said) return;
    redraw(this, h("i", { class: "presence-dot", dataset: { state }, "aria-hidden": "true" }), said);
  }
}

customElements.define("agent-presence", AgentPresence);
