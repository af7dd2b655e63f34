import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { formatDivider } from "../lib/time.js";
import "./agent-presence.js";
import { card, confirmAction, copyField, field, savingForm, sentence } from "./panel-parts.js";
import { may, roleName, rolesToGive } from "./permissions.js";
import { Roster } from "./roster.js";

/** Members and roles of each business, and who is there; people are invited by a one-time link. */
class MembersPanel extends HTMLElement {
  session = null;
  state = null;
  #business = null;
  #roster = null;

  connectedCallback() {
    this.#business = this.session.businesses.find((one) => !one.isSandbox)
      ?? this.session.businesses[0];
    this.#load();
  }

  disconnectedCallback() {
    this.#roster?.stop();
  }

  /** Who is there, of the business that is shown. */
  #follow() {
    if (this.#roster?.business !== this.#business.id) {
      this.#roster?.stop();
      this.#roster = new Roster(this.#business.id, this.state);
      this.#roster.start();
    }
    return this.#roster;
  }

  async #load({ invitation = "", problem: refusal = "" } = {}) {
    const path = `/api/businesses/${this.#business.id}/members`;
    const choose = h("select", { class: "fd-input" },
      this.session.businesses.map((one) => h("option", { value: one.id }, one.name)));
    choose.value = this.#business.id;
    choose.addEventListener("change", () => {
      this.#business = this.session.businesses.find((one) => one.id === choose.value);
      this.#load();
    });
    let members, invited;
    try {
      members = (await api.get(path)).data;
      invited = this.#mayManage ? (await api.get(this.#invitations)).data : [];
    } catch (problem) {
      replace(this, h("section", { class: "panel" }, h("h1", null, t("console.members")),
        field("member-business", t("console.business"), choose),
        h("p", { class: "fd-error", role: "alert" }, sentence(problem))));
      return;
    }
    const mayManage = this.#mayManage;
    const roster = this.#follow();
    replace(this, h("section", { class: "panel" },
      h("h1", null, t("console.members")),
      field("member-business", t("console.business"), choose),
      refusal ? h("p", { class: "fd-error", role: "alert" }, refusal) : null,
      card("", h("div", { class: "table-frame is-first", tabindex: "0", role: "region", "aria-label": t("console.members") },
        h("table", { class: "table stacks" },
          h("thead", null, h("tr", null, [t("console.name"), t("presence.title"), t("console.email"), t("console.role")]
            .map((text) => h("th", { scope: "col" }, text)), mayManage ? h("td") : null)),
          h("tbody", null, members.map((one) => h("tr", null,
            h("td", null, one.name || t("console.invited")), h("td", null, one.invited ? null : h("agent-presence", { ".roster": roster, ".agent": one.id })),
            h("td", null, one.email),
            h("td", { class: "is-whole", dataset: { label: t("console.role") } }, roleName(one.role)),
            mayManage ? h("td", null, this.#removeButton(path, one)) : null)))))),
      invited.length ? this.#invitedTable(invited) : null,
      invitation ? h("div", { class: "callout", role: "status" },
        h("p", null, t("console.invitationLead")), copyField(t("console.invitation"), invitation)) : null,
      mayManage ? this.#form(path) : h("p", { class: "fd-help" }, t("console.onlyOwners.members"))));
  }

  get #mayManage() {
    return may(this.#business, "members.manage");
  }

  get #invitations() {
    return `/api/businesses/${this.#business.id}/invitations`;
  }

  #invitedTable(invited) {
    return card(t("console.openInvitations"),
      h("div", { class: "table-frame", tabindex: "0", role: "region", "aria-label": t("console.openInvitations") },
        h("table", { class: "table stacks" },
          h("thead", null, h("tr", null, [t("console.email"), t("console.role"), t("console.goodUntil")]
            .map((text) => h("th", { scope: "col" }, text)), h("td"))),
          h("tbody", null, invited.map((one) => h("tr", null,
            h("td", null, one.email), h("td", { class: "is-whole", dataset: { label: t("console.role") } }, roleName(one.role)),
            h("td", { class: "is-whole", dataset: { label: t("console.goodUntil") } }, formatDivider(new Date(one.expiresAt))),
            h("td", null, !this.#mayChange(one) ? null : h("button", {
              type: "button", class: "fd-button is-danger is-plain",
              "aria-label": t("console.withdrawInvitation", one),
              onClick: () => this.#withdraw(one),
            }, t("console.withdraw")))))))));
  }

  async #withdraw(invitation) {
    const question = t("console.withdrawInvitation", invitation);
    if (!(await confirmAction(question, t("console.withdraw")))) return;
    try {
      await api.delete(`${this.#invitations}/${invitation.id}`);
      await this.#load();
    } catch (problem) {
      await this.#load({ problem: sentence(problem) });
    }
  }

  /** Owners are changed, and their invitations withdrawn, by owners alone. */
  #mayChange({ role }) {
    return rolesToGive([role], this.#business).length > 0;
  }

  #removeButton(path, member) {
    if (member.id === this.session.agent.id || !this.#mayChange(member)) return null;
    return h("button", {
      type: "button", class: "fd-button is-danger is-plain",
      "aria-label": t("console.removeMember", { name: member.name || member.email }),
      onClick: () => this.#remove(path, member),
    }, t("console.remove"));
  }

  #form(path) {
    const email = h("input", { class: "fd-input", type: "email", required: true });
    const role = h("select", { class: "fd-input" },
      rolesToGive(this.session.memberRoles, this.#business).map((one) => h("option", { value: one }, roleName(one))));
    role.value = "agent";
    return card(t("console.inviteTitle"), savingForm({
      save: t("console.invite"),
      onSave: async () => {
        const made = await api.post(path, { email: email.value, role: role.value });
        await this.#load({ invitation: made.invitationUrl });
      },
    },
    field("member-email", t("console.email"), email),
    field("member-role", t("console.role"), role)));
  }

  async #remove(path, member) {
    const question = t("console.removeMember", { name: member.name || member.email });
    if (!(await confirmAction(question, t("console.remove")))) return;
    try {
      await api.delete(`${path}/${member.id}`);
      await this.#load();
    } catch (problem) {
      await this.#load({ problem: sentence(problem) });
    }
  }
}

customElements.define("members-panel", MembersPanel);
