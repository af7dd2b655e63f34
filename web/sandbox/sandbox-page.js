import { h } from "../lib/dom.js";
import { onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import { ApiProblem, api } from "../lib/api.js";
import "../lib/brand-bar.js";
import { LiveConnection } from "../lib/live.js";
import { attachmentAddress } from "../cards/attachments.js";
import "../cards/phone-frame.js";
import "../cards/phone-switches.js";
import { icon } from "../composer/icons.js";
import "../composer/desk-composer.js";
import "./conversation-menu.js";
import "./conversation-switch.js";
import { ConversationStore, opensPage } from "./conversation-store.js";
import { isAlone, reachHint } from "./join-code.js";
import "./message-log.js";
import "../thread/wire-exchanges.js";
import "./fault-dials.js";
import "./invitation-bar.js";
import "./provider-registration.js";
import { wholeMessage } from "../lib/payload.js";
import "./pane-splitter.js";
import { arrowKeys, markTab } from "./tabs.js";
import { lockedView, offView, unreachableView, waitingView } from "./views.js";

await registerStrings({ en: () => import("../i18n/en/sandbox.js"), ja: () => import("../i18n/ja/sandbox.js") });

/** While the connection is down, the page reads the state of its code at this interval. */
const pollMilliseconds = 5000;
/** A customer without a further signal no longer counts as typing after this long. */
const typingMilliseconds = 30_000;
const placeKey = "fd.sandbox.conversation";

/** The sandbox: waits for a customer, then composes for one, with the phone and the JSON in view. */
export class SandboxPage extends HTMLElement {
  #info = null;
  #store = new ConversationStore();
  #fresh = new Set();
  #live = null;
  #join = document.createElement("join-code");
  #switch = document.createElement("conversation-switch");
  #menu = Object.assign(document.createElement("conversation-menu"), { list: this.#switch, join: this.#join });
  #device = document.createElement("phone-frame");
  #composer = document.createElement("desk-composer");
  #switches = Object.assign(document.createElement("phone-switches"), { frame: this.#device, composer: this.#composer });
  #json = document.createElement("json-view");
  #log = document.createElement("message-log");
  #faults = document.createElement("fault-dials");
  #exchanges = document.createElement("wire-exchanges");
  #registration = document.createElement("provider-registration");
  #invitation = document.createElement("invitation-bar");
  #setUpWords = h("summary");
  #wire = h("div", { class: "sb-wire" }, h("details", { class: "more sb-set-up" }, this.#setUpWords, this.#registration, this.#faults), this.#exchanges);
  #scripts = h("div", { class: "sb-wire" });
  #typing = h("p", { class: "sb-typing", role: "status" });
  #typingTimer = 0;
  #banner = h("p", { class: "sb-banner" });
  #mark = h("p", { class: "sb-mark", role: "status" });
  #offline = h("p", { class: "offline-bar", role: "status", hidden: true });
  #main = h("main", { class: "sb-main" });
  #tab = "compose";
  #lower = "draft";
  /** The kind that is composed: Raw JSON is its own text, and needs no second view of it. */
  #kind = "text";

  async connectedCallback() {
    this.#composer.setAttribute("keep-drafts", "");
    this.#device.attachmentUrl = (id, message) => attachmentAddress(this.#store.openID ?? "", id, message);
    this.#composer.addEventListener("draft-change", (event) => this.#drawDraft(event.detail));
    this.#composer.addEventListener("sent", (event) => this.#took([event.detail.message]));
    this.#switch.addEventListener("conversation-open", (event) => {
      this.#menu.close();
      this.#open(event.detail.id, { fromUser: true });
    });
    this.#menu.addEventListener("code-wanted", () => this.#close());
    this.#log.addEventListener("edit-raw", (event) => {
      this.#composer.editRaw(event.detail.text);
      this.#showTab("compose");
    });
    this.#scripts.addEventListener("conversation-open", async (event) => {
      await this.#open(event.detail.id, { fromUser: true });
      this.#showTab("device");
    });
    this.#registration.addEventListener("registered", () => this.#faults.read());
    this.#json.addEventListener("edit-raw", () => this.#showTab("compose"));
    onLanguageChange(() => this.#redraw());
    this.#drawFrame();
    await this.#enter();
  }

  /** Signs in with the printed link's key, then reads the state of the sandbox. */
  async #enter() {
    const key = new URLSearchParams(location.hash.slice(1)).get("key");
    try {
      if (key) {
        await api.post("/api/sandbox/session", { key });
        history.replaceState(null, "", location.pathname + location.search);
      }
      this.#info = await api.get("/api/sandbox");
      await this.#load();
    } catch (problem) {
      if (!(problem instanceof ApiProblem)) throw problem;
      if (problem.status === 404) {
        this.#main.replaceChildren(offView());
      } else if (problem.status === 401 || problem.status === 403) {
        if (key) history.replaceState(null, "", location.pathname + location.search);
        this.#main.replaceChildren(lockedView(Boolean(key), (text) => this.#useLink(text)));
      } else {
        this.#main.replaceChildren(unreachableView(problem, () => this.#enter()));
      }
      return;
    }
    this.#join.hint = reachHint(this.#info);
    this.classList.toggle("is-alone", isAlone(this.#info));
    this.#composer.business = this.#info.business;
    this.#device.business = this.#info.business;
    this.#exchanges.source = { business: this.#info.business.id };
    this.#faults.business = this.#info.business.id;
    this.#registration.business = this.#info.business.id;
    this.#json.composer = this.#composer;
    this.#startLive();
    const last = remembered();
    if (last && this.#store.conversations.has(last)) await this.#open(last);
    else this.#drawMain();
    setInterval(() => this.#poll(), pollMilliseconds);
  }

  #useLink(text) {
    const key = /[#&]key=([^&\s]+)/.exec(text)?.[1] ?? text.trim();
    location.hash = `key=${encodeURIComponent(decodeURIComponent(key))}`;
    this.#enter();
  }

  async #load() {
    const page = await api.get("/api/conversations", {
      query: { business: this.#info.business.id, "filter[state]": "any", "page[size]": 100 },
    });
    this.#store.replaceAll(page.data);
    if (!this.#live) this.#live = new LiveConnection({ after: page.head ?? null });
  }

  #startLive() {
    const live = this.#live;
    live.addEventListener("event", (event) => this.#showVerdict(event.detail));
    live.addEventListener("ephemeral", (event) => this.#applySignal(event.detail));
    live.addEventListener("state", () => this.#drawMark());
    live.addEventListener("reset", async () => {
      await this.#load();
      if (this.#store.openID) await this.#fetchMessages();
      this.#refresh();
    });
    live.start();
    this.#drawMark();
  }

  async #showVerdict(event) {
    if (event.business !== this.#info.business.id) return;
    const { arrived, entryCode } = this.#store.apply(event);
    if (arrived) {
      if (arrived.direction === "inbound" && arrived.conversation === this.#store.openID) this.#setTyping(null);
      if (arrived.conversation === this.#store.openID) this.#store.addMessages([await wholeMessage(arrived)]);
      const isOpen = arrived.conversation === this.#store.openID;
      const mayTurn = !this.#store.openID || (entryCode !== null && this.#join.owned.has(entryCode));
      if (!isOpen && mayTurn && opensPage(arrived, entryCode, this.#join.owned)) {
        await this.#open(arrived.conversation, { isNews: true });
        return;
      }
      if (!isOpen && (arrived.direction === "inbound" || arrived.kind === "invitation")) this.#fresh.add(arrived.conversation);
    }
    this.#refresh();
  }

  #applySignal(frame) {
    if (frame.kind !== "typing" || frame.conversation !== this.#store.openID || frame.who?.type !== "customer") return;
    this.#setTyping(frame.state === "start" ? frame.who : null);
  }

  #setTyping(who) {
    clearTimeout(this.#typingTimer);
    this.#typing.replaceChildren(...(who
      ? [h("span", { class: "sb-dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")), t("sandbox.writing")]
      : []));
    if (who) this.#typingTimer = setTimeout(() => this.#setTyping(null), typingMilliseconds);
  }

  /** While the live line is down, polling the code shows whether a customer has come. */
  async #poll() {
    if (this.#live.state === "live" || this.#store.openID || !this.#join.codeID) return;
    try {
      const { conversation } = await api.get(`/api/sandbox/codes/${encodeURIComponent(this.#join.codeID)}`);
      if (!conversation) return;
      await this.#load();
      await this.#open(conversation, { isNews: true });
    } catch {
      // Safe: the next round repeats it.
    }
  }

  /** Opens a conversation; the cursor goes to the answer unless the focus is in another field. */
  async #open(id, { fromUser = false, isNews = false } = {}) {
    this.#store.turnTo(id);
    this.#fresh.delete(id);
    remember(id);
    this.#setTyping(null);
    if (!this.#store.conversations.has(id)) this.#store.conversations.set(id, await api.get(`/api/conversations/${encodeURIComponent(id)}`));
    const [isOwn] = await Promise.all([this.#isOwnPhone(id), this.#fetchMessages()]);
    if (this.#store.openID !== id) return;
    this.#device.isLive = isOwn;
    this.#drawMain();
    const isFree = fromUser || (isNews && document.activeElement === document.body);
    if (isFree && matchMedia("(min-width: 900px)").matches) this.#composer.focus();
  }

  /** Whether a conversation is that of the customer that this browser is: then its phone can be written in. */
  async #isOwnPhone(id) {
    try {
      const { conversation } = await api.get(`/api/phone/${encodeURIComponent(this.#info.business.id)}`);
      return conversation?.id === id;
    } catch (problem) {
      if (!(problem instanceof ApiProblem)) throw problem;
      return false;  // Safe: what cannot be found out is shown as a preview.
    }
  }

  async #fetchMessages() {
    const id = this.#store.openID;
    const page = await api.get(`/api/conversations/${encodeURIComponent(id)}/messages`, { query: { "page[size]": 100 } });
    if (this.#store.openID === id) this.#store.addMessages(page.data);
  }

  #took(messages) {
    this.#store.addMessages(messages.filter((message) => message.conversation === this.#store.openID));
    this.#refresh();
  }

  #close() {
    this.#store.turnTo(null);
    remember("");
    this.#drawMain();
  }

  #redraw() {
    this.#drawFrame();
    this.#join.hint = this.#info ? reachHint(this.#info) : null;
    if (this.#info) this.#drawMain();
  }

  #drawFrame() {
    document.title = t("sandbox.pageTitle");
    this.#banner.replaceChildren(icon("spark"), h("span", null, t("sandbox.banner")),
      h("span", { class: "sb-banner-more" }, t("sandbox.bannerMore")));
    if (!this.firstChild) {
      this.append(h("brand-bar", { ".here": "sandbox", ".parts": [this.#banner, this.#mark] }), this.#offline, this.#main);
    }
    this.#drawMark();
  }

  #drawMark() {
    const state = this.#live?.state;
    this.#offline.hidden = state !== "offline";
    this.#offline.textContent = t("shared.offlineLead");
    if (!state) return this.#mark.replaceChildren();
    this.#mark.className = `sb-mark sb-mark-${state}`;
    this.#mark.replaceChildren(icon({ live: "check", "catching-up": "refresh", offline: "error" }[state]),
      h("span", null, t({ live: "shared.live", "catching-up": "shared.catchingUp", offline: "shared.offline" }[state])));
  }

  #drawMain() {
    if (this.#store.open) this.#drawOpen();
    else {
      this.#switch.show(this.#store.sorted, null, this.#fresh);
      this.#showRecorded();
      this.#main.className = "sb-main sb-waiting";
      this.#main.replaceChildren(...waitingView({
        join: this.#join, list: this.#switch, business: this.#info.business, scripts: this.#waitingScripts(),
      }));
    }
  }

  #drawOpen() {
    this.#setUpWords.textContent = t("sandbox.wire.setUp");
    this.#main.className = "sb-main sb-open";
    const tab = (name, iconName) => h("button", {
      type: "button", role: "tab", class: "sb-tab", dataset: { tab: name }, id: `sb-tab-${name}`, "aria-controls": `sb-${name}`,
      onclick: () => this.#showTab(name),
    }, icon(iconName), h("span", null, t(`sandbox.tab.${name}`)));
    const tabs = h("div", { class: "sb-tabs", role: "tablist", "aria-label": t("sandbox.tabs"), onkeydown: arrowKeys },
      tab("device", "phone"), tab("compose", "edit"), tab("json", "raw"));
    const lowerTab = (name) => h("button", {
      type: "button", role: "tab", class: "sb-lower-tab", dataset: { lower: name }, id: `sb-lower-${name}`, "aria-controls": "sb-lower",
      onclick: () => this.#showLower(name),
    }, t(`sandbox.lower.${name}`));
    const lower = h("div", { class: "sb-lower", id: "sb-lower", role: "tabpanel" });
    this.#main.replaceChildren(
      h("h1", { class: "fd-hidden-text" }, t("sandbox.pageTitle")),
      h("div", { class: "sb-left" }, this.#menu,
        h("section", { class: "sb-phone sb-pane", id: "sb-device", "aria-label": t("sandbox.tab.device") }, this.#device, this.#switches, this.#invitation, this.#typing)),
      h("section", { class: "sb-compose sb-pane", id: "sb-compose", "aria-label": t("sandbox.tab.compose") }, this.#composer),
      document.createElement("pane-splitter"),
      h("section", { class: "sb-json sb-pane", id: "sb-json", "aria-label": t("sandbox.tab.json") },
        h("div", { class: "sb-lower-tabs", role: "tablist", "aria-label": t("sandbox.tab.json"), onkeydown: arrowKeys }, lowerTab("draft"), lowerTab("log"), lowerTab("wire"), lowerTab("scripts")),
        lower),
      tabs);
    this.#showTab(this.#tab);
    this.#showLower(this.#lower);
    this.#refresh();
  }

  #showTab(name) {
    this.#tab = name;
    this.#main.dataset.tab = name;
    for (const tab of this.querySelectorAll(".sb-tab")) markTab(tab, tab.dataset.tab === name);
  }

  #showLower(name) {
    this.#lower = name;
    const isRaw = this.#kind === "raw";
    const shown = isRaw && name === "draft" ? "log" : name;
    this.#main.dataset.lower = shown;
    const lower = this.querySelector(".sb-lower");
    if (!lower) return;
    for (const tab of this.querySelectorAll(".sb-lower-tab")) {
      markTab(tab, tab.dataset.lower === shown);
      tab.hidden = isRaw && tab.dataset.lower === "draft";
    }
    lower.setAttribute("aria-labelledby", `sb-lower-${shown}`);
    const panel = { draft: this.#json, log: this.#log, wire: this.#wire, scripts: this.#scripts }[shown];
    if (lower.firstChild !== panel) lower.replaceChildren(panel);
    if (shown === "scripts" && !this.#scripts.firstChild) this.#openScripts();
  }

  /** Scripts before a conversation is open: they need none. */
  #waitingScripts() {
    const fold = h("details", { class: "more sb-scripts", open: this.#lower === "scripts", onToggle: () => {
      if (!fold.open) return;
      this.#lower = "scripts";
      fold.append(this.#scripts);
      this.#openScripts();
    } }, h("summary", null, t("sandbox.scripts.lead")));
    return fold;
  }

  /** What is open can be recorded as a script. */
  #showRecorded() {
    const { open, messages } = this.#store;
    if (this.#scripts.firstChild) this.#scripts.firstChild.recorded = open ? { conversation: open, messages } : null;
  }

  async #openScripts() {
    await import("./script-bench.js");
    if (!this.#scripts.firstChild) this.#scripts.append(document.createElement("script-bench"));
    this.#refresh();
  }

  #refresh() {
    const { open, messages, sorted, openID } = this.#store;
    this.#switch.show(sorted, openID, this.#fresh);
    this.#showRecorded();
    if (!open) return;
    this.#menu.show(open, this.#fresh.size);
    this.#composer.conversation = open;
    this.#device.messages = messages;
    this.#log.messages = messages;
    this.#invitation.show(open, messages);
  }

  #drawDraft({ payload, attachments, isRepeat, kind }) {
    if (kind !== this.#kind) {
      this.#kind = kind;
      this.#showLower(this.#lower);
    }
    this.#device.draft = isRepeat ? null : payload;
    this.#device.draftAttachments = attachments ?? [];
  }
}

const remembered = () => {
  try {
    return sessionStorage.getItem(placeKey);
  } catch {
    return null;  // Safe: no storage, the page begins by waiting.
  }
};
const remember = (id) => {
  try {
    sessionStorage.setItem(placeKey, id);
  } catch {
    // Safe: as above.
  }
};

customElements.define("sandbox-page", SandboxPage);
