import { api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { redraw } from "../lib/reconcile.js";
import { SteadyList } from "../lib/steady-list.js";
import { face } from "./conversation-list.js";
import { sentence } from "./panel-parts.js";
import { may } from "./permissions.js";
import { openPickMenu } from "./pick-menu.js";

await registerStrings({ en: () => import("../i18n/en/participants.js"), ja: () => import("../i18n/ja/participants.js") });

/**
 * The participants of a conversation and those who follow it, and how many of them are at it now. Values down: `state`,
 * `conversation`.
 */
class ParticipantsBox extends HTMLElement {
  state = null;
  #conversation = null;
  #mark = "";
  #steady = new SteadyList(this);
  #changes = new EventTarget();
  /** The button stays the same while the box is drawn anew: a menu that hangs on it stays open. */
  #add = h("button", { type: "button", class: "customer-menu", "aria-haspopup": "dialog", "aria-expanded": "false", onClick: () => this.#open() });
  #problem = h("p", { class: "fd-error", role: "alert" });

  set conversation(conversation) {
    const isOther = this.#conversation?.id !== conversation.id;
    this.#conversation = conversation;
    if (isOther) this.#problem.textContent = "";
    const { participants = [], watchers = [] } = conversation;
    const present = this.state.colleagues(conversation.id);
    const mark = JSON.stringify([conversation.id, participants, watchers, present, document.documentElement.lang]);
    if (mark === this.#mark) return;
    this.#mark = mark;
    this.#steady.draw(() => this.#parts(participants, watchers, new Set([this.#ownID, ...present.map((one) => one.id)])));
    this.#changes.dispatchEvent(new CustomEvent("change"));
  }

  get #ownID() {
    return this.state.session.agent.id;
  }

  get #path() {
    return `/api/conversations/${this.#conversation.id}`;
  }

  #parts(participants, watchers, here) {
    const business = this.state.session.businesses.find((one) => one.id === this.#conversation.business);
    const mayHandle = may(business, "conversations.handle");
    const everybody = [...participants, ...watchers.filter((one) => !participants.some(({ id }) => id === one.id))];
    const mayWatch = may(business, "conversations.watch");
    if (!everybody.length && !mayHandle && !mayWatch) return [];
    const count = everybody.filter((one) => here.has(one.id)).length;
    const words = t("participants.add");
    this.#add.title = words;
    this.#add.setAttribute("aria-label", words);
    redraw(this.#add, icon("add", 14));
    const follows = watchers.some((one) => one.id === this.#ownID);
    return [h("section", { class: "customer-part", "aria-label": t("participants.title") },
      h("h3", null, t("participants.title"), everybody.length ? h("span", { class: "customer-row-aside" }, ` · ${t("participants.here", { here: count, count: everybody.length })}`) : null),
      h("ul", { class: "participants" }, everybody.map((one) => this.#person(one, {
        isHere: here.has(one.id), isWatcher: watchers.some(({ id }) => id === one.id),
        mayRemove: mayHandle && participants.some(({ id }) => id === one.id),
      }))),
      h("div", { class: "customer-chips" }, mayHandle ? this.#add : null,
        mayWatch ? h("button", {
          type: "button", class: "customer-menu", "aria-pressed": String(follows),
          onClick: () => this.#do(() => (follows ? api.delete : api.put).call(api, `${this.#path}/watch`)),
        }, t(follows ? "participants.unfollow" : "participants.follow")) : null),
      this.#problem)];
  }

  #person({ id, name }, { isHere, isWatcher, mayRemove }) {
    const shown = name ?? t("participants.unknown");
    const facts = [isHere ? t("participants.isHere") : null, isWatcher ? t("participants.follows") : null].filter(Boolean).join(" · ");
    return h("li", { class: isHere ? "participant is-here" : "participant", dataset: { person: id } }, face(shown, id),
      h("span", { class: "participant-name" }, h("bdi", null, shown), facts ? h("span", { class: "customer-row-aside" }, ` · ${facts}`) : null),
      mayRemove ? h("button", {
        type: "button", class: "customer-menu", title: t("participants.remove", { name: shown }), "aria-label": t("participants.remove", { name: shown }),
        onClick: () => this.#do(() => api.delete(`${this.#path}/participants/${id}`)),
      }, icon("close", 14)) : null);
  }

  async #open() {
    const { business } = this.#conversation;
    await this.state.lists.read(business, "members");
    const takesPart = (id) => this.#conversation.participants?.some((one) => one.id === id) ?? false;
    openPickMenu(this.#add, {
      label: t("participants.find"), isMany: true, changes: this.#changes,
      items: () => this.state.lists.members(business).filter((one) => one.assignable !== false || takesPart(one.id)).map((one) => ({
        id: one.id, text: one.name, mark: face(one.name, one.id), checked: String(takesPart(one.id)),
      })),
      choose: (id) => this.#do(() => (takesPart(id) ? api.delete : api.put).call(api, `${this.#path}/participants/${id}`)),
    });
  }

  /** What changes is shown by the event of it. */
  async #do(request) {
    this.#problem.textContent = "";
    try {
      await request();
    } catch (refusal) {
      this.#problem.textContent = sentence(refusal);
    }
  }
}

customElements.define("participants-box", ParticipantsBox);
