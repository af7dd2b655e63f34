import { api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { openMenu, openPopup } from "../lib/popup.js";
import { replaceKeepingFocus } from "../lib/reconcile.js";
import { face } from "./conversation-list.js";
import { customerName } from "../lib/names.js";
import { snoozeChoices, snoozeDay, snoozeWords } from "./snooze.js";

/**
 * One line over the thread: who it is, colleagues who are here, who answers, later, close.
 *
 * Values down: `state`, `conversation`. Events up: `go`, `change-wanted` (`detail`: the change), `side-wanted`.
 */
class ConversationHead extends HTMLElement {
  state = null;
  #conversation = null;
  #mark = "";

  get conversation() {
    return this.#conversation;
  }

  set conversation(conversation) {
    this.#conversation = conversation;
    const here = this.state.colleagues(conversation.id);
    const mark = JSON.stringify([conversation.id, conversation.state, conversation.snoozedUntil, conversation.assignee,
      conversation.left, conversation.intent, customerName(conversation), here, document.documentElement.lang]);
    if (mark === this.#mark) return;
    this.#mark = mark;
    replaceKeepingFocus(this, [h("header", { class: "view-head" }, this.#back(), this.#names(here),
      h("div", { class: "view-faces" }, here.map((one) => this.#colleague(one))), this.#actions())]);
  }

  #back() {
    return h("a", { class: "back", href: "/console", "aria-label": t("shared.back"), onClick: (event) => {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: "/console" }));
    } }, "‹");
  }

  #names(here) {
    const conversation = this.#conversation;
    const business = this.state.session.businesses.find((one) => one.id === conversation.business);
    const facts = [
      business?.name,
      conversation.state === "snoozed" ? snoozeWords(conversation.snoozedUntil) : t(`console.state.${conversation.state}`),
      conversation.intent ? t("console.intent", { intent: conversation.intent }) : null,
      ...here.filter((one) => one.state === "writing").map((one) => t("console.writing", { name: one.name })),
    ].filter(Boolean).join(" · ");
    return h("div", { class: "view-names" },
      h("h2", { id: "view-title" }, h("bdi", null, customerName(conversation))),
      h("p", { class: "view-meta", title: facts }, facts));
  }

  #colleague(one) {
    const words = t(one.state === "writing" ? "console.writing" : "console.looking", { name: one.name });
    const drawn = face(one.name, one.id);
    drawn.classList.toggle("is-writing", one.state === "writing");
    drawn.title = words;
    drawn.setAttribute("role", "img");
    drawn.removeAttribute("aria-hidden");
    drawn.setAttribute("aria-label", words);
    return drawn;
  }

  #actions() {
    const { assignee, state } = this.#conversation;
    const isClosed = state === "closed";
    const who = h("button", {
      type: "button", class: `fd-button assignee ${assignee ? "" : "is-none"}`, "aria-haspopup": "menu", "aria-expanded": "false",
      title: t("console.assignee"), "aria-label": `${t("console.assignee")}: ${assignee?.name ?? t("console.unassigned")}`,
      onClick: () => this.#openAssignees(who),
    }, icon("person", 16), h("span", null, assignee ? assignee.name : t("console.unassigned")),
    h("span", { class: "caret", "aria-hidden": "true" }, icon("down", 14)));
    const later = h("button", {
      type: "button", class: "fd-button is-icon later", "aria-haspopup": "menu", "aria-expanded": "false", disabled: isClosed,
      "aria-keyshortcuts": "z",
      title: t("console.snooze"), "aria-label": t("console.snooze"), onClick: () => this.#openSnooze(later),
    }, icon("clock", 17));
    return h("div", { class: "view-actions" }, who, later,
      h("button", {
        type: "button", class: "fd-button is-icon side-open", title: t("console.side"), "aria-label": t("console.side"),
        onClick: () => this.dispatchEvent(new CustomEvent("side-wanted")),
      }, icon("sidebar", 17)),
      h("button", {
        type: "button", class: `fd-button ${isClosed ? "" : "is-primary"}`,
        onClick: () => this.#want({ state: isClosed ? "open" : "closed" }),
      }, t(isClosed ? "console.reopen" : "console.close")));
  }

  #want(change) {
    this.dispatchEvent(new CustomEvent("change-wanted", { detail: change }));
  }

  async #openAssignees(anchor) {
    const { business, assignee } = this.#conversation;
    const me = this.state.session.agent;
    const page = await api.get(`/api/businesses/${business}/members`).catch(() => null);  // Safe: oneself can be chosen in any case.
    const others = (page?.data ?? []).filter((one) => !one.invited && one.id !== me.id).sort((one, other) => one.name.localeCompare(other.name));
    openMenu(anchor, [
      assignee?.id === me.id ? { text: t("console.assignedToYou"), isChecked: true, run: () => {} }
        : { text: t("console.assignToMe"), aside: "a", isChecked: false, run: () => this.#want({ assignee: "me" }) },
      ...others.map((one) => ({
        text: one.name, icon: face(one.name, one.id), isChecked: assignee?.id === one.id,
        run: () => this.#want({ assignee: one.id }),
      })),
      ...assignee ? [{ isLine: true }, { text: t("console.unassign"), run: () => this.#want({ assignee: null }) }] : [],
    ], { label: t("console.assignee") });
  }

  /** Opens the menu of times to come back at. */
  openSnooze() {
    const button = this.querySelector(".later");
    if (button && !button.disabled) this.#openSnooze(button);
  }

  #openSnooze(anchor) {
    const { state } = this.#conversation;
    openMenu(anchor, [
      ...state === "open" ? [] : [{ text: t("console.markOpen"), run: () => this.#want({ state: "open" }) }, { isLine: true }],
      ...snoozeChoices(new Date()).map((choice) => ({
        text: t(choice.text), aside: snoozeDay(choice.until),
        run: () => this.#want({ state: "snoozed", snoozedUntil: choice.until.toISOString() }),
      })),
      { text: t("console.snooze.answer"), run: () => this.#want({ state: "snoozed" }) },
      { text: t("console.snooze.date"), run: () => this.#askDate(anchor) },
      ...state === "pending" ? [] : [{ isLine: true }, { text: t("console.markPending"), run: () => this.#want({ state: "pending" }) }],
    ], { label: t("console.snooze") });
  }

  #askDate(anchor) {
    const field = h("input", { class: "fd-input", type: "datetime-local", required: true });
    const problem = h("p", { class: "fd-error", role: "alert" });
    const form = h("form", { class: "snooze-date", novalidate: true }, h("label", { class: "fd-label" }, t("console.snooze.until"), field), problem,
      h("button", { class: "fd-button is-primary" }, t("console.snooze.set")));
    const popup = openPopup(anchor, form, { label: t("console.snooze.date"), className: "snooze-popup" });
    if (!popup) return;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const until = new Date(field.value);
      if (!(until > new Date())) {
        problem.textContent = t("console.snooze.past");
        field.focus();
        return;
      }
      popup.close();
      this.#want({ state: "snoozed", snoozedUntil: until.toISOString() });
    });
    field.focus();
  }
}
customElements.define("conversation-head", ConversationHead);
