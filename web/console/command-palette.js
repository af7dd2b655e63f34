import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { customerName } from "./names.js";
import { writeRoute } from "./routes.js";
import { shortcuts } from "./shortcuts.js";

const MOST_ROWS = 12;

/** mod+K: everything that can be done or opened, by name; it also teaches the direct keys. */
class CommandPalette extends HTMLElement {
  workspace = null;
  #commands = [];
  #shown = [];
  #at = 0;

  show() {
    this.#commands = this.#collect();
    this.input = h("input", {
      class: "palette-input", role: "combobox", "aria-expanded": "true", autocomplete: "off",
      "aria-controls": "palette-rows", "aria-label": t("console.palette"),
      placeholder: t("console.palettePlaceholder"), onInput: () => this.#filter(),
    });
    this.rows = h("ul", { id: "palette-rows", role: "listbox", "aria-label": t("console.palette") });
    this.dialog = h("dialog", { class: "palette", "aria-label": t("console.palette") },
      this.input, this.rows);
    this.dialog.addEventListener("keydown", (event) => this.#key(event));
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
    replace(this, this.dialog);
    this.dialog.showModal();
    this.#filter();
  }

  #collect() {
    const { workspace } = this;
    const pages = [
      ["console.inbox", { name: "inbox" }], ["console.templates", { name: "templates" }],
      ["console.businesses", { name: "settings", section: "businesses" }],
      ["console.members", { name: "settings", section: "members" }],
      ["console.apiKeys", { name: "settings", section: "keys" }],
    ].map(([text, route]) => ({ text: t(text), run: () => workspace.go(writeRoute(route)) }));
    const actions = shortcuts.filter((one) => !["j", "k"].includes(one.key))
      .map((one) => ({ text: t(one.text), key: one.key, run: () => one.run(workspace) }));
    const people = workspace.state.rows.map((one) => ({
      text: `${customerName(one)} · ${one.lastMessage?.summary ?? ""}`,
      run: () => workspace.go(writeRoute({ name: "inbox", conversation: one.id })),
    }));
    return [...actions, ...pages,
      { text: t("console.signOut"), run: () => workspace.signOut() }, ...people];
  }

  #filter() {
    const words = this.input.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    this.#shown = this.#commands.filter((command) =>
      words.every((word) => command.text.toLocaleLowerCase().includes(word))).slice(0, MOST_ROWS);
    this.#at = 0;
    this.#draw();
  }

  #draw() {
    replace(this.rows, this.#shown.map((command, index) => h("li", {
      id: `palette-${index}`, role: "option", "aria-selected": String(index === this.#at),
      onClick: () => this.#run(index),
    }, h("span", null, command.text), command.key ? h("kbd", null, command.key) : null)),
    this.#shown.length ? null : h("li", { class: "empty", role: "option", "aria-disabled": "true" },
      t("console.nothingFound")));
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
      this.#run(this.#at);
    }
  }

  #run(index) {
    const command = this.#shown[index];
    if (!command) return;
    this.dialog.close();
    command.run();
  }
}

customElements.define("command-palette", CommandPalette);
