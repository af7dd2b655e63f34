import { attachmentAddress } from "../cards/attachments.js";
import "../cards/device.js";
import "../composer/desk-composer.js";
import "../composer/json-view.js";
import "../thread/desk-thread.js";
import { h, replace } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";
import { refusalSentence } from "../lib/refusals.js";
import { replaceKeepingFocus } from "../lib/reconcile.js";
import { face } from "./conversation-list.js";
import { customerName } from "./names.js";
import { snoozeChoices } from "./snooze.js";

/** The open conversation: head with its actions, thread, composer or note, the customer's device. */
class ConversationView extends HTMLElement {
  state = null;
  #shownID = null;
  /** Notes that are half written, and the kinds that are open, by conversation. */
  #notes = new Map();
  #kinds = new Map();
  /** Why the last change was refused. */
  #refused = "";

  /** Draws what changed; the composer and its draft stay while the conversation stays. */
  update() {
    const open = this.state?.open;
    if (!open) {
      if (!this.#shownID && this.firstChild) return;
      this.#putAway();
      replace(this, h("section", { class: "view is-empty" },
        h("div", { class: "empty-view" },
          h("h2", null, t("console.pickOne")),
          h("p", null, t("console.pickOneLead")))));
      return;
    }
    if (this.#shownID !== open.conversation.id) this.#build(open.conversation);
    this.#drawHead(open.conversation);
    this.#drawThread(open);
    this.#drawComposer(open.conversation);
    this.device.messages = open.messages;
  }

  /** Keeps the drafts of the conversation that leaves the screen. */
  #putAway() {
    if (!this.#shownID) return;
    const isNote = !this.noteForm.hidden;
    if (this.note.value || isNote) this.#notes.set(this.#shownID, { text: this.note.value, isNote });
    else this.#notes.delete(this.#shownID);
    this.#kinds.set(this.#shownID, this.composer.kind);
    this.#refused = "";
    this.#shownID = null;
  }

  #build(conversation) {
    this.#putAway();
    this.#shownID = conversation.id;
    const business = this.#business(conversation);
    const attachmentUrl = (id, message) => attachmentAddress(conversation.id, id, message);
    this.head = h("header", { class: "view-head" });
    this.thread = h("desk-thread", {
      class: "view-thread", ".attachmentUrl": attachmentUrl,
    });
    this.thread.addEventListener("load-earlier", () => this.#try(() => this.state.loadEarlier()));
    this.#turnComposer(conversation, business);
    this.note = h("textarea", { class: "fd-input note-field", rows: 3, "aria-describedby": "note-help note-keys" });
    this.noteForm = this.#makeNoteForm();
    this.refusal = h("p", { class: "refusal", role: "status", hidden: true });
    this.device = h("desk-device", {
      ".business": business, ".attachmentUrl": attachmentUrl, ".draft": null,
    });
    this.json = h("json-view", { ".composer": this.composer });
    this.json.addEventListener("edit-raw", (event) => {
      this.composer.editRaw(event.detail.text);
      this.#showSide(false);
    });
    this.side = this.#makeSide();
    this.isWriting = false;
    replace(this, h("section", { class: "view", "aria-labelledby": "view-title" },
      h("div", { class: "view-main" }, this.head, this.thread, this.refusal,
        h("div", { class: "view-composer" }, this.composer, this.noteForm)),
      h("column-splitter", { ".target": this.side, ".name": "device", ".minimum": 300, ".maximum": 460,
        ".side": -1, ".label": t("console.resizeDevice") }),
      this.side));
    const kept = this.#notes.get(conversation.id);
    this.note.value = kept?.text ?? "";
    if (kept?.isNote) this.#showNote();
    requestAnimationFrame(() => this.thread.scrollToEnd());
  }

  /** One composer for all conversations: it keeps a draft for each. */
  #turnComposer(conversation, business) {
    if (!this.composer) {
      this.composer = h("desk-composer", { id: "composer", ".companion": this.#noteButton() });
      this.composer.addEventListener("sent", (event) => {
        this.state.addMessage(event.detail.message);
        this.device.draft = null;
        this.thread.scrollToEnd();
      });
      this.composer.addEventListener("draft-change", (event) => {
        this.device.draft = event.detail?.payload ?? null;
        this.device.draftAttachments = event.detail?.attachments ?? [];
        this.#signalTyping(event.detail);
      });
    }
    this.composer.hidden = false;
    this.composer.business = business;
    this.composer.conversation = conversation;
    this.composer.kind = this.#kinds.get(conversation.id) ?? "text";
  }

  /** The right column: the customer's phone, or the exact JSON, behind two tabs. */
  #makeSide() {
    const panels = { device: this.device, json: this.json };
    const tabs = Object.keys(panels).map((name) => h("button", {
      type: "button", class: "tab", "aria-pressed": String(name === "device"), dataset: { side: name },
      onClick: () => choose(name),
    }, t(`console.side.${name}`)));
    const choose = (name) => {
      for (const tab of tabs) tab.setAttribute("aria-pressed", String(tab.dataset.side === name));
      for (const [key, panel] of Object.entries(panels)) panel.hidden = key !== name;
    };
    choose("device");
    return h("aside", { class: "device", "aria-label": t("console.side") },
      h("div", { class: "side-head" },
        h("div", { class: "tabs", role: "group", "aria-label": t("console.side") }, tabs),
        h("button", {
          type: "button", class: "fd-button is-plain side-close", onClick: () => this.#showSide(false),
        }, t("shared.close"))),
      this.device, this.json);
  }

  #showSide(isShown) {
    this.firstElementChild.classList.toggle("shows-side", isShown);
  }

  #business(conversation) {
    return this.state.session.businesses.find((one) => one.id === conversation.business) ?? null;
  }

