import { api } from "../lib/api.js";
import { whileBusy } from "../lib/busy.js";
import { h, replace } from "../lib/dom.js";
import { drawKeepingFocus } from "../lib/focus-return.js";
import { language, t } from "../lib/i18n.js";
import { placeNodes } from "../lib/reconcile.js";
import { SteadyList } from "../lib/steady-list.js";
import { formatDivider } from "../lib/time.js";
import { showToast } from "../lib/toast.js";
import "./agent-presence.js";
import { keepBusiness, keptBusiness } from "./kept-business.js";
import { showLateSecret } from "./late-secret.js";
import { showUnread } from "./load-alert.js";
import { card, confirmAction, copyField, field, savingForm, sentence } from "./panel-parts.js";
import { roleChoice, roleList, roleQuestion } from "./member-role.js";
import { may, roleName, rolesToGive } from "./permissions.js";
import { Roster } from "./roster.js";

/** Members and roles of each business, and who is there; people are invited by a one-time link. */
class MembersPanel extends HTMLElement {
  session = null;
  state = null;
  #business = null;
  #roster = null;
  #end = null;
  /** Counts the readings. */
  #round = 0;
  /** The newest reading of a business that has come. */
  #newest = { business: null, round: 0, read: null };
  /** What the tables show: members and open invitations. */
  #shown = "";
  /** The tables, which are drawn again without the form. */
  #tables = h("div", { class: "panel" });
  #steady = new SteadyList(this.#tables);
  /** The page around the tables, which stays while members change: what is typed in the form stays with it. */
  #frame = null;
  /** What is typed for the next invitation, whichever business it is for. */
  #typed = { email: "", role: "agent" };
  /** Members who are shown, and those who were looked for among them. */
  #known = new Set();

