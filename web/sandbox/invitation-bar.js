import { readInvitation } from "../cards/kinds/invitation.js";
import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/**
 * The phone of an invited number: accepts or declines the newest invitation; nothing without one.
 *
 * Values down: `show(conversation, messages)`.
 */
export class InvitationBar extends HTMLElement {
  #shown = "";
  #news = h("p", { class: "fd-error", role: "alert" });

  /** @param {any} conversation @param {any[]} messages ascending */
  show(conversation, messages) {
    const answered = new Set(messages.map((message) => message.inReplyTo));
    const open = conversation?.left ? null : messages.findLast((message) =>
      message.kind === "invitation" && message.direction === "outbound" && !answered.has(message.id));
    const mark = `${open?.id ?? ""}/${document.documentElement.lang}`;
    if (mark === this.#shown) return;
    this.#shown = mark;
    this.hidden = !open;
    this.#news.textContent = "";
    if (!open) return replace(this);
    const { brand } = readInvitation(open.payload);
    const press = (answer) => this.#answer(open, answer);
    replace(this,
      h("p", null, t("sandbox.invitation.asks", { number: conversation.customer?.name ?? "", name: brand })),
      h("div", { class: "invitation-answers" },
        h("button", { class: "fd-button is-primary", type: "button", onClick: () => press("accept") },
          t("sandbox.invitation.accept")),
        h("button", { class: "fd-button", type: "button", onClick: () => press("decline") },
          t("sandbox.invitation.decline"))), this.#news);
    return undefined;
  }

  async #answer(message, answer) {
    try {
      await api.post(`/api/sandbox/invitations/${encodeURIComponent(message.conversation)}`,
        { message: message.id, answer });
    } catch (problem) {
      this.#news.textContent = problem.detail || t("shared.problem.unknown");
    }
  }
}

customElements.define("invitation-bar", InvitationBar);