  #drawHead(conversation) {
    const name = customerName(conversation);
    const business = this.#business(conversation);
    const isMine = conversation.assignee?.id === this.state.session.agent.id;
    const isClosed = conversation.state === "closed";
    const mark = JSON.stringify([conversation.state, conversation.assignee, conversation.left, name,
      this.state.colleagues(conversation.id), document.documentElement.lang]);
    if (this.head.dataset.mark === mark) return;
    this.head.dataset.mark = mark;
    replaceKeepingFocus(this.head, [
      h("a", { class: "back", href: "/console", "aria-label": t("shared.back"), onClick: (event) => {
        event.preventDefault();
        this.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: "/console" }));
      } }, "‹"),
      face(name, conversation.customer?.id ?? conversation.id),
      h("div", { class: "view-names" },
        h("h2", { id: "view-title" }, h("bdi", null, name)),
        h("p", { class: "view-meta" },
          [business?.name, t(`console.state.${conversation.state}`),
            conversation.assignee?.name ?? t("console.unassigned"), conversation.customer?.locale,
            conversation.intent ? t("console.intent", { intent: conversation.intent }) : null,
            ...this.state.colleagues(conversation.id).map((one) =>
              t(one.state === "writing" ? "console.writing" : "console.looking", { name: one.name })),
          ].filter(Boolean).join(" · "))),
      h("div", { class: "view-actions" },
        isMine
          ? action(t("console.unassign"), () => this.#change({ assignee: null }))
          : action(t("console.assignToMe"), () => this.assignToMe()),
        h("button", {
          type: "button", class: "fd-button side-open", onClick: () => this.#showSide(true),
        }, t("console.side")),
        isClosed ? null : this.#snoozeMenu(conversation),
        action(isClosed ? t("console.reopen") : t("console.close"), () => this.toggleClosed())),
    ]);
  }

  #snoozeMenu(conversation) {
    const menu = h("select", { class: "quiet-select", "aria-label": t("console.snooze") },
      h("option", { value: "" }, t("console.snooze")),
      conversation.state === "pending" ? null
        : h("option", { value: "pending" }, t("console.markPending")),
      conversation.state === "open" ? null : h("option", { value: "open" }, t("console.markOpen")),
      snoozeChoices(new Date()).map((choice) =>
        h("option", { value: choice.until.toISOString() }, t(choice.text))));
    menu.addEventListener("change", () => {
      const value = menu.value;
      menu.value = "";
      if (value === "pending" || value === "open") this.#change({ state: value });
      else if (value) this.#change({ state: "snoozed", snoozedUntil: value });
    });
    return menu;
  }

  #drawThread(open) {
    const { thread, state } = this;
    const { conversation } = open;
    thread.name = customerName(conversation);
    thread.messages = open.messages;
    thread.notes = open.notes;
    thread.hasMore = open.hasMore;
    thread.damaged = open.damaged;
    thread.conversation = conversation.id;
    thread.unreadAfter = open.unreadAfter;
    thread.states = state.deliveries.states;
    thread.typing = state.isTyping(conversation.id) ? customerName(conversation) : null;
  }

  #drawComposer(conversation) {
    const words = this.#refused || (conversation.left ? t("console.leftLead") : "");
    this.refusal.hidden = !words;
    if (this.refusal.textContent !== words) this.refusal.textContent = words;
    if (this.composer.conversation !== conversation) this.composer.conversation = conversation;
  }

  #makeNoteForm() {
    const send = h("button", { class: "fd-button", type: "submit" }, t("console.addNote"));
    const form = h("form", { class: "note-form", hidden: true },
      h("label", { class: "fd-label", for: "note-text" }, t("console.noteLabel")),
      h("p", { class: "note-help", id: "note-help" }, t("console.noteHelp")), this.note,
      h("p", { class: "fd-error", role: "alert" }),
      h("div", { class: "note-actions" }, send,
        action(t("shared.cancel"), () => this.#endNote(), "is-plain"),
        h("span", { class: "note-keys", id: "note-keys" }, t("console.noteKeys"))));
    this.note.id = "note-text";
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const text = this.note.value.trim();
      if (!text) return;
      try {
        await this.state.addNote(text);
        this.note.value = "";
        this.#endNote();
        this.thread.scrollToEnd();
      } catch (problem) {
        form.querySelector("[role=alert]").textContent = refusalSentence(problem);
      }
    });
    form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#endNote();
      if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) form.requestSubmit();
    });
    return form;
  }

  #noteButton() {
    return h("button", {
      type: "button", class: "cp-button cp-quiet cp-companion", title: t("console.key.note"),
      "aria-label": t("console.writeNote"), "aria-keyshortcuts": "n",
      onClick: () => this.startNote(),
    }, icon("note", 16), h("span", null, t("console.writeNote")));
  }

  /** Puts the cursor where the answer is written. */
  focusComposer() {
    this.#endNote();
    this.composer?.focus();
  }

  /** Opens the field for a note to colleagues. */
  startNote() {
    if (!this.noteForm) return;
    this.#showNote();
    this.note.focus();
  }

  #showNote() {
    this.noteForm.hidden = false;
    this.composer.hidden = true;
  }

  #endNote() {
    if (!this.noteForm || this.noteForm.hidden) return;
    this.noteForm.hidden = true;
    this.composer.hidden = false;
    this.composer.focus();
  }

  /** Brings a message into view. @param {string} id */
  revealMessage(id) {
    this.thread?.reveal(id);
  }

  openTemplates() {
    this.focusComposer();
    this.composer?.openTemplates?.();
  }

  assignToMe() {
    if (this.state.open) this.#change({ assignee: "me" });
  }

  toggleClosed() {
    const open = this.state.open;
    if (open) this.#change({ state: open.conversation.state === "closed" ? "open" : "closed" });
  }

  #change(change) {
    return this.#try(() => this.state.change(change));
  }

  /** Changes the open conversation and shows the reason of a refusal. */
  async #try(work) {
    const id = this.#shownID;
    this.#refused = "";
    try {
      await work();
    } catch (problem) {
      if (id === this.#shownID) this.#refused = refusalSentence(problem);
    }
    if (id === this.#shownID) this.update();
  }

  #signalTyping(draft) {
    const isWriting = Boolean(draft?.payload);
    if (isWriting === this.isWriting) return;
    this.isWriting = isWriting;
    this.state.sendPresence(isWriting ? "writing" : "looking");
  }
}

function action(text, run, kind = "") {
  return h("button", { type: "button", class: `fd-button ${kind}`, onClick: run }, text);
}

customElements.define("conversation-view", ConversationView);