  connectedCallback() {
    this.#end = new AbortController();
    const { signal } = this.#end;
    // Who accepted an invitation is there, and no member that is shown.
    this.state.availability.addEventListener("change", () => this.#meet(), { signal });
    // Nothing is heard of an auditor, who is never available: who comes back from sending the link reads anew.
    addEventListener("focus", () => this.#refresh(), { signal });
    this.state.addEventListener("line", () => this.state.live.state === "live" && this.#refresh(), { signal });
    this.#business = keptBusiness(this.session.businesses) ?? this.session.businesses.find((one) => !one.isSandbox)
      ?? this.session.businesses[0];
    this.#load();
  }

  disconnectedCallback() {
    this.#roster?.stop();
    this.#end?.abort();
  }

  /** Reads members and invitations again when an agent is there who is none of the members. */
  #meet() {
    const others = this.state.availability.thereIn(this.#business.id).filter((id) => !this.#known.has(id));
    if (!others.length) return;
    for (const id of others) this.#known.add(id);
    this.#refresh();
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

  async #load({ made = null, problem: refusal = "" } = {}) {
    const business = this.#business;
    let read;
    try {
      read = await this.#read();
    } catch (problem) {
      if (business === this.#business) this.#show(null, { unread: problem });
      return;
    }
    if (business !== this.#business) return;
    this.#shown = JSON.stringify(read);
    this.#show(read, { refusal, made });
    this.#meet();
  }

  /** Shows what was read, null for nothing; the form of the same business stays as it is, and the links that were not used yet. */
  #show(read, { refusal = "", unread = null, made = null }) {
    if (this.#frame?.business !== this.#business) this.#frame = this.#makeFrame();
    const { panel, heading, choice, problem, form } = this.#frame;
    problem.textContent = refusal;
    if (unread) showUnread(problem, unread, () => this.#load());
    // The newest is the first: the one that is sent next.
    if (made) this.#frame.links.unshift({ id: made.invitation.id, node: invitationLink(made) });
    if (read) this.#frame.links = usable(this.#frame.links, read);
    drawKeepingFocus(panel, () => {
      this.#holdBack(false);
      if (read) this.#steady.drawNow(() => this.#draw(read));
      placeNodes(panel, [heading, choice, problem, ...read ? [this.#tables, ...this.#frame.links.map(({ node }) => node), form] : []]);
    });
  }

  /** While another business is read, what is still shown of the former one is not to be pressed, and nothing is typed into it. @param {boolean} isHeld */
  #holdBack(isHeld) {
    const { links, form } = this.#frame;
    for (const part of [this.#tables, form, ...links.map(({ node }) => node)]) part.inert = isHeld;
  }

  #makeFrame() {
    const business = this.#business;
    const choose = h("select", { class: "fd-input" },
      this.session.businesses.map((one) => h("option", { value: one.id }, one.name)));
    choose.value = business.id;
    choose.addEventListener("change", () => {
      this.#business = this.session.businesses.find((one) => one.id === choose.value);
      keepBusiness(this.#business);
      this.#known.clear();
      this.#holdBack(true);
      this.#load();
    });
    const panel = h("section", { class: "panel" });
    const isChosen = this.contains(document.activeElement) && document.activeElement?.id === "member-business";
    replace(this, panel);
    const choice = field("member-business", t("console.business"), choose);
    panel.append(choice);
    if (isChosen) choose.focus();
    return {
      business, panel, choice, links: [], heading: h("h1", null, t("console.members")), problem: h("p", { class: "fd-error", role: "alert" }),
      form: this.#mayManage ? this.#form(this.#members) : h("p", { class: "fd-help" }, t("console.onlyOwners.members")),
    };
  }

  /** The members and the open invitations of the business, or what a newer reading of them has brought meanwhile. */
  async #read() {
    const [business, invitations] = [this.#business, this.#mayManage ? this.#invitations : null];
    const round = (this.#round += 1);
    const members = (await api.get(this.#members)).data;
    const invited = invitations ? (await api.get(invitations)).data : [];
    const isNewer = this.#newest.business !== business || this.#newest.round < round;
    if (business === this.#business && isNewer) this.#newest = { business, round, read: { members, invited } };
    return this.#newest.read;
  }

  /** Draws the tables again where they are other since; what is typed in the form stays. */
  async #refresh() {
    const business = this.#business;
    const read = await this.#read().catch(() => null);  // Safe: what is shown stays until the page is opened again.
    if (!read || business !== this.#business || !this.#tables.isConnected || JSON.stringify(read) === this.#shown) return;
    this.#shown = JSON.stringify(read);
    this.#steady.draw(() => this.#draw(read));
    this.#roster?.readSoon();
    const frame = this.#frame;
    const left = usable(frame.links, read);
    const used = frame.links.filter((one) => !left.includes(one));
    frame.links = left;
    if (used.length) drawKeepingFocus(frame.panel, () => { for (const { node } of used) node.remove(); });
  }

  /** The table of members and that of invitations. */
  #draw(read) {
    for (const { id } of read.members) this.#known.add(id);
    return [this.#memberTable(read.members), read.invited.length ? this.#invitedTable(read.invited) : null];
  }

  #memberTable(members) {
    const roster = this.#follow();
    const mayManage = this.#mayManage;
    return card("", h("div", { class: "table-frame is-first", tabindex: "0", role: "region", "aria-label": t("console.members") },
      h("table", { class: "table stacks" },
        h("thead", null, h("tr", null, [t("console.name"), t("console.role"),
          ...mayManage ? [t("console.factor")] : []]
          .map((text) => h("th", { scope: "col" }, text)), mayManage ? h("td") : null)),
        h("tbody", null, members.map((one) => h("tr", null,
          h("td", null, h("span", { class: "member-name" }, one.name || t("console.invited")), h("span", { class: "member-name fd-help" }, one.email),
            one.provisioned ? h("span", { class: "member-name fd-help" }, t("console.provisioned")) : null,
            one.invited || one.assignable === false ? null : h("agent-presence", { ".roster": roster, ".agent": one.id })),
          h("td", { class: "is-whole", dataset: { label: t("console.role") } }, mayManage ? this.#roleOf(one) : roleName(one.role)),
          mayManage ? h("td", { class: "is-whole", dataset: { label: t("console.factor") } }, t(one.hasSecondFactor ? "console.factor.on" : "console.factor.off")) : null,
          mayManage ? h("td", null, this.#removeButton(this.#members, one)) : null))))));
  }

  get #mayManage() {
    return may(this.#business, "members.manage");
  }

  get #members() {
    return `/api/businesses/${this.#business.id}/members`;
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
          // A new link is a newer invitation: by age its row would change places with another below the pointer.
          h("tbody", null, invited.toSorted((one, other) => one.email.localeCompare(other.email)).map((one) => h("tr", null,
            h("td", null, one.email), h("td", { class: "is-whole", dataset: { label: t("console.role") } }, roleName(one.role)),
            h("td", { class: "is-whole", dataset: { label: t("console.goodUntil") } }, formatDivider(new Date(one.expiresAt))),
            h("td", null, !this.#mayChange(one) ? null : [h("button", {
              type: "button", class: "fd-button is-plain",
              "aria-label": t("roles.invitation.againFor", one),
              onClick: (event) => whileBusy(event.currentTarget, () => this.#inviteAgain(one)),
            }, t("roles.invitation.again")), h("button", {
              type: "button", class: "fd-button is-danger is-plain",
              "aria-label": t("console.withdrawInvitation", one),
              onClick: () => this.#withdraw(one),
            }, t("console.withdraw"))])))))));
  }

  /** A new link in place of one that was lost: the former works no more. */
  async #inviteAgain({ email, role }) {
    const business = this.#business;
    try {
      const made = await api.post(this.#members, { email, role, language: language() });
      if (business !== this.#business || !this.isConnected) return;
      await this.#load({ made });
      this.querySelector(".callout button")?.focus();
    } catch (problem) {
      await this.#load({ problem: sentence(problem) });
    }
  }

  async #withdraw(invitation) {
    const question = t("console.withdrawInvitation", invitation);
    if (!(await confirmAction(question, t("console.withdraw")))) return;
    try {
      await api.delete(`${this.#invitations}/${invitation.id}`);
      await this.#loadWithout();
    } catch (problem) {
      await this.#load({ problem: sentence(problem) });
    }
  }

  /** Draws the tables without a row that had the focus: it goes to the members. */
  async #loadWithout() {
    await this.#load();
    if (!this.contains(document.activeElement)) /** @type {HTMLElement|null} */ (this.querySelector(".table-frame"))?.focus({ preventScroll: true });
  }

  /** Owners are changed, and their invitations withdrawn, by owners alone. */
  #mayChange({ role }) {
    return rolesToGive([role], this.#business).length > 0;
  }

  /** Whether the signed-in person may change or remove a member: not themselves. */
  #mayTouch(member) {
    return member.id !== this.session.agent.id && this.#mayChange(member);
  }

  /** The role of a member; who may change it chooses another one. */
  #roleOf(member) {
    if (!this.#mayTouch(member)) return roleName(member.role);
    const roles = rolesToGive(this.session.memberRoles, this.#business);
    // A role of a later version is shown, and can be changed.
    return roleChoice(roles.includes(member.role) ? roles : [member.role, ...roles], member.role, {
      "aria-label": t("roles.of", { name: member.name || member.email }),
      onChange: (event) => this.#changeRole(member, event.currentTarget),
    });
  }

  async #changeRole(member, select) {
    const [role, name, path] = [select.value, member.name || member.email, `${this.#members}/${member.id}`];
    if (!(await confirmAction(roleQuestion(name, role), t("roles.change")))) {
      select.value = member.role;
      return;
    }
    try {
      await api.patch(path, { role });
      showToast(t("roles.changed", { name, role: roleName(role) }));
      await this.#load();
    } catch (problem) {
      await this.#load({ problem: sentence(problem) });
    }
  }

  #removeButton(path, member) {
    if (!this.#mayTouch(member)) return null;
    return h("button", {
      type: "button", class: "fd-button is-danger is-plain",
      "aria-label": t("console.removeMember", { name: member.name || member.email }),
      onClick: () => this.#remove(path, member),
    }, t("console.remove"));
  }

  #form(path) {
    const email = h("input", { class: "fd-input", type: "email", required: true, value: this.#typed.email });
    const roles = rolesToGive(this.session.memberRoles, this.#business);
    const role = roleChoice(roles, roles.includes(this.#typed.role) ? this.#typed.role : "agent", { "aria-describedby": "member-roles" });
    const keep = () => { this.#typed = { email: email.value, role: role.value }; };
    for (const one of [email, role]) one.addEventListener("input", keep);
    return card(t("console.inviteTitle"), savingForm({
      save: t("console.invite"), isCarried: true,
      onSave: async () => {
        const business = this.#business;
        const invited = email.value;
        const made = await api.post(path, { email: invited, role: role.value, language: language() });
        // The next address may be half typed by now.
        const isNext = !this.#clearTyped(invited);
        if (business !== this.#business || !this.isConnected) {
          if (made.invitationUrl) showLateSecret(business, invitationWords(made), t("console.invitation"), made.invitationUrl);
          return;
        }
        await this.#load({ made });
        // What is done with the link next.
        if (!isNext && !email.value) this.querySelector(".callout button")?.focus();
      },
    },
    field("member-email", t("console.email"), email),
    field("member-role", t("console.role"), role), roleList(roles, "member-roles")));
  }

  /** Empties the form where it still has the address that was invited. @param {string} invited @returns {boolean} whether it had */
  #clearTyped(invited) {
    if (this.#typed.email !== invited) return false;
    this.#typed = { email: "", role: "agent" };
    for (const [name, value] of Object.entries(this.#typed)) {
      const shown = /** @type {HTMLInputElement|null} */ (this.querySelector(`#member-${name}`));
      if (shown) shown.value = value;
    }
    return true;
  }

  async #remove(path, member) {
    const question = t("roles.removeQuestion", { name: member.name || member.email, business: this.#business.name });
    if (!(await confirmAction(question, t("console.remove")))) return;
    try {
      await api.delete(`${path}/${member.id}`);
      await this.#loadWithout();
    } catch (problem) {
      await this.#load({ problem: sentence(problem) });
    }
  }
}

/** The links that still let someone in: those of open invitations. @param {{id: string, node: Node}[]} links @param {{invited: any[]}} read */
function usable(links, { invited }) {
  return links.filter((link) => invited.some(({ id }) => id === link.id));
}

/** The link of an invitation, to be copied. @param {any} made */
function invitationLink(made) {
  return h("div", { class: `callout${made.mail && made.mail !== "sent" ? " is-warning" : ""}`, role: "status" },
    h("p", null, invitationWords(made)), made.invitationUrl ? copyField(t("console.invitation"), made.invitationUrl) : null);
}

/** What became of an invitation's e-mail, where the server sends some, and what its link is for. */
function invitationWords({ invitation, invitationUrl, mail }) {
  const word = mail === "sent" && !invitationUrl ? "alone" : mail;
  return t(word ? `roles.invitationMail.${word}` : "console.invitationLead", invitation);
}

customElements.define("members-panel", MembersPanel);
