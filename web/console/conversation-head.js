import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { loadPart } from "../lib/late-part.js";
import { icon } from "../lib/icons.js";
import { openMenu } from "../lib/popup.js";
import { redraw } from "../lib/reconcile.js";
import { SteadyList } from "../lib/steady-list.js";
import { face } from "./conversation-list.js";
import { dueWords } from "./due.js";
import { customerName } from "../lib/names.js";
import { labelChips } from "./label-parts.js";
import { may } from "./permissions.js";
import { presenceWords } from "./presence-store.js";
import { priorities, priorityMark } from "./priority.js";
import { closeWish, SeenState } from "./seen-state.js";
import { keyHint } from "./shortcuts.js";
import { openSnoozeMenu } from "./snooze-menu.js";
import { snoozeWords } from "./snooze.js";
import { transcriptItems } from "./transcript-items.js";

/** Where there is one column, the list with the heading of the page is not in it. */
const ONE_COLUMN = matchMedia("(max-width: 720px)");

/**
 * One line over the thread: who it is, colleagues who are here, who answers, later, close.
 *
 * Values down: `state`, `conversation`. Events up: `go`, `change-wanted` (`detail`: the change), `side-wanted`, `find-wanted`.
 */
class ConversationHead extends HTMLElement {
  state = null;
  #conversation = null;
  #mark = "";
  /** Colleagues come, write and go at any time. */
  #steady = new SteadyList(this);
  #seen = new SeenState();
  #end = null;

  connectedCallback() {
    this.#end = new AbortController();
    this.state.addEventListener("happened", ({ detail }) => this.#noteOthers(detail), { signal: this.#end.signal });
  }

  disconnectedCallback() {
    this.#end.abort();
  }

  /** The page draws with the next frame: what it has on screen now is the state before the event. */
  #noteOthers({ conversation, data }) {
    const shown = this.#conversation;
    const state = data?.conversation?.state;
    if (conversation !== shown?.id || !state || state === shown.state || data.by?.id === this.state.session.agent.id) return;
    this.#seen.note(shown.state, performance.now());
  }

  /**
   * The change that closes the conversation or opens it again, whichever the agent meant by the state that they saw.
   * @param {number} [when] the time of the press, as `event.timeStamp`
   */
  closeWish(when = performance.now()) {
    return closeWish(this.#seen.at(this.#conversation.state, when));
  }

  get conversation() {
    return this.#conversation;
  }

  set conversation(conversation) {
    this.#conversation = conversation;
    const labels = this.state.lists.labelsOf(conversation);
    const team = conversation.team ? this.state.lists.teams(conversation.business).find((one) => one.id === conversation.team) : null;
    const here = this.state.colleagues(conversation.id);
    const mark = JSON.stringify([conversation.id, conversation.state, conversation.snoozedUntil, conversation.assignee,
      conversation.left, conversation.blockedAt, conversation.intent, conversation.priority, labels, team, dueWords(conversation)?.words, customerName(conversation), here, document.documentElement.lang]);
    if (mark === this.#mark) return;
    this.#mark = mark;
    this.#steady.draw(() => [h("header", { class: "view-head" }, this.#back(), this.#names(here, labels, team),
      h("div", { class: "view-faces" }, here.map((one) => this.#colleague(one))), this.#actions())]);
  }

  #back() {
    return h("a", { class: "back", href: "/console", "aria-label": t("shared.back"), onClick: (event) => {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: "/console" }));
    } }, "‹");
  }

