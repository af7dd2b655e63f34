import { avatar } from "../cards/avatar.js";
import { readFace, words } from "../cards/card-model.js";
import { chosenIn, kindOf } from "../cards/kinds.js";
import { openPressedPicture } from "../cards/picture-viewer.js";
import { picturesOf } from "../cards/thread-pictures.js";
import { api } from "../lib/api.js";
import { connectionOr } from "../lib/backoff.js";
import { h, replace } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { onLanguageChange, t } from "../lib/i18n.js";
import { openAnswerSheet } from "./answers.js";
import { Conversation } from "./conversation.js";
import { forgetForms } from "./form-sheet.js";
import { FrameLeaving } from "./frame-leaving.js";
import { recall, remember } from "./memory.js";
import { PhoneNotice } from "./phone-notice.js";
import { PreviewConversation } from "./preview-conversation.js";
import { placeOf } from "./route.js";
import { openMenuSheet } from "./menu-sheet.js";
import { openUnsentSheet } from "./unsent-sheet.js";
import "./phone-composer.js";
import "./phone-thread.js";

/** A connection that is back within this time is not shown as lost. */
const OFFLINE_GRACE_MILLISECONDS = 1500;
/** How many pages are read to find the place where the reader was. */
const MAX_RESTORE_PAGES = 10;

/** The conversation on screen: head, thread, field, sheets. */
export class PhoneChat extends HTMLElement {
  info = null;
  /** The conversation to show; without one the page's own customer's. */
  conversation = null;
  entry = {};
  prefill = "";
  /** @type {import("./route.js").Place|undefined} */
  place = undefined;
  /** The page around this one, where this is the frame of a widget. @type {import("./embedding.js").Embedding|null} */
  embedding = null;
  /** Files that were chosen before the customer signed in. @type {File[]} */
  held = [];
  /** Under which key this tab keeps them. @type {string|null} */
  heldKey = null;
  /** Whether the customer was signed in when this frame was loaded. */
  isNamed = false;
  #unseen = 0;
  #isLoadingEarlier = false;
  #lineTimer = 0;
  /** The bell, once there is a conversation to be notified of. */
  #bell;
  /** Whether the server knows the customer of this page no more. */
  #hasEnded = false;

  connectedCallback() {
    const { business } = this.info;
    this.place ??= placeOf(business.id);
    this.key = this.place.key;
    if (!this.conversation?.isPreview && !this.embedding) remember("fd.phone.last", business.id);
    this.conversation ??= new Conversation(this.info, this.entry, this.place);
    this.conversation.isNamed = this.isNamed;
    this.#build();
    this.#listen();
    this.composer.text = this.#recall("draft") || this.prefill;
    this.composer.hold(this.held);
    this.#update();
    if (this.conversation.isUnread) this.#drawLine("offline");
    this.#start();
    this.endLanguage = onLanguageChange(() => {
      this.#drawHead();
      this.#update();
    });
  }

  disconnectedCallback() {
    this.endLanguage();
  }

  /** The card that is being written by the business, for the page around this one; null for none. */
  set draft(draft) {
    this.thread.draft = draft;
    this.#update();
  }

  /** Shows or hides the dots of the business's typing. @param {boolean} isTyping */
  showTyping(isTyping) {
    this.thread.isTyping = isTyping;
    this.thread.update();
  }

