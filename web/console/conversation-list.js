import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { reconcileRows } from "../lib/reconcile.js";
import { formatAgo } from "../lib/time.js";
import { authorLead, customerName, hueOf, initials } from "./names.js";
import { writeRoute } from "./routes.js";
import "./message-search.js";

const FILTERS = ["mine", "unassigned", "all"];
const STATES = ["open", "pending", "snoozed", "closed", "any"];

/** The left column: assignee, state, the longest wait, and the rows. Event up: `go`. */
class ConversationList extends HTMLElement {
  state = null;
  #words = "";

  connectedCallback() {
    this.head = h("header", { class: "list-head" });
    this.status = h("p", { class: "list-status", role: "status" });
    this.strip = h("div", { class: "strip", onClick: (event) => this.#follow(event) });
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
      this.head, this.strip, this.search, this.status,
      h("div", { class: "list-scroll" }, this.rows, this.more, this.hits)));
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
    this.#drawHead();
    this.#drawStrip();
    const label = t("console.search");
    this.search.placeholder = label;
    this.search.setAttribute("aria-label", label);
    const rows = this.#words ? this.#found() : state.rows;
    reconcileRows(this.rows, rows.map((row) => this.#makeRow(row)));
    this.announce(state.problem ? state.problem.detail || t("shared.problem.offline")
      : state.isLoading && !rows.length ? t("shared.loading")
      : rows.length || this.hits.isLooking ? ""
      : t(this.#words ? "console.search.noRow" : "console.noConversations"));
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

  /** Puts the cursor into the search field. */
  focusSearch() {
    this.search.focus();
    this.search.select();
  }

  #drawHead() {
    const { filter, counts, session } = this.state;
    if (!this.tabs) {
      this.tabs = h("div", { class: "tabs", role: "group", onClick: (event) => {
        const tab = event.target.closest("[data-key]");
        if (tab) this.state.load({ filter: tab.dataset.key });
      } });
      this.stateSelect = h("select", {
        class: "quiet-select",
        onChange: () => this.state.load({ state: this.stateSelect.value }),
      });
      this.businessSelect = h("select", {
        class: "quiet-select",
        onChange: () => this.state.load({ business: this.businessSelect.value }),
      });
      this.heading = h("h1", { id: "list-title" });
      replace(this.head, h("div", { class: "list-title" }, this.heading, this.businessSelect,
        this.stateSelect), this.tabs);
    }
    this.heading.textContent = t("console.inbox");
    this.tabs.setAttribute("aria-label", t("console.whose"));
    options(this.stateSelect, STATES.map((one) => [one, t(`console.state.${one}`)]), filter.state,
      t("console.stateLabel"));
    options(this.businessSelect,
      [["", t("console.everyBusiness")], ...session.businesses.map((one) => [one.id, one.name])],
      filter.business, t("console.business"));
    reconcileRows(this.tabs, FILTERS.map((one) => h("button", {
      type: "button", class: "tab", dataset: { key: one }, "aria-pressed": String(filter.filter === one),
    }, t(`console.filter.${one}`), " ", h("span", { class: "count" }, counts[one] ?? 0))));
  }

  #drawStrip() {
    const { count, conversation, since } = this.state.counts.waiting;
    this.strip.hidden = !count;
    if (!count) return;
    reconcileRows(this.strip, [h("button", {
      type: "button", class: "strip-button", dataset: { key: "longest", open: conversation },
    }, h("span", null, t("console.waiting", { count })),
    h("span", { class: "strip-longest" }, t("console.longest", {
      time: formatAgo(new Date(since)),
    })))]);
  }

  #makeRow(row) {
    const name = customerName(row);
    const isOpen = this.state.open?.conversation.id === row.id;
    const last = row.lastMessage;
    const isTyping = this.state.isTyping(row.id);
    return h("li", { dataset: { key: row.id } }, h("a", {
      class: `row ${row.unread ? "is-unread" : ""}`, href: writeRoute({ name: "inbox", conversation: row.id }),
      dataset: { open: row.id }, "aria-current": isOpen ? "true" : null,
    },
    face(name, row.customer?.id ?? row.id),
    h("span", { class: "row-body" },
      h("span", { class: "row-top" },
        h("span", { class: "row-name" }, h("bdi", null, name)),
        last ? h("time", { class: "row-time", datetime: last.time }, formatAgo(new Date(last.time)))
          : null),
      h("span", { class: "row-text" }, isTyping ? t("console.customerTyping")
        : row.left ? t("console.left")
        : last ? `${authorLead(last, this.state.session.agent.id)}${last.summary}` : ""),
      this.#marks(row)),
    row.unread ? h("span", { class: "unread", "aria-label": t("console.unread", { count: row.unread }) },
      row.unread) : null));
  }

  #marks(row) {
    const business = this.state.session.businesses.find((one) => one.id === row.business);
    const here = this.state.colleagues(row.id);
    const marks = [
      business && this.state.session.businesses.length > 1
        ? h("span", { class: "chip" }, h("i", { class: "chip-dot", style: { background: business.colour } }),
          business.name) : null,
      business?.mode === "test" ? h("span", { class: "chip is-test" }, t("console.test")) : null,
      row.assignee ? h("span", { class: "chip" }, row.assignee.name) : null,
      row.state !== "open" ? h("span", { class: "chip" }, t(`console.state.${row.state}`)) : null,
      here.map((one) => h("span", { class: `chip is-here is-${one.state}` },
        t(one.state === "writing" ? "console.writing" : "console.looking", { name: one.name }))),
    ];
    return h("span", { class: "row-marks" }, marks);
  }

  /** A press on a row or on the longest wait opens that conversation. */
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

function options(select, pairs, value, label) {
  select.setAttribute("aria-label", label);
  const mark = JSON.stringify(pairs);
  if (select.dataset.mark !== mark) {
    select.dataset.mark = mark;
    replace(select, pairs.map(([key, text]) => h("option", { value: key }, text)));
  }
  if (select.value !== value) select.value = value;
}

customElements.define("conversation-list", ConversationList);
