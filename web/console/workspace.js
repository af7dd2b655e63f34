import { api } from "../lib/api.js";
import { brand, placeSwitch } from "../lib/brand-bar.js";
import { h, oncePerFrame, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { refusalSentence } from "../lib/refusals.js";
import { reconcile } from "../lib/reconcile.js";
import { showToast } from "../lib/toast.js";
import { watchApprovals } from "./approval-watch.js";
import { DeskState } from "./desk-state.js";
import { FocusKeeper } from "./focus-keeper.js";
import { loadConversation } from "./conversation-loading.js";
import { changeFilter, readFilter, writeFilter } from "./list-filter.js";
import { customerName } from "./names.js";
import { isOffered, may, mayAnywhere, rightsIn, WRITING } from "./permissions.js";
import { onPreferences, onRefusedPreference, preferences, takePreferences, usePreferencesOf } from "./preferences.js";
import { isOfferDue, isPushKnown, readPushChoice } from "./push-choice.js";
import { readRoute, writeRoute } from "./routes.js";
import { endSession, watchSession } from "./session-watch.js";
import { drawKeyHints, makeShortcuts } from "./shortcuts.js";
import { sideLink } from "./side-link.js";
import "./conversation-list.js";
import "./conversation-view.js";
import "./inbox-nav.js";
import "./column-splitter.js";

/** The pages that few open: they are loaded when they are. */
const PAGES = {
  settings: () => import("./settings-page.js"), templates: () => import("./templates-page.js"),
  reports: () => import("./reports-page.js"),
};

/** The signed-in console: navigation, list, thread, device; or a page of settings. */
class DeskWorkspace extends HTMLElement {
  session = null;
  #state = null;
  #end = new AbortController();
  /** The action of a key on the conversation that is still being read. */
  #afterOpening = null;
  #tools = null;
  /** What was typed for the palette before it was there; null where none is awaited. */
  #early = null;
  /** What notifies the agent; loaded with the first event. @type {import("./notices.js").Notices|null} */
  #notices = null;
  #noticesAsked = null;
  #approvals = 0;  // What waits for the signed-in person's approval.
  #draw = oncePerFrame(() => this.#render());

  connectedCallback() {
    this.#state = new DeskState(this.session);
    const signal = this.#end.signal;
    addEventListener("popstate", () => this.#guard?.stepBack(writeRoute(this.route), () => this.#follow()) ?? this.#follow(), { signal });
    addEventListener("keydown", makeShortcuts(this), { signal });
    this.addEventListener("go", (event) => this.go(event.detail));
    this.addEventListener("view-open", (event) => this.openView(event.detail));
    this.addEventListener("sign-out", () => this.signOut());
    this.addEventListener("hit-open", (event) => this.#openHit(event.detail));
    // A second factor ends the account's devices, and with them who is notified where.
    this.addEventListener("session-changed", () => { this.#readSession(); this.#beginPush(); });
    this.#state.addEventListener("change", this.#draw);
    this.#state.addEventListener("line", this.#draw);
    // What was saved elsewhere while this page was offline is not repeated.
    this.#state.addEventListener("back", () => this.#readSession());
    usePreferencesOf(this.session.agent.id, this.session.preferences.console,
      async (change) => (await api.patch("/api/session/preferences", { console: change })).console);
    onRefusedPreference((problem) => showToast(refusalSentence(problem)), signal);
    this.#state.addEventListener("saved", ({ detail }) => { if (detail.kind === "preferences") this.#readSession(); });
    onPreferences(() => {
      drawKeyHints(this);
      this.#draw();
    }, signal);
    this.#state.addEventListener("happened", async ({ detail }) => {
      if (isOfferDue(detail, this.session.agent.id)) this.#offerNotices();
      (await this.#loadNotices()).see(detail);
    });
    navigator.serviceWorker?.addEventListener("message", (event) => this.#hearWorker(event), { signal });
    this.#beginPush();
    watchApprovals(this, this.session, this.#state, (count) => { this.#approvals = count; Object.assign(this.querySelector("settings-page") ?? {}, { approvals: count }); this.#draw(); }, signal);
    watchSession(this.#state.live, () => endSession(this), signal);
    this.#state.start(readFilter(location.search));
    this.#build();
    this.focusKeeper = new FocusKeeper(this, (part) => this.focusPart(part), signal);
    this.#follow();
  }

  disconnectedCallback() {
    this.#end.abort();
    this.#state.stop();
  }

  #build() {
    this.list = h("conversation-list", { ".state": this.#state });
    this.view = h("conversation-view", { ".state": this.#state });
    this.page = h("div", { class: "page", hidden: true, tabindex: "-1" });
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
    this.offline, this.navigation = h("div", { class: "navigation" }), this.desk, this.page);
    this.#fillNavigation();
    this.#render();
    // Loaded at the first sign of a user, so that they are there at once when they are wanted.
    const prepare = () => [this.#loadTools(), loadConversation().catch(() => {})];  // Safe: the first conversation asks again.
    for (const type of ["pointermove", "pointerdown", "keydown"]) addEventListener(type, prepare, { once: true, signal: this.#end.signal });
  }

  /** The places to go to, by what the role allows. */
  #fillNavigation() {
    replace(this.navigation,
      h("header", { class: "side-brand" }, brand(), mayAnywhere(this.session, "sandbox.use") ? placeSwitch("console") : null),
      this.views, this.places, h("profile-menu", {
        ".agent": this.session.agent, ".availability": mayAnywhere(this.session, "conversations.handle") ? this.#state.availability : null,
      }));
  }

  #render() {
    const route = this.route ?? { name: "inbox" };
    const waiting = this.#state.counts.waiting.count;
    const count = waiting && preferences().title ? `(${waiting}) ` : "";
    document.title = `${this.#notices?.missed ? "● " : ""}${count}${t("console.title")}`;
    const isPage = route.name in PAGES;
    const open = this.#state.open?.conversation;
    this.dataset.page = isPage ? "page" : route.conversation ? "conversation" : "list";
    this.querySelector(".skip").hidden = isPage || !open || !isOffered({ permission: WRITING }, this.session, this.session.businesses.find((one) => one.id === open.business));
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
      sideLink("inbox", "inbox", "/console", t("console.inbox"), route),
      sideLink("templates", "template", "/console/templates", t("console.templates"), route),
      sideLink("reports", "chart", "/console/reports", t("console.reports"), route),
      sideLink("settings", "sliders", "/console/settings", t("console.settings"), route, this.#approvals),
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

  /**
   * Opens a view of the inbox, the same view of another business, or narrows it.
   * @param {Partial<import("./list-filter.js").ListFilter>} change
   */
  openView(change) {
    this.list.clearSearch();
    // On a narrow screen, and on a page of settings, the list is not in view.
    const filter = changeFilter(this.#state.filter, change);
    // Pressed again, it is read again.
    if (writeFilter(filter) === writeFilter(this.#state.filter)) this.#state.load();
    const isAway = this.dataset.page !== "conversation" || matchMedia("(max-width: 720px)").matches;
    return this.#visit((isAway ? "/console" : location.pathname) + writeFilter(filter));
  }

  get #guard() { return this.page.firstElementChild?.guard; }  // What keeps what is half filled.

  /** Opens an address of the console; in the inbox the list stays as it is. @param {string} path */
  go(path) {
    return this.#visit(readRoute(path).name === "inbox" ? path + writeFilter(this.#state.filter) : path);
  }

  #visit(address) {
    return this.#guard?.leave(() => this.#follow(address)) ?? this.#follow(address);
  }

  /** Opens a message or note that was found, however long ago it was. */
  async #openHit({ conversation, sequence, row }) {
    await this.go(writeRoute({ name: "inbox", conversation }));
    const isThere = await this.#state.loadBackTo(conversation, sequence);
    if (!isThere) return;
    this.view.update();
    this.view.revealMessage(row);
  }

  async #follow(address = "") {
    if (address && address !== location.pathname + location.search) history.pushState(null, "", address);
    const route = readRoute(location.pathname);
    this.route = route;
    this.#followFilter(route);
    if (!route.conversation) this.#afterOpening = null;
    if (PAGES[route.name]) await PAGES[route.name]();
    if (this.route !== route) return;
    if (PAGES[route.name]) this.page.scrollTop = 0;
    if (route.name === "settings") {
      replace(this.page, h("settings-page", { ".session": this.session, ".state": this.#state, ".section": route.section, ".isList": route.isList, ".approvals": this.#approvals }));
    } else if (route.name === "templates") {
      replace(this.page, h("templates-page", { ".session": this.session }));
    } else if (route.name === "reports") {
      replace(this.page, h("reports-page", { ".session": this.session }));
    } else {
      replace(this.page);
      try {
        await this.#state.openConversation(route.conversation);
        this.#runWaiting();
      } catch (problem) {
        this.#afterOpening = null;
        if (problem.status === 404) this.go(writeRoute({ name: "inbox" }));
        showToast(problem.status === 404 ? t("console.noConversation") : refusalSentence(problem));
      }
    }
    this.#draw();
  }

  /** The list of the address: another one is read. */
  #followFilter(route) {
    const wanted = readFilter(location.search);
    if (route.name !== "inbox" || writeFilter(wanted) === writeFilter(this.#state.filter)) return;
    this.list.clearSearch();
    this.#state.load(wanted);
  }

  /**
   * Puts the focus into a part of the page: the thread, the row that is open or the first one, a page of settings.
   * @param {Element|null} part one that had the focus; null for where work goes on
   */
  focusPart(part) {
    if (!this.page.hidden) ([...this.page.querySelectorAll(".settings-main")].find((one) => one.checkVisibility()) ?? this.page).focus({ preventScroll: true });
    else if (part !== this.list && this.view.focusThread()) return;
    else this.list.focusRows();
  }

  /** Moves through the list. @param {number} step */
  async move(step) {
    const open = this.#state.open?.conversation.id;
    if (step > 0 && open && this.#state.hasMore && this.#state.rows.at(-1)?.id === open) {
      await this.#state.loadMore();
      if (this.#state.open?.conversation.id !== open) return;
    }
    const { rows } = this.#state;
    const at = rows.findIndex((row) => row.id === open);
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + step))];
    if (next) this.go(writeRoute({ name: "inbox", conversation: next.id }));
  }

  /** The palette and the sheet of keys. */
  #loadTools() {
    this.#tools ??= Promise.all([import("./command-palette.js"), import("./shortcut-sheet.js")]).then(() => {
      this.palette = h("command-palette", { ".workspace": this });
      this.sheet = h("shortcut-sheet", { ".workspace": this });
      this.append(this.palette, this.sheet);
    }, () => {
      // Offline: the next use asks again.
      this.#tools = this.#early = null;
    });
    return this.#tools;
  }

  /** Opens or closes the palette; what is typed before it is loaded is its first words. */
  async togglePalette() {
    if (!this.palette) this.#early = "";
    await this.#loadTools();
    this.palette?.toggle(this.#early ?? "");
    this.#early = null;
  }

  /** Whether the palette is wanted and still being loaded: a letter typed meanwhile is kept for it. @param {string} key */
  keepForPalette(key) {
    if (this.#early === null) return false;
    if ([...key].length === 1) this.#early += key;
    return true;
  }

  async showKeys() {
    await this.#loadTools();
    this.sheet?.show();
  }

  /** Whether the address is one of the inbox; the page follows with the next frame, what is pressed meanwhile is the inbox's. */
  get isInbox() {
    return !(this.route?.name in PAGES);
  }

  get state() { return this.#state; }

  /** Whether a key waits for a conversation; the keys after it would not know their conversation. */
  get isWaiting() { return this.#afterOpening !== null; }

  /**
   * Acts on the conversation that was requested last: at once, or when it is loaded.
   * @param {(desk: DeskWorkspace) => void} work
   */
  withConversation(work) {
    this.#afterOpening = work;
    this.#runWaiting();
  }

  #runWaiting() {
    const work = this.#afterOpening;
    if (!work || this.#state.opening) return;
    this.#afterOpening = null;
    this.view.update();
    work(this);
  }

  #beginPush() {
    if (isPushKnown()) import("./agent-push.js").then(({ beginPush }) => beginPush(this.session.agent.id), () => {});  // Safe: the next load does it.
  }

  #offerNotices() {
    import("./notice-offer.js").then(({ offerNotices }) => offerNotices(this.list, this.session.agent.id), () => {});  // Safe: the settings have it.
  }

  /** What the worker of notifications asks this page: to show a conversation, or whether news of it reach the agent here. */
  async #hearWorker({ data, ports: [answer] }) {
    if (answer) answer.postMessage((await this.#loadNotices()).leaveToWorker(data.conversation));
    else this.go(writeRoute({ name: "inbox", conversation: data.conversation }));
  }

  /** Notifies of events what the agent wants to be notified of. @returns {Promise<import("./notices.js").Notices>} */
  async #loadNotices() {
    this.#noticesAsked ??= import("./notices.js").then(({ Notices }) => this.#makeNotices(Notices));
    await this.#noticesAsked;
    return this.#notices;
  }

  #makeNotices(Notices) {
    const state = this.#state;
    this.#notices = new Notices({
      ownID: this.session.agent.id, signal: this.#end.signal, changed: this.#draw,
      handles: (id) => may(this.session.businesses.find((one) => one.id === id), "conversations.handle"),
      isWithBot: async ({ business, conversation }) => (await state.lists.read(business, "bots")).length > 0
        && (await api.get(`/api/conversations/${conversation}/control`).catch(() => null))?.controller?.type === "bot",  // Safe: then it is notified.
      openID: () => (!this.isInbox ? null : state.open?.conversation.id ?? null),
      isCatchingUp: () => state.live.state !== "live",
      wordsOf: ({ data, conversation }) => ({
        title: customerName({ ...(data.conversationState ?? data.conversation ?? state.store.get(conversation)), ...(data.contact?.name && { contact: data.contact }) }),
        body: data.message?.summary ?? data.note?.text ?? "",
      }),
      go: (conversation) => this.go(writeRoute({ name: "inbox", conversation })),
    });
    state.addEventListener("line", () => { if (state.live.state === "live") this.#notices.settle(); }, { signal: this.#end.signal });
  }

  async #readSession() {
    const before = rightsIn(this.session);
    this.session = await api.get("/api/session").catch((problem) => {
      if (problem.status === 401) endSession(this);
      return this.session;
    });
    // Removed from the last business, or all came to require a second factor: there is nothing to show.
    if (!this.session.businesses.length) {
      this.dispatchEvent(new CustomEvent("signed-in", { bubbles: true, detail: { session: this.session } }));
      return;
    }
    this.#state.session = this.session;
    /** @type {any} */ (this.querySelector("profile-menu")).agent = this.session.agent;
    takePreferences(this.session.preferences.console);
    this.#followRights(before, rightsIn(this.session));
    this.#draw();
  }

  /**
   * The page offers what is allowed now, and shows what may be read. What is on screen stays where only a business came: who
   * has just made one is still working on it.
   * @param {Map<string, string>} before @param {Map<string, string>} now
   */
  #followRights(before, now) {
    const isOther = [...before].some(([id, rights]) => now.get(id) !== rights);
    if (!isOther && now.size === before.size) return;
    this.#fillNavigation();
    const { business } = this.#state.filter;
    if (business && !now.has(business)) this.openView({ business: null });
    else this.#state.load();
    if (!isOther) return;
    this.view.putAway();
    this.#follow();
  }

  async signOut() {
    await api.delete("/api/session").catch(() => {});  // Safe: the page signs out locally in any case.
    // Not waited for: the server pushes nothing any more.
    if (readPushChoice(this.session.agent.id)) import("./agent-push.js").then(({ endPush }) => endPush(this.session.agent.id), () => {});  // Safe: as above.
    this.dispatchEvent(new CustomEvent("signed-out", { bubbles: true }));
  }
}

customElements.define("desk-workspace", DeskWorkspace);
