import { h, oncePerFrame, replace } from "../lib/dom.js";
import { languages, setLanguage, t } from "../lib/i18n.js";
import { reconcileRows } from "../lib/reconcile.js";
import { setTheme, themes } from "../lib/theme.js";
import { inboxViews } from "./inbox-views.js";
import { customerName } from "./names.js";
import { writeRoute } from "./routes.js";
import { shortcuts } from "./shortcuts.js";

const MOST_ROWS = 12;

/** mod+K: everything that can be done or opened, by name; it also teaches the direct keys. */
class CommandPalette extends HTMLElement {
  workspace = null;
  #words = "";
  #shown = [];
  #at = 0;

  /** Opens the palette, or closes the open one. */
  toggle() {
    if (this.dialog?.open) this.#close();
    else this.#show();
  }

  #show() {
    this.input = h("input", {
      class: "palette-input", role: "combobox", "aria-expanded": "true", autocomplete: "off",
      "aria-controls": "palette-rows", "aria-label": t("console.palette"),
      placeholder: t("console.palettePlaceholder"), onInput: () => this.#filter(),
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
    this.#filter();
  }

  /** The field of a closed dialog would keep the focus, and the next key, for a short time. */
  #close() {
    this.dialog.close();
    if (document.activeElement === this.input) this.input.blur();
  }

  #collect() {
    const { workspace } = this;
    const pages = [
      ["console.inbox", { name: "inbox" }], ["console.templates", { name: "templates" }],
      ["console.businesses", { name: "settings", section: "businesses" }],
      ["console.members", { name: "settings", section: "members" }],
      ["console.apiKeys", { name: "settings", section: "keys" }],
      ["gateway.title", { name: "settings", section: "gateway" }],
      ["shared.profile", { name: "settings", section: "me" }],
    ].map(([text, route]) => ({ id: text, text: t(text), run: () => workspace.go(writeRoute(route)) }));
    const actions = shortcuts.filter((one) => !["j", "k"].includes(one.key))
      .map((one) => ({ id: one.text, text: t(one.text), key: one.key, run: () => one.run(workspace) }));
    const views = inboxViews.map(({ id }) => ({
      id: `view.${id}`, text: `${t("console.inbox")} · ${t(`console.view.${id}`)}`, run: () => workspace.openView({ view: id }),
    }));
    const looks = themes.map((one) => ({
      id: `theme.${one}`, text: `${t("shared.theme")} · ${t(`shared.theme.${one}`)}`, run: () => {
        setTheme(one);
        workspace.dispatchEvent(new CustomEvent("theme-change", { bubbles: true }));
      },
    }));
    const tongues = Object.entries(languages).map(([code, name]) => ({
      id: `language.${code}`, text: `${t("shared.language")} · ${name}`, run: () => setLanguage(code),
    }));
    const people = workspace.state.rows.map((one) => ({
      id: one.id, text: `${customerName(one)} · ${one.lastMessage?.summary ?? ""}`,
      run: () => workspace.go(writeRoute({ name: "inbox", conversation: one.id })),
    }));
    return [...actions, ...pages, ...views, ...looks, ...tongues,
      { id: "shared.signOut", text: t("shared.signOut"), run: () => workspace.signOut() }, ...people];
  }

  /** Shows the matching rows; the chosen row stays chosen while it matches. */
  #filter() {
    const words = this.input.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const chosen = this.#words === this.input.value ? this.#shown[this.#at]?.id : null;
    this.#words = this.input.value;
    this.#shown = this.#collect().filter((command) =>
      words.every((word) => command.text.toLocaleLowerCase().includes(word))).slice(0, MOST_ROWS);
    this.#at = Math.max(0, this.#shown.findIndex((command) => command.id === chosen));
    this.#draw();
  }

  #draw() {
    const rows = this.#shown.map((command, index) => h("li", {
      id: `palette-${index}`, role: "option", "aria-selected": String(index === this.#at),
      dataset: { key: command.id },
    }, h("span", null, command.text), command.key ? h("kbd", null, command.key) : null));
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
