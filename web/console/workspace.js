import { api } from "../lib/api.js";
import { h, oncePerFrame, replace } from "../lib/dom.js";
import { language, languages, setLanguage, t } from "../lib/i18n.js";
import { DeskState } from "./desk-state.js";
import { readRoute, writeRoute } from "./routes.js";
import { makeShortcuts } from "./shortcuts.js";
import "./command-palette.js";
import "./conversation-list.js";
import "./conversation-view.js";
import "./settings-page.js";
import "./shortcut-sheet.js";
import "./templates-page.js";
import "./column-splitter.js";

/** The signed-in console: rail, list, thread, device; or a page of settings. */
class DeskWorkspace extends HTMLElement {
  session = null;
  #state = null;
  #end = new AbortController();
  #draw = oncePerFrame(() => this.#render());

  connectedCallback() {
    this.#state = new DeskState(this.session);
    const signal = this.#end.signal;
    addEventListener("popstate", () => this.#follow(), { signal });
    addEventListener("keydown", makeShortcuts(this), { signal });
    this.addEventListener("go", (event) => this.go(event.detail));
    this.addEventListener("session-changed", () => this.#readSession());
    this.#state.addEventListener("change", this.#draw);
    this.#state.addEventListener("line", this.#draw);
    this.#build();
    this.#state.start();
    this.#follow();
  }

  disconnectedCallback() {
    this.#end.abort();
    this.#state.stop();
  }

  #build() {
    this.list = h("conversation-list", { ".state": this.#state });
    this.view = h("conversation-view", { ".state": this.#state });
    this.palette = h("command-palette", { ".workspace": this });
    this.sheet = h("shortcut-sheet");
    this.page = h("div", { class: "page", hidden: true });
    this.line = h("span", { class: "line-mark", role: "status" });
    this.desk = h("main", { class: "desk" },
      this.list,
      h("column-splitter", { ".target": this.list, ".name": "list", ".minimum": 260, ".maximum": 460,
        ".label": t("console.resizeList") }),
      this.view);
    this.rail = h("nav", { class: "rail", "aria-label": t("console.navigation") });
    replace(this, h("a", { class: "skip", href: "#composer", onClick: (event) => {
      event.preventDefault();
      this.view.focusComposer();
    } }, t("console.skip")),
    this.rail, this.desk, this.page, this.palette, this.sheet);
    this.#render();
  }

  #render() {
    const route = this.route ?? { name: "inbox" };
    const waiting = this.#state.book.waiting().count;
    document.title = `${waiting ? `(${waiting}) ` : ""}${t("console.title")}`;
    const line = this.#state.live.state;
    this.line.dataset.state = line;
    const lineText = { live: "shared.live", "catching-up": "shared.catchingUp" }[line]
      ?? "shared.offline";
    if (this.line.textContent !== t(lineText)) {
      replace(this.line, h("span", { class: "dot", "aria-hidden": "true" }),
        h("span", { class: "text" }, t(lineText)));
    }
    replace(this.rail,
      h("img", { class: "rail-logo", src: "/web/lib/icon.svg", alt: t("shared.appName"), width: 28, height: 28 }),
      link("inbox", "/console", t("console.inbox"), route),
      link("templates", "/console/templates", t("console.templates"), route),
      link("settings", "/console/settings", t("console.settings"), route),
      h("a", { class: "rail-link rail-wide", href: "/sandbox", target: "_blank", rel: "noopener" },
        icon("sandbox"), h("span", null, t("console.sandbox"))),
      h("span", { class: "rail-space" }),
      this.line,
      h("button", { type: "button", class: "rail-link rail-wide", onClick: () => this.#switchLanguage() },
        h("span", { lang: otherLanguage() }, languages[otherLanguage()])),
      h("button", { type: "button", class: "rail-link", onClick: () => this.signOut() },
        icon("leave"), h("span", null, t("console.signOut"))));
    const isPage = route.name === "settings" || route.name === "templates";
    this.desk.hidden = isPage;
    this.page.hidden = !isPage;
    this.desk.classList.toggle("has-open", Boolean(route.conversation));
    this.list.update();
    this.view.update();
  }

  /** Opens an address of the console. @param {string} path */
  go(path) {
    if (path !== location.pathname) history.pushState(null, "", path);
    this.#follow();
  }

  async #follow() {
    const route = readRoute(location.pathname);
    this.route = route;
    if (route.name === "settings") {
      replace(this.page, h("settings-page", { ".session": this.session, ".section": route.section }));
    } else if (route.name === "templates") {
      replace(this.page, h("templates-page", { ".session": this.session }));
    } else {
      replace(this.page);
      try {
        await this.#state.openConversation(route.conversation);
      } catch (problem) {
        if (problem.status === 404) this.go(writeRoute({ name: "inbox" }));
        else this.list.say(problem.detail || t("shared.problem.offline"));
      }
    }
    this.#draw();
  }

  /** Moves through the list. @param {number} step */
  move(step) {
    const rows = this.#state.rows;
    const at = rows.findIndex((row) => row.id === this.#state.open?.conversation.id);
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + step))];
    if (next) this.go(writeRoute({ name: "inbox", conversation: next.id }));
  }

  get state() {
    return this.#state;
  }

  #switchLanguage() {
    setLanguage(otherLanguage());
  }

  async #readSession() {
    this.session = await api.get("/api/session").catch(() => this.session);
    this.#state.session = this.session;
    this.#draw();
  }

  async signOut() {
    await api.delete("/api/session").catch(() => {});  // Safe: the page forgets either way.
    this.dispatchEvent(new CustomEvent("signed-out", { bubbles: true }));
  }
}

function otherLanguage() {
  return language() === "en" ? "ja" : "en";
}

function link(name, path, text, route) {
  return h("a", {
    class: "rail-link", href: path, "aria-current": route.name === name ? "page" : null,
    onClick: (event) => {
      if (event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      event.currentTarget.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: path }));
    },
  }, icon(name), h("span", null, text));
}

function icon(name) {
  return h("span", { class: `icon icon-${name}`, "aria-hidden": "true" });
}

customElements.define("desk-workspace", DeskWorkspace);
