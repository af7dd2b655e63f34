import { api } from "../lib/api.js";
import { brand, placeSwitch } from "../lib/brand-bar.js";
import { h, oncePerFrame, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { refusalSentence } from "../lib/refusals.js";
import { reconcile } from "../lib/reconcile.js";
import { DeskState } from "./desk-state.js";
import { readRoute, writeRoute } from "./routes.js";
import { makeShortcuts } from "./shortcuts.js";
import "./command-palette.js";
import "./conversation-list.js";
import "./conversation-view.js";
import "./inbox-nav.js";
import "./shortcut-sheet.js";
import "./column-splitter.js";

/** The pages that few open: they are loaded when they are. */
const PAGES = { settings: () => import("./settings-page.js"), templates: () => import("./templates-page.js") };

/** The signed-in console: navigation, list, thread, device; or a page of settings. */
class DeskWorkspace extends HTMLElement {
  session = null;
  #state = null;
  #end = new AbortController();
  /** The action of a key on the conversation that is still being read. */
  #afterOpening = null;
  #draw = oncePerFrame(() => this.#render());

  connectedCallback() {
    this.#state = new DeskState(this.session);
    const signal = this.#end.signal;
    addEventListener("popstate", () => this.#follow(), { signal });
    addEventListener("keydown", makeShortcuts(this), { signal });
    this.addEventListener("go", (event) => this.go(event.detail));
    this.addEventListener("view-open", (event) => this.openView(event.detail));
    this.addEventListener("sign-out", () => this.signOut());
    this.addEventListener("hit-open", (event) => this.#openHit(event.detail));
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
    this.desk = h("main", { class: "desk" },
      this.list,
      h("column-splitter", { ".target": this.list, ".name": "list", ".minimum": 240, ".maximum": 460,
        ".label": t("console.resizeList") }),
      this.view);
    this.views = h("inbox-nav", { ".state": this.#state });
    this.places = h("nav", { class: "side-places", onClick: (event) => this.#press(event) });
    this.offline = h("p", { class: "offline-bar", role: "status" });
    replace(this, h("a", { class: "skip", href: "#composer", onClick: (event) => {
      event.preventDefault();
      this.view.focusComposer();
    } }, t("console.skip")),
    this.offline,
    h("div", { class: "navigation" }, h("div", { class: "side-brand" }, brand(), placeSwitch("console")),
      this.views, this.places, h("profile-menu", { ".agent": this.session.agent })),
    this.desk, this.page, this.palette, this.sheet);
    this.#render();
  }

  #render() {
    const route = this.route ?? { name: "inbox" };
    const waiting = this.#state.counts.waiting.count;
    document.title = `${waiting ? `(${waiting}) ` : ""}${t("console.title")}`;
    const isPage = route.name in PAGES;
    this.dataset.page = isPage ? "page" : route.conversation ? "conversation" : "list";
    this.querySelector(".skip").hidden = isPage || !this.#state.open;
    this.offline.hidden = this.#state.live.state !== "offline";
    this.offline.textContent = t("shared.offlineLead");
    this.views.isShown = !isPage;
    this.views.update();
    reconcile(this.places, this.#makePlaces(route));
    this.desk.hidden = isPage;
    this.page.hidden = !isPage;
    this.desk.classList.toggle("has-open", Boolean(route.conversation));
    this.list.update();
    this.view.update();
  }

  #makePlaces(route) {
    const line = this.#state.live.state;
    const words = { live: "shared.live", "catching-up": "shared.catchingUp" }[line] ?? "shared.offline";
    return h("nav", { class: "side-places", "aria-label": t("console.navigation") },
      link("inbox", "inbox", "/console", t("console.inbox"), route),
      link("templates", "template", "/console/templates", t("console.templates"), route),
      link("settings", "sliders", "/console/settings", t("console.settings"), route),
      h("span", { class: "line-mark", role: "status", dataset: { state: line } },
        h("span", { class: "dot", "aria-hidden": "true" }), h("span", { class: "text" }, t(words))));
  }

  /** A press on the way to a page. */
  #press(event) {
    const pressed = event.target.closest("a[href]");
    if (!pressed || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    this.go(pressed.getAttribute("href"));
  }

  /** Opens a view of the inbox, or the same view of another business. @param {{view?: string, business?: string}} change */
  openView(change) {
    this.list.clearSearch();
    const read = this.#state.load(change);
    // On a narrow screen, and on a page of settings, the list is not in view.
    if (this.dataset.page !== "conversation" || matchMedia("(max-width: 720px)").matches) this.go("/console");
    return read;
  }

  /** Opens an address of the console. @param {string} path */
  go(path) {
    if (path !== location.pathname) history.pushState(null, "", path);
    return this.#follow();
  }

  /** Opens a message that was found, however long ago it was. */
  async #openHit({ conversation, message, sequence }) {
    await this.go(writeRoute({ name: "inbox", conversation }));
    const isThere = await this.#state.loadBackTo(conversation, sequence);
    if (!isThere) return;
    this.view.update();
    this.view.revealMessage(message);
  }

  async #follow() {
    const route = readRoute(location.pathname);
    this.route = route;
    if (!route.conversation) this.#afterOpening = null;
    if (PAGES[route.name]) await PAGES[route.name]();
    if (this.route !== route) return;
    if (route.name === "settings") {
      replace(this.page, h("settings-page", { ".session": this.session, ".section": route.section }));
    } else if (route.name === "templates") {
      replace(this.page, h("templates-page", { ".session": this.session }));
    } else {
      replace(this.page);
      try {
        await this.#state.openConversation(route.conversation);
        this.#runWaiting();
      } catch (problem) {
        this.#afterOpening = null;
        if (problem.status === 404) this.go(writeRoute({ name: "inbox" }));
        else this.list.announce(refusalSentence(problem));
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

  /** Whether a key waits for a conversation; the keys after it would not know their conversation. */
  get isWaiting() {
    return this.#afterOpening !== null;
  }

  /**
   * Acts on the conversation that was requested last: at once, or when it is loaded.
   * @param {(desk: DeskWorkspace) => void} work
   */
  withConversation(work) {
    if (this.#state.opening) this.#afterOpening = work;
    else work(this);
  }

  #runWaiting() {
    const work = this.#afterOpening;
    if (!work || this.#state.opening) return;
    this.#afterOpening = null;
    this.view.update();
    work(this);
  }

  async #readSession() {
    this.session = await api.get("/api/session").catch(() => this.session);
    this.#state.session = this.session;
    this.#draw();
  }

  async signOut() {
    await api.delete("/api/session").catch(() => {});  // Safe: the page signs out locally in any case.
    this.dispatchEvent(new CustomEvent("signed-out", { bubbles: true }));
  }
}

function link(name, drawing, path, text, route) {
  return h("a", {
    class: `side-link is-${name}`, href: path, "aria-current": route.name === name ? "page" : null,
  }, icon(drawing, 18), h("span", null, text));
}

customElements.define("desk-workspace", DeskWorkspace);