  #names(here, labels, team) {
    const conversation = this.#conversation;
    const business = this.state.session.businesses.find((one) => one.id === conversation.business);
    const facts = [
      // What changes comes first: the end is cut where there is little room.
      conversation.state === "snoozed" ? snoozeWords(conversation.snoozedUntil) : t(`console.state.${conversation.state}`),
      conversation.blockedAt ? t("contact.blocked") : null,
      business?.name, team?.name,
      conversation.intent ? t("console.intent", { intent: conversation.intent }) : null,
      ...here.filter((one) => one.state === "writing").map((one) => t("console.writing", { name: one.name })),
    ].filter(Boolean).join(" · ");
    const due = conversation.state === "open" ? dueWords(conversation) : null;
    return h("div", { class: "view-names" },
      h("div", { class: "view-title" }, h("h2", { id: "view-title", "aria-level": ONE_COLUMN.matches ? "1" : null }, h("bdi", null, customerName(conversation))), labelChips(labels)),
      h("p", { class: "view-meta", title: facts }, due ? h("span", { class: `due-mark is-${due.state}` }, due.words) : null, due ? " · " : null, facts));
  }

  #colleague(one) {
    const words = presenceWords(one);
    const drawn = face(one.name, one.id);
    if (one.state !== "looking") drawn.classList.add(`is-${one.state}`);
    drawn.title = words;
    drawn.setAttribute("role", "img");
    drawn.removeAttribute("aria-hidden");
    drawn.setAttribute("aria-label", words);
    return drawn;
  }

  #actions() {
    const { assignee, state, priority } = this.#conversation;
    const isClosed = state === "closed";
    const business = this.state.session.businesses.find((one) => one.id === this.#conversation.business);
    const mayHandle = may(business, "conversations.handle");
    this.#drawButtons(assignee, priority);
    this.#assigneeButton.disabled = !mayHandle;
    this.#snoozeButton.disabled = isClosed;
    return h("div", { class: "view-actions" }, mayHandle ? [this.#macroButton, this.#labelButton, this.#priorityButton] : null,
      this.#assigneeButton, mayHandle ? this.#snoozeButton : null,
      h("button", {
        type: "button", class: "fd-button is-icon side-open", title: t("console.side"), "aria-label": t("console.side"),
        onClick: () => this.dispatchEvent(new CustomEvent("side-wanted")),
      }, icon("sidebar", 17)),
      h("button", {
        type: "button", class: "fd-button is-icon find-button", ...keyHint("find"), title: t("console.find"), "aria-label": t("console.find"),
        onClick: () => this.#wantFind(),
      }, icon("search", 17)),
      this.#moreButton,
      !mayHandle ? null : h("button", {
        type: "button", class: `fd-button close ${isClosed ? "" : "is-primary"}`, ...keyHint("close"),
        "aria-label": t(isClosed ? "console.reopen" : "console.close"),
        onClick: (event) => this.#want(this.closeWish(event.timeStamp)),
      }, icon(isClosed ? "retry" : "check", 17), h("span", null, t(isClosed ? "console.reopen" : "console.close"))));
  }

  /** These stay the same while the head is drawn anew: a menu that hangs on one of them stays open. */
  #labelButton = h("button", {
    type: "button", class: "fd-button is-icon label-button", "aria-haspopup": "dialog", "aria-expanded": "false",
    ...keyHint("labels"), onClick: () => this.openLabels(),
  }, icon("tag", 17));
  #priorityButton = h("button", {
    type: "button", class: "fd-button is-icon priority-button", "aria-haspopup": "menu", "aria-expanded": "false",
    ...keyHint("priority"), onClick: () => this.openPriority(),
  });

  #macroButton = h("button", {
    type: "button", class: "fd-button is-icon macro-button", "aria-haspopup": "dialog", "aria-expanded": "false",
    ...keyHint("macro"), onClick: () => this.openMacros(),
  }, icon("play", 17));
  #assigneeButton = h("button", { type: "button", "aria-haspopup": "menu", "aria-expanded": "false", onClick: () => this.openAssignees(this.#assigneeButton) });
  #snoozeButton = h("button", {
    type: "button", class: "fd-button is-icon later", "aria-haspopup": "menu", "aria-expanded": "false",
    ...keyHint("snooze"), onClick: () => this.#openSnooze(this.#snoozeButton),
  }, icon("clock", 17));
  #moreButton = h("button", {
    type: "button", class: "fd-button is-icon head-more", "aria-haspopup": "menu", "aria-expanded": "false", onClick: () => this.#openMore(),
  }, icon("menu", 17));

  #drawButtons(assignee, priority) {
    const name = assignee?.name ?? t("console.unassigned");
    for (const [button, title, label = title] of [
      [this.#priorityButton, t("customer.priorityIs", { priority: t(`thread.priority.${priority ?? "none"}`) })],
      [this.#labelButton, t("console.labels.change")], [this.#macroButton, t("console.section.macros")], [this.#snoozeButton, t("console.snooze")],
      [this.#moreButton, t("console.head.more")], [this.#assigneeButton, t("console.assignee"), `${t("console.assignee")}: ${name}`],
    ]) {
      button.title = title;
      button.setAttribute("aria-label", label);
    }
    this.#assigneeButton.className = `fd-button assignee ${assignee ? "" : "is-none"}`;
    redraw(this.#assigneeButton, icon("person", 16), h("span", null, name), h("span", { class: "caret", "aria-hidden": "true" }, icon("down", 14)));
    redraw(this.#priorityButton, priorityMark(priority, { isSaid: true }) ?? icon("flag", 17));
  }

  /** Opens the menu of labels. @param {HTMLElement} [anchor] */
  async openLabels(anchor = shownOf(this.#labelButton, this)) {
    const { id, business } = this.#conversation;
    (await loadPart(() => import("./label-menu.js")))?.openLabelMenu(anchor, {
      state: this.state, business, conversations: () => (this.state.open?.conversation.id === id ? [this.state.open.conversation] : []),
      change: (labels) => this.#want({ labels }),
    });
  }

  get #macroAnchor() {
    return this.#macroButton.checkVisibility() ? this.#macroButton : this.querySelector(".head-more");
  }

  /** Opens the menu of macros. */
  async openMacros() {
    (await loadPart(() => import("./macro-menu.js")))?.openMacroMenu(this.#macroAnchor, this.state, this.#conversation);
  }

  /** Runs a macro, whose parameters are asked for first. @param {any} macro */
  async runMacro(macro) {
    (await loadPart(() => import("./macro-menu.js")))?.beginMacro(this.#macroAnchor, this.state, this.#conversation, macro);
  }

  /** Opens the menu of priorities. @param {HTMLElement} [anchor] */
  openPriority(anchor = shownOf(this.#priorityButton, this)) {
    const chosen = this.#conversation.priority ?? "none";
    openMenu(anchor, priorities.map((one) => ({
      text: t(`customer.priority.${one}`), icon: priorityMark(one, { isSaid: true }) ?? h("span", { class: "priority-mark" }),
      isChecked: one === chosen, run: () => one !== chosen && this.#want({ priority: one }),
    })), { label: t("customer.priority") });
  }

  /** Macros where there is no room for their button; the transcript, as a page to read and print, and as files. */
  #openMore() {
    const business = this.state.session.businesses.find((one) => one.id === this.#conversation.business);
    openMenu(this.#moreButton, [
      ...may(business, "conversations.handle") ? [{ text: t("console.section.macros"), run: () => this.openMacros() }, { isLine: true }] : [],
      { text: t("console.find"), run: () => this.#wantFind() }, { isLine: true },
      ...transcriptItems([this.#conversation.id]),
      ...may(business, "holds.manage") ? [{ isLine: true }, { text: t("console.head.hold"), run: () => this.#hold() }] : [],
      ...may(business, "messages.erase") ? [{ text: t("console.head.erase"), run: () => this.#erase() }] : [],
    ], { label: t("console.head.more") });
  }

  async #hold() {
    const path = `/api/conversations/${this.#conversation.id}/legal-hold`;
    await (await loadPart(() => import("./hold-dialog.js")))?.openHold({ path, kind: "conversation" });
  }

  async #erase() {
    const conversation = this.#conversation;
    (await loadPart(() => import("./erase-whole.js")))?.eraseWhole({
      path: `/api/conversations/${conversation.id}/erasure`, kind: "conversation", name: customerName(conversation),
    });
  }

  #wantFind() {
    this.dispatchEvent(new CustomEvent("find-wanted"));
  }

  #want(change) {
    this.dispatchEvent(new CustomEvent("change-wanted", { detail: change }));
  }

  /** Opens the menu of members and teams. @param {HTMLElement} [anchor] */
  async openAssignees(anchor = shownOf(this.querySelector(".assignee"), this)) {
    const { business, assignee, team } = this.#conversation;
    (await loadPart(() => import("./assign-choices.js")))?.openAssignMenu(anchor, {
      state: this.state, business, assignee: assignee?.id ?? null, team: team ?? null, label: t("console.assignee"),
      choose: ({ change, isChecked }) => !isChecked && this.#want(change),
    });
  }

  /** Opens a menu of the head. @param {"assignee"|"labels"|"priority"|"snooze"|"macros"} name @param {HTMLElement} [anchor] */
  openMenu(name, anchor) {
    const menus = {
      assignee: () => this.openAssignees(anchor), labels: () => this.openLabels(anchor), priority: () => this.openPriority(anchor),
      snooze: () => this.openSnooze(), macros: () => this.openMacros(),
    };
    return menus[name]();
  }

  /** Opens the menu of times to come back at. */
  openSnooze() {
    const button = this.querySelector(".later");
    if (button && !button.disabled) this.#openSnooze(button);
  }

  #openSnooze(anchor) {
    openSnoozeMenu(anchor, { state: this.#conversation.state, want: (change) => this.#want(change) });
  }
}

/** The button of a menu; where there is no room for it, the head. */
function shownOf(button, head) {
  return button.checkVisibility() ? button : head.querySelector(".view-actions");
}

customElements.define("conversation-head", ConversationHead);