  /** What this page keeps between two visits; a preview keeps nothing. */
  #recall(name) {
    return this.conversation.isPreview ? null : recall(`${this.key}.${name}`);
  }

  #remember(name, value) {
    if (!this.conversation.isPreview) remember(`${this.key}.${name}`, value);
  }

  async #start(wait = 1000) {
    try {
      await this.conversation.start();
    } catch {
      // Safe: retried until it works; the banner says that the connection is down.
      this.#drawLine("offline");
      await connectionOr(wait);
      return this.#start(Math.min(wait * 2, 15_000));
    }
    if (this.conversation.line === "none") this.#drawLine("none");
    await this.#restorePlace();
    // A customer who has focused another element meanwhile keeps the focus there.
    // In a frame the focus is that of the page around it.
    const isFree = document.activeElement === document.body && window.top === window;
    if (isFree && matchMedia("(pointer: fine)").matches) this.composer.focusField();
  }

  #build() {
    const { conversation } = this;
    this.head = h("header", { class: "chat-head", tabindex: "-1" });
    this.line = h("div", { class: "line", role: "status", hidden: true });
    this.welcome = h("div", { class: "welcome" });
    this.thread = h("phone-thread", { ".conversation": conversation });
    this.composer = h("phone-composer", { ".conversation": conversation });
    this.notice = new PhoneNotice();
    this.spoken = h("div", { class: "fd-hidden-text", role: "log", "aria-live": "polite" });
    replace(this,
      h("div", { class: "chat" }, this.head, this.line,
        h("main", { class: "chat-main" }, this.welcome, this.thread),
        h("div", { class: "chat-foot" }, this.notice.node, this.composer),
        h("div", { class: "drop-mark", "aria-hidden": "true" }, t("phone.dropHere")), this.spoken));
    this.#drawHead();
  }

  #listen() {
    const { conversation, thread, composer } = this;
    conversation.addEventListener("change", () => this.#update());
    conversation.addEventListener("arrived", ({ detail }) => this.#arrived(detail.message));
    conversation.addEventListener("typing", ({ detail }) => this.showTyping(detail.isTyping));
    conversation.addEventListener("nothing-sent", () => this.notice.say(t("phone.nothingSent")));
    conversation.addEventListener("sent-before", () => this.notice.say(t("phone.sentBefore")));
    conversation.addEventListener("line", ({ detail }) => this.#lineChanged(detail.state));
    conversation.addEventListener("unpaid", ({ detail }) => this.notice.ask(detail.text, t("phone.pay.again"), detail.again));
    conversation.addEventListener("paid", () => thread.scrollToEnd());
    conversation.addEventListener("begun", () => this.#begun());
    conversation.addEventListener("deleted", () => this.#leave());
    conversation.addEventListener("known", () => this.#drawHead());
    if (!conversation.isPreview) this.#listenPages();
    conversation.addEventListener("begun-anew", () => {
      this.#leave();
      this.notice.say(t("phone.begunAnew"));
    });
    thread.addEventListener("answer", ({ detail }) => this.#openAnswer(detail));
    thread.addEventListener("unsent", ({ detail }) => openUnsentSheet(detail.item, conversation));
    thread.addEventListener("earlier", () => this.#loadEarlier());
    thread.addEventListener("moved", ({ detail }) => this.#remember("place", detail.anchor));
    thread.addEventListener("attachment-open", (event) => openPressedPicture(event,
      picturesOf(conversation.thread.messages, (id, message) => conversation.attachmentUrl(id, message))));
    composer.addEventListener("submit-message", (event) => {
      this.notice.settle();
      if (!conversation.sendText(event.detail.text, event.detail.files)) {
        this.notice.say(t("phone.outboxFull"));
        event.preventDefault();
      }
      thread.scrollToEnd();
    });
    composer.addEventListener("draft", ({ detail }) => {
      this.#remember("draft", detail.text === "" ? null : detail.text);
      conversation.sayTyping(detail.text.trim() !== "");
    });
    composer.addEventListener("notice", ({ detail }) => this.notice.say(detail.text));
    document.addEventListener("visibilitychange", () => this.#seen());
    if (this.embedding) this.#listenAround();
    else conversation.addEventListener("ended", () => {
      this.#hasEnded = true;
      this.#drawLine(conversation.line);
    });
    this.#listenDrops();
  }

  /** What the page around the widget says. */
  #listenAround() {
    const { conversation, embedding } = this;
    const leaving = new FrameLeaving(this);
    const update = () => {
      conversation.page = embedding.page;
      conversation.checksCustomer = embedding.renews;
      this.#update();
    };
    embedding.addEventListener("page", update);
    conversation.addEventListener("wrote", () => embedding.wrote());
    conversation.addEventListener("line", ({ detail }) => detail.state === "offline" && leaving.askLater());
    conversation.addEventListener("ended", () => (this.isNamed || embedding.renews ? embedding.ended() : leaving.forget()));
    conversation.addEventListener("replaced", ({ detail }) => leaving.loadAnew(detail.text));
    this.composer.addEventListener("files", () => leaving.holdRest());
    // A page that comes back as it was left may come back to another customer.
    // Safe: asked again with the connection.
    addEventListener("pageshow", ({ persisted }) => persisted && conversation.check().catch(() => {}));
    // Frames around which the pages are of one site have the same customer: the first words in one begin it in all.
    const others = new BroadcastChannel(`fd.widget.${conversation.business.id}`);
    conversation.addEventListener("begun", () => others.postMessage("begun"));
    others.onmessage = () => conversation.hasCustomer || conversation.check().catch(() => {});  // Safe: the next words begin it.
    embedding.addEventListener("renewed", () => conversation.renew());
    embedding.addEventListener("settle", ({ detail }) => leaving.settle(detail.holder));
    embedding.addEventListener("opened", () => {
      this.#update();
      if (matchMedia("(pointer: fine)").matches) this.composer.focusField();
      // On a phone nothing is marked, and the keyboard of the screen stays away.
      else this.head.focus({ preventScroll: true });
    });
    this.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("dialog[open]")) embedding.close();
    });
  }

  /** What is deleted in one page of a browser is gone from all. */
  #listenPages() {
    const others = new BroadcastChannel(`${this.key}.left`);
    this.conversation.addEventListener("deleted", () => others.postMessage("left"));
    others.onmessage = () => this.conversation.leave();
  }

  #listenDrops() {
    const mark = (isOn) => this.classList.toggle("is-dropping", isOn);
    const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
    this.addEventListener("dragover", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      mark(true);
    });
    this.addEventListener("dragleave", (event) => this.contains(event.relatedTarget) || mark(false));
    this.addEventListener("drop", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      mark(false);
      this.composer.add(event.dataTransfer.files);
    });
  }

  #drawHead() {
    const { business, isMuted } = this.conversation;
    replace(this.head,
      h("a", { class: "skip", href: "#message" }, t("phone.skip")), avatar(business),
      h("div", { class: "chat-name" }, h("h1", null, business.name),
        business.mode === "test" && h("span", { class: "badge" }, t("phone.testBusiness")),
        isMuted && h("span", { class: "muted", role: "img", "aria-label": t("phone.muted") }, icon("bellOff", 16))),
      h("button", {
        class: "round is-menu", type: "button", "aria-haspopup": "dialog", "aria-label": t("phone.menu"),
        onClick: () => openMenuSheet(this.conversation, (text) => this.notice.say(text)),
      }, icon("menu", 22)),
      this.embedding && h("button", {
        class: "round", type: "button", "aria-label": t("phone.close"), onClick: () => this.embedding.close(),
      }, icon("close", 22)));
  }

  #update() {
    const { conversation } = this;
    const isEmpty = conversation.thread.messages.length === 0
      && conversation.thread.damaged.length === 0
      && conversation.outbox.items.length === 0 && !this.thread.draft;
    this.welcome.hidden = !isEmpty;
    this.thread.hidden = isEmpty;
    if (isEmpty) this.#drawWelcome();
    this.thread.update();
    for (const said of [...this.spoken.children]) if (conversation.thread.find(said.dataset.message)?.erasedAt) said.remove();
    document.querySelector("picture-viewer")?.follow(conversation.thread.messages);
    this.composer.draw();
    this.embedding?.saw(conversation.thread.messages);
    if (this.head.querySelector(".muted") === null === conversation.isMuted) this.#drawHead();
    if (conversation.hasCustomer && conversation.id && window.top === window) this.#bell ??= import("./answer-notices.js").then((late) => late.followBell(this))
      .catch(() => {});  // Safe: the menu has the bell, and tries again.
  }

  #drawWelcome() {
    const { business, hasLeft, isLoaded, isUnread } = this.conversation;
    if (isUnread) return replace(this.welcome, avatar(business), h("p", null, t("phone.openedOffline")));
    if (!isLoaded) {
      return replace(this.welcome, h("span", { class: "spinner", "aria-hidden": "true" }),
        h("span", { class: "fd-hidden-text" }, t("shared.loading")));
    }
    return replace(this.welcome, avatar(business),
      h("h2", null, t("phone.welcome", { name: business.name })),
      this.embedding?.greeting && !hasLeft
        ? h("p", { class: "greeting" }, this.embedding.greeting)
        : h("p", null, t(hasLeft ? "phone.welcomeBack" : this.embedding ? "phone.welcomeShop" : "phone.welcomeHint",
          { name: business.name })));
  }

  #begun() {
    this.composer.uploadHeld();
    if (this.embedding || !this.conversation.isKept) this.#checkKept();
    if (this.embedding) return;
    // The address becomes the lasting one: a reload neither fills the field again nor needs a code.
    const lasting = `/b/${encodeURIComponent(this.conversation.business.id)}`;
    if (location.pathname + location.search !== lasting) history.replaceState(null, "", lasting);
  }

  /** Some browsers keep no cookie in a frame: then the customer is led to where the conversation is kept. Some keep none at all. */
  async #checkKept() {
    const info = await api.get(this.place.base).catch(() => null);  // Safe: without an answer nothing is known.
    if (info) this.conversation.meet(info);
    if (!info || info.customer || this.querySelector(".not-kept")) return;
    this.conversation.isKept = false;
    const { id } = this.conversation.business;
    const way = this.embedding && [" ", h("a", { href: `/b/${encodeURIComponent(id)}`, target: "_blank", rel: "noopener" }, t("phone.outside"))];
    this.head.after(h("div", { class: "line not-kept", role: "alert" }, t(way ? "phone.notKept" : "phone.noCookies"), way));
  }

  #arrived(message) {
    this.thread.arrived();
    if (!this.conversation.isMuted) this.embedding?.arrived();
    const { name } = this.conversation.business;
    const text = words(message.summary) || words(message.payload?.body).replaceAll("\u{fffc}", "")
      || readFace(message.payload).title || t(`card.${kindOf(message.payload)}`);
    this.spoken.append(h("p", { dataset: { message: message.id } }, t("phone.from", { name, text })));
    while (this.spoken.childElementCount > 5) this.spoken.firstChild.remove();
    if (document.hidden && !this.conversation.isMuted) {
      this.#unseen += 1;
      document.title = `(${this.#unseen}) ${name}`;
    }
  }

  #seen() {
    this.embedding?.saw(this.conversation.thread.messages);
    if (document.hidden || this.#unseen === 0) return;
    this.#unseen = 0;
    document.title = this.conversation.business.name;
  }

  #lineChanged(state) {
    clearTimeout(this.#lineTimer);
    if (state === "live") {
      this.composer.uploadAgain();
      return this.#drawLine(state);
    }
    this.#lineTimer = setTimeout(() => this.#drawLine(state), OFFLINE_GRACE_MILLISECONDS);
  }

  #drawLine(state) {
    this.line.hidden = state === "live" || state === "none";
    this.line.className = `line is-${state}`;
    const words = state !== "offline" ? "catchingUp" : this.#hasEnded ? "failure.unauthenticated" : "offline";
    replace(this.line, t(`phone.${words}`));
  }

  /** Nothing of the thread is on screen any more. */
  #leave() {
    this.#hasEnded = false;
    replace(this.spoken);
    this.#remember("place", null);
    forgetForms(this.key);
  }

  #openAnswer({ message, kind, identifier }) {
    const conversation = message.isDraft ? this.#draftConversation() : this.conversation;
    const before = chosenIn(conversation.thread.answers.get(message.id)?.payload);
    const answer = (id, choice, label) => {
      if (!conversation.answer(id, message.id, choice, label)) this.notice.say(t("phone.outboxFull"));
      this.thread.scrollToEnd();
      // The card that was tapped is drawn anew; the focus must not fall out of the page with it.
      requestAnimationFrame(() => this.thread.scroller.focus({ preventScroll: true }));
    };
    openAnswerSheet(kind, { message, conversation, before, identifier, answer, key: conversation.isPreview ? null : this.key });
  }

  /** What is answered to a card that is only being written goes nowhere. */
  #draftConversation() {
    const conversation = new PreviewConversation(this.conversation.business);
    conversation.addEventListener("nothing-sent", () => this.notice.say(t("phone.nothingSent")));
    return conversation;
  }

  async #loadEarlier() {
    if (this.#isLoadingEarlier) return 0;
    this.#isLoadingEarlier = true;
    try {
      return await this.conversation.loadEarlier();
    } catch {
      this.notice.say(t("shared.problem.offline"));
      return 0;
    } finally {
      this.#isLoadingEarlier = false;
    }
  }

  /** Back to where the reader was before the reload, earlier pages included. */
  async #restorePlace() {
    const anchor = this.#recall("place");
    this.thread.draw();
    if (!anchor) return;
    for (let page = 0; page < MAX_RESTORE_PAGES; page += 1) {
      if ((this.conversation.thread.first ?? 0) <= anchor.sequence) break;
      if (await this.#loadEarlier() === 0) break;
    }
    this.thread.draw();
    requestAnimationFrame(() => this.thread.restore(anchor));
  }
}

customElements.define("phone-chat", PhoneChat);
