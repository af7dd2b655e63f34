import { h, oncePerFrame, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { loadPart } from "../lib/late-part.js";
import { icon } from "../lib/icons.js";
import { reconcile, reconcileRows } from "../lib/reconcile.js";
import { conversationRow } from "./conversation-row.js";
import { viewNamed } from "./inbox-views.js";
import { chosenOf, filterOf, isByWait, isDueSoon, isOldest, isSameList, narrowings, writeFilter } from "./list-filter.js";
import { customerName, hueOf, initials } from "./names.js";
import { narrowingWords } from "./narrowing-words.js";
import { mayAnywhere } from "./permissions.js";
import { ROW_HEIGHT, windowOf } from "./row-window.js";
import { selectRows } from "./row-selecting.js";
import { writeRoute } from "./routes.js";
import { Selection } from "./selection.js";
import { isUnused } from "./unused-inbox.js";

/**
 * The list of the open view: its name, the search, what narrows it, the rows; of a long one those in view. Rows can be
 * selected, and changed together (`bulk-bar`). Events up: `go`, `view-open`.
 */
class ConversationList extends HTMLElement {
  state = null;
  selection = new Selection();
  #words = "";
  /** The rows of the list as it was drawn last. */
  #shown = [];
  #bar = null;
  #filter = "";
  #opened = null;
  /** The key of what was opened last of what a search found. */
  #foundKey = null;
  #drawRows = oncePerFrame(() => this.isConnected && this.#reconcileRows());

  connectedCallback() {
    this.heading = h("h1", { id: "list-title", tabindex: "-1" });
    this.order = h("span", { class: "list-order" });
    this.status = h("p", { class: "list-status", role: "status" });
    this.search = h("input", {
      class: "fd-input", type: "search", onInput: () => this.#search(), onKeydown: (event) => this.#key(event),
    });
    this.rows = h("ul", { class: "conversation-rows" });
    selectRows(this.rows, this.selection, () => this.#shown.map((row) => row.id), (id) => this.#focusRow(id));
    this.rows.addEventListener("click", (event) => this.#follow(event));
    this.selection.addEventListener("change", () => this.#showSelection());
    this.filter = h("button", {
      type: "button", class: "fd-button is-icon filter-button", "aria-haspopup": "dialog", "aria-expanded": "false", onClick: () => this.#openFilter(),
    }, icon("filter", 17));
    this.savedMenu = h("button", {
      type: "button", class: "fd-button is-icon saved-menu", "aria-haspopup": "menu", "aria-expanded": "false", hidden: true,
      onClick: () => this.openSavedMenu(),
    }, icon("menu", 17));
    this.gone = h("p", { class: "list-gone", role: "status", hidden: true });
    this.chips = h("div", { class: "filter-chips", onClick: (event) => this.#dropNarrowing(event) });
    this.scroll = h("div", { class: "list-scroll", onScroll: this.#drawRows });
    this.scroll.addEventListener("keydown", (event) => this.#walk(event), { capture: true });
    this.scroll.addEventListener("click", ({ target }) => { this.#foundKey = keyOf(target) ?? this.#foundKey; });
    this.more = h("button", {
      type: "button", class: "fd-button is-plain", hidden: true,
      onClick: () => this.state.loadMore(),
    });
    /** What the server finds; made with the first word. */
    this.hits = null;
    replace(this, h("section", { class: "list", "aria-labelledby": "list-title" },
      h("header", { class: "list-head" }, h("div", { class: "list-title" }, this.heading, this.order, this.savedMenu),
        h("div", { class: "list-find" }, this.search, this.filter), this.chips),
      this.gone, this.status, this.scroll));
    replace(this.scroll, this.rows, this.more);
    this.#timer = setInterval(() => {
      this.state.followTime();
      this.update();
    }, 30_000);
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
    const chosen = chosenOf(state.filter);
    const named = chosen && state.lists.named(chosen.name, chosen.id);
    const saved = state.views.named(state.filter.saved);
    this.heading.textContent = saved ? saved.name : named ? named.name
      : t(state.filter.state ? `console.state.${state.filter.state}` : `console.view.${view.id}`);
    this.order.textContent = t(`console.order.${isDueSoon(state.filter) ? "due" : isByWait(state.filter) ? "wait" : isOldest(state.filter) ? "oldest" : "newest"}`);
    this.#drawSaved(saved);
    const label = t("console.search");
    this.search.placeholder = label;
    this.search.setAttribute("aria-label", label);
    const rows = this.#words ? this.#found() : state.rows;
    this.#shown = rows;
    this.#drawFilter(chosen);
    if (!state.isLoading && !this.#words) this.selection.keep(new Set(rows.map((row) => row.id)));
    this.#reconcileRows();
    this.#followOpened();
    this.#bar?.update();
    this.announce(state.problem ? state.problem.detail || t("shared.problem.offline")
      : state.isLoading && !rows.length ? t("shared.loading")
      : rows.length || (this.#words && !this.hits) || this.hits?.isLooking || this.hits?.hasHits ? ""
      : t(this.#words ? "console.search.noRow" : isUnused(state) ? "console.none.ever" : narrowings(state.filter).length ? "console.none.narrowed" : `console.none.${view.id}`));
    this.more.hidden = !state.hasMore || Boolean(this.#words);
    this.more.textContent = t("console.more");
    this.hits?.update();
  }

  /** Draws the rows that are in view. */
  #reconcileRows() {
    const { state, selection } = this;
    const { scrollTop: top, clientHeight: height } = this.scroll;
    const part = windowOf(this.#shown.length, { top, height });
    this.rows.style.setProperty("padding-top", `${part.before}px`);
    this.rows.style.setProperty("padding-bottom", `${part.after + 16}px`);
    const isPart = part.to - part.from < this.#shown.length;
    reconcileRows(this.rows, this.#shown.slice(part.from, part.to).map((row, index) => conversationRow(row, state, {
      isSelected: selection.has(row.id), place: isPart ? { at: part.from + index + 1, of: this.#shown.length } : null,
    })));
  }

  /** Brings the row of the conversation that was opened by key, or by a link, into view; the focus of another row comes along. */
  #followOpened() {
    const id = this.state.open?.conversation.id ?? null;
    if (id === this.#opened) return;
    const at = this.#shown.findIndex((row) => row.id === id);
    if (id && at < 0) return;
    this.#opened = id;
    if (!id) return;
    // Else the next key that selects would be about the row of before.
    if (this.rows.contains(document.activeElement)) this.#focusRow(id);
    else this.#reveal(at);
  }

  #reveal(at) {
    const { scroll } = this;
    const top = at * ROW_HEIGHT;
    if (top < scroll.scrollTop) scroll.scrollTop = top;
    else if (top + ROW_HEIGHT > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = top + ROW_HEIGHT - scroll.clientHeight;
    else return;
    this.#reconcileRows();
  }

  #focusRow(id) {
    this.#reveal(this.#shown.findIndex((row) => row.id === id));
    this.rows.querySelector(`[data-open="${id}"]`)?.focus({ preventScroll: true });
  }

  #drawFilter(chosen) {
    const { state } = this;
    const written = writeFilter(state.filter);
    if (written !== this.#filter) {
      this.#filter = written;
      this.selection.clear();
      this.scroll.scrollTop = 0;
    }
    const only = chosen ? [] : narrowings(state.filter);
    // The names of what an address names are read, whatever else is.
    for (const { name, value } of only) {
      const list = { assignee: "members", team: "teams", labels: "labels", attributes: "attributes" }[name];
      if (list && (value.length > 4 || name === "attributes")) for (const id of state.filter.business ? [state.filter.business] : state.session.businesses.map((one) => one.id)) state.lists[list](id);
    }
    const words = t("console.filter");
    this.filter.title = words;
    this.filter.setAttribute("aria-label", words);
    this.filter.classList.toggle("is-on", only.length > 0);
    this.chips.hidden = !only.length;
    reconcile(this.chips, h("div", { class: "filter-chips", hidden: !only.length }, only.map((one, index) => {
      const text = narrowingWords(one, state.lists);
      return h("button", { type: "button", class: "filter-chip", dataset: { index }, "aria-label": t("console.filter.remove", { name: text }) },
        h("span", null, text), icon("close", 12));
    })));
  }

  /** The menu of the open saved view, and what of it is there no longer. */
  #drawSaved(saved) {
    const { state } = this;
    this.savedMenu.hidden = !saved || !mayAnywhere(state.session, "views.write");
    this.gone.hidden = !saved?.missing.length;
    if (!saved) return;
    const label = t("console.saved.menu", { name: saved.name });
    this.savedMenu.title = label;
    this.savedMenu.setAttribute("aria-label", label);
    this.order.textContent = isSameList(filterOf(saved), this.state.filter) ? this.order.textContent : t("console.saved.changed");
    if (saved.missing.length) this.gone.textContent = t("console.saved.missing");
  }

  /** Renames, shares, moves or removes the open saved view. */
  async openSavedMenu() {
    const saved = this.state.views.named(this.state.filter.saved);
    if (!saved) return;
    (await loadPart(() => import("./save-view.js")))?.openSavedMenu(this.savedMenu, saved, this.state, (filter) => this.#narrow(filter));
  }

  /** Saves what the list shows as a view. */
  async saveView() {
    (await loadPart(() => import("./save-view.js")))?.openSaveForm(this.filter, this.state, (filter) => this.#narrow(filter));
  }

  async #openFilter() {
    (await loadPart(() => import("./filter-panel.js")))?.openFilterPanel(this.filter, this.state, (filter) => this.#narrow(filter), () => this.saveView());
  }

  #dropNarrowing(event) {
    const index = event.target.closest("[data-index]")?.dataset.index;
    if (index === undefined) return;
    this.#narrow(narrowings(this.state.filter)[index].without);
    this.filter.focus();
  }

  #narrow(detail) {
    this.dispatchEvent(new CustomEvent("view-open", { bubbles: true, detail }));
  }

  /** Selects the row that has the focus, or that of the open conversation. */
  toggleSelected() {
    const id = this.rows.contains(document.activeElement) ? document.activeElement.closest("[data-key]").dataset.key
      : this.state.open?.conversation.id;
    if (!id || !this.#shown.some((row) => row.id === id)) return;
    this.selection.toggle(id);
    // Shift with the arrow keys goes on from here.
    this.#focusRow(id);
  }

  /** Does something to what is selected; false when nothing is. @param {string} name of `bulk-bar` */
  runSelected(name) {
    if (!this.selection.size) return false;
    this.#bar?.run(name);
    return true;
  }

  /** Ends the selection; false when there was none. */
  clearSelection() {
    const hadSome = this.selection.size > 0;
    this.selection.clear();
    return hadSome;
  }

  async #showSelection() {
    this.#drawRows();
    this.rows.classList.toggle("is-selecting", this.selection.size > 0);
    if (this.selection.size && !this.#bar) {
      if (!await loadPart(() => import("./bulk-bar.js"))) return;
      this.#bar ??= h("bulk-bar", { ".state": this.state, ".selection": this.selection, ".rows": () => this.#shown });
      this.scroll.after(this.#bar);
    }
    this.#bar?.update();
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
    this.state.isSearched = Boolean(this.#words);
    if (this.hits) this.hits.words = this.search.value;
    else if (this.#words) this.#startHits();
    this.update();
  }

  async #startHits() {
    // Safe: without a line the rows that are here are searched, and the next letter tries again.
    if (!await import("./message-search.js").catch(() => null) || this.hits || !this.isConnected) return;
    this.hits = h("message-search", { ".state": this.state, onFound: () => this.update() });
    this.scroll.append(this.hits);
    this.hits.words = this.search.value;
    this.update();
  }

  /** Enter opens the first that is found; Escape clears the field, and then leaves it. */
  #key(event) {
    if (event.isComposing || !this.search.value) return;
    this.#walk(event);
    if (event.key === "Enter") {
      event.preventDefault();
      this.querySelector(".list-scroll li a")?.click();
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.search.value = "";
      this.#search();
    }
  }

  /** The arrows lead through what is found, from the field and back to it. */
  #walk(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !this.search.value || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    const found = [...this.scroll.querySelectorAll("li a")];
    const at = found.indexOf(document.activeElement);
    const next = at === 0 && step < 0 ? this.search : found[at + step];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  }

  /** Opens what was found next to what was opened last; false where nothing is searched for. @param {number} step */
  openFound(step) {
    if (!this.#words) return false;
    const found = [...this.scroll.querySelectorAll("li a")];
    const at = found.findIndex((one) => keyOf(one) === this.#foundKey);
    const next = /** @type {HTMLElement|undefined} */ (found[Math.max(0, Math.min(found.length - 1, at + step))]);
    next?.focus();
    next?.click();
    return true;
  }

  /** Ends a search: another view has its own rows. */
  clearSearch() {
    if (!this.search.value) return;
    this.search.value = "";
    this.#search();
  }

  /** Puts the focus on the row of the open conversation, on the first one, or where there is none, on the title. */
  focusRows() {
    const row = this.#shown.find(({ id }) => id === this.state.open?.conversation.id) ?? this.#shown[0];
    if (row) this.#focusRow(row.id);
    else if (!this.state.isLoading) this.heading.focus({ preventScroll: true });
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

/** What names a row or a hit. @param {Element} node */
function keyOf(node) {
  return /** @type {HTMLElement|null} */ (node.closest("li[data-key]"))?.dataset.key ?? null;
}

/** A round face with initials. @param {string} name @param {string} id */
export function face(name, id) {
  return h("span", {
    class: "face", "aria-hidden": "true", style: { "--hue": hueOf(id) },
  }, initials(name));
}

customElements.define("conversation-list", ConversationList);
