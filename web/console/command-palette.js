import { adopt, h, oncePerFrame, replace, sheet } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { reconcileRows } from "../lib/reconcile.js";
import { collectCommands, findCustomers, readForPalette } from "./palette-commands.js";

adopt(sheet(`
.palette { width: min(560px, calc(100vw - 32px)); margin-top: 12dvh; padding: 8px; border: 0;
  border-radius: var(--fd-radius-lg); background: var(--fd-bg-raised); color: var(--fd-ink);
  box-shadow: var(--fd-shadow-3); }
.palette-input { width: 100%; padding: 12px 14px; border: 0; background: none; font-size: var(--fd-text-lg); }
.palette-input:focus-visible { outline: none; }
.palette-input::placeholder { color: var(--fd-ink-3); opacity: 1; }
.palette ul { border-top: 1px solid var(--fd-line); padding-top: 6px; max-height: 50dvh; overflow-y: auto; }
.palette-aside { margin-inline-start: auto; color: var(--fd-ink-3); font-size: var(--fd-text-xs); white-space: nowrap; }
.palette li > span:first-child { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.palette li { display: flex; align-items: center; gap: 8px; padding: 9px 14px;
  border-radius: var(--fd-radius-sm); cursor: pointer; }
.palette li[aria-selected="true"] { background: var(--fd-accent-soft); color: var(--fd-accent-text); }
.palette .empty { color: var(--fd-ink-3); cursor: default; }
`));

/** The server is asked for names so long after the last key, in milliseconds. */
const REST_MILLISECONDS = 200;
const MOST_ROWS = 12;

/** mod+K: everything that can be done or opened, by name; it also teaches the direct keys. */
class CommandPalette extends HTMLElement {
  workspace = null;
  #words = "";
  #shown = [];
  #at = 0;
  /** What was read of the server for this opening. */
  #known = { templates: [], members: [], macros: [], found: [] };
  #timer = 0;

  /** Opens the palette, or closes the open one. @param {string} [words] the first words of an opened one */
  toggle(words = "") {
    if (this.dialog?.open) this.#close();
    else this.#show(words);
  }

  #show(words) {
    this.input = h("input", {
      class: "palette-input", role: "combobox", "aria-expanded": "true", autocomplete: "off",
      "aria-controls": "palette-rows", "aria-label": t("console.palette"),
      placeholder: t("console.palettePlaceholder"), onInput: () => {
        this.#find();
        this.#filter();
      },
    });
    this.rows = h("ul", {
      id: "palette-rows", role: "listbox", "aria-label": t("console.palette"),
      onClick: (event) => {
        const row = event.target.closest("[data-key]");
        if (row) this.#run(this.#shown.find((command) => command.id === row.dataset.key));
      },
    });
    this.dialog = h("dialog", { class: "palette", "aria-label": t("console.palette") },
      this.input, this.rows);
    this.dialog.addEventListener("keydown", (event) => this.#key(event));
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.#close();
    });
    // The newest customers, or a list that was read only now, are found without another request.
    const refresh = oncePerFrame(() => this.dialog.open && this.#filter());
    this.workspace.state.addEventListener("change", refresh);
    this.dialog.addEventListener("close", () =>
      this.workspace.state.removeEventListener("change", refresh), { once: true });
    replace(this, this.dialog);
    this.dialog.showModal();
    this.input.value = words;
    this.#read();
    this.#find();
    this.#filter();
  }

  /** The field of a closed dialog would keep the focus, and the next key, for a short time. */
  #close() {
    this.dialog.close();
    if (document.activeElement === this.input) this.input.blur();
  }

  /** Reads what is not in the page: the templates and members of the open conversation's business. */
  async #read() {
    const business = this.workspace.state.open?.conversation.business;
    this.#known = { templates: [], members: [], macros: [], found: [] };
    if (!business) return;
    Object.assign(this.#known, await readForPalette(business, this.workspace.state.lists));
    if (this.dialog.open) this.#filter();
  }

  /** Asks the server for customers of that name, after a rest. */
  #find() {
    clearTimeout(this.#timer);
    const words = this.input.value.trim();
    this.#known.found = [];
    if (!words) return;
    this.#timer = setTimeout(async () => {
      const found = await findCustomers(words, this.workspace.state.filter.business);
      if (!this.dialog.open || this.input.value.trim() !== words) return;
      this.#known.found = found;
      this.#filter();
    }, REST_MILLISECONDS);
  }

  /** Shows the matching rows; the chosen row stays chosen while it matches. */
  #filter() {
    const words = this.input.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const chosen = this.#words === this.input.value ? this.#shown[this.#at]?.id : null;
    this.#words = this.input.value;
    this.#shown = collectCommands(this.workspace, this.#known).filter((command) =>
      words.every((word) => command.text.toLocaleLowerCase().includes(word))).slice(0, MOST_ROWS);
    this.#at = Math.max(0, this.#shown.findIndex((command) => command.id === chosen));
    this.#draw();
  }

  #draw() {
    const rows = this.#shown.map((command, index) => h("li", {
      id: `palette-${index}`, role: "option", "aria-selected": String(index === this.#at),
      dataset: { key: command.id },
    }, h("span", null, command.text), 
    command.aside ? h("span", { class: "palette-aside" }, command.aside) : null,
    command.key ? command.key.split(" ").map((key) => h("kbd", null, key)) : null));
    const isLoading = this.workspace.state.isLoading;
    reconcileRows(this.rows, rows.length ? rows : [
      h("li", { class: "empty", role: "option", "aria-disabled": "true" },
        t(isLoading ? "shared.loading" : "console.nothingFound"))]);
    this.input.setAttribute("aria-activedescendant", this.#shown.length ? `palette-${this.#at}` : "");
    this.rows.children[this.#at]?.scrollIntoView({ block: "nearest" });
  }

  #key(event) {
    if (event.isComposing) return;
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps) {
      event.preventDefault();
      const count = this.#shown.length || 1;
      this.#at = (this.#at + steps[event.key] + count) % count;
      this.#draw();
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.#run(this.#shown[this.#at]);
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.#close();
    }
  }

  #run(command) {
    if (!command) return;
    this.#close();
    command.run();
  }
}

customElements.define("command-palette", CommandPalette);
