import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { reconcileRows } from "../lib/reconcile.js";
import { conversationRow } from "./conversation-row.js";
import { viewNamed } from "./inbox-views.js";
import { customerName, hueOf, initials } from "./names.js";
import { writeRoute } from "./routes.js";
import "./message-search.js";

/** The list of the open view: its name, the search, the rows. Event up: `go`. */
class ConversationList extends HTMLElement {
  state = null;
  #words = "";

  connectedCallback() {
    this.heading = h("h1", { id: "list-title" });
    this.order = h("span", { class: "list-order" });
    this.status = h("p", { class: "list-status", role: "status" });
    this.search = h("input", {
      class: "fd-input", type: "search", onInput: () => this.#search(), onKeydown: (event) => this.#key(event),
    });
    this.rows = h("ul", { class: "conversation-rows", onClick: (event) => this.#follow(event) });
    this.more = h("button", {
      type: "button", class: "fd-button is-plain", hidden: true,
      onClick: () => this.state.loadMore(),
    });
    this.hits = h("message-search", { ".state": this.state, onFound: () => this.update() });
    replace(this, h("section", { class: "list", "aria-labelledby": "list-title" },
      h("header", { class: "list-head" }, h("div", { class: "list-title" }, this.heading, this.order), this.search),
      this.status, h("div", { class: "list-scroll" }, this.rows, this.more, this.hits)));
    this.#timer = setInterval(() => this.update(), 30_000);
  }

  #timer = 0;

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  /** Shows a sentence above the rows. @param {string} text */
  announce(text) {
    this.status.textContent = text;
  }

  update() {
    if (!this.rows) return;
    const { state } = this;
    const view = viewNamed(state.filter.view);
    this.heading.textContent = t(`console.view.${view.id}`);
    this.order.textContent = t(view.isByWait ? "console.order.wait" : "console.order.newest");
    const label = t("console.search");
    this.search.placeholder = label;
    this.search.setAttribute("aria-label", label);
    const rows = this.#words ? this.#found() : state.rows;
    reconcileRows(this.rows, rows.map((row) => conversationRow(row, state)));
    this.announce(state.problem ? state.problem.detail || t("shared.problem.offline")
      : state.isLoading && !rows.length ? t("shared.loading")
      : rows.length || this.hits.isLooking || this.hits.hasHits ? ""
      : t(this.#words ? "console.search.noRow" : `console.none.${view.id}`));
    this.more.hidden = !state.hasMore || Boolean(this.#words);
    this.more.textContent = t("console.more");
    this.hits.update();
  }

  /** Customers of that name: those of the rows at once, and all others after the server's answer. */
  #found() {
    const { state } = this;
    const near = state.rows.filter((row) =>
      customerName(row).toLocaleLowerCase().includes(this.#words));
    const known = new Set(near.map((row) => row.id));
    const far = state.found.rows().filter((row) => !known.has(row.id));
    return [...near, ...far.map((row) => state.store.get(row.id) ?? row)];
  }

  #search() {
    this.#words = this.search.value.trim().toLocaleLowerCase();
    this.hits.words = this.search.value;
    this.update();
  }

  /** Enter opens the first that is found; Escape clears the field, and then leaves it. */
  #key(event) {
    if (event.isComposing || !this.search.value) return;
    if (event.key === "Enter") {
      event.preventDefault();
      this.querySelector(".list-scroll li a")?.click();
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.search.value = "";
      this.#search();
    }
  }

  /** Ends a search: another view has its own rows. */
  clearSearch() {
    if (!this.search.value) return;
    this.search.value = "";
    this.#search();
  }

  /** Puts the cursor into the search field. */
  focusSearch() {
    this.search.focus();
    this.search.select();
  }

  /** A press on a row opens that conversation. */
  #follow(event) {
    const pressed = event.target.closest("[data-open]");
    if (!pressed || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    this.dispatchEvent(new CustomEvent("go", {
      bubbles: true, detail: writeRoute({ name: "inbox", conversation: pressed.dataset.open }),
    }));
  }
}

/** A round face with initials. @param {string} name @param {string} id */
export function face(name, id) {
  return h("span", {
    class: "face", "aria-hidden": "true", style: { "--hue": hueOf(id) },
  }, initials(name));
}

customElements.define("conversation-list", ConversationList);
