import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { api } from "../lib/api.js";
import { face } from "./conversation-list.js";
import { ItemPanel } from "./item-panel.js";
import { openPickMenu } from "./pick-menu.js";

/** The teams of a business and who is in them. Values down: `session`. */
class TeamsPanel extends ItemPanel {
  kind = "teams";
  #members = [];
  /** Says that an open menu has to be drawn again. */
  #changes = new EventTarget();
  /** The button of each team stays the same while the rows are drawn anew: a menu that hangs on it stays open. */
  #buttons = new Map();
  /** One change after the other: each sends all members. */
  #saving = Promise.resolve();

  async prepare() {
    const { data } = await api.get(`/api/businesses/${this.business.id}/members`);
    this.#members = data.filter((one) => one.assignable !== false && !one.invited);
  }

  controls(team) {
    if (!this.#buttons.has(team.id)) {
      const made = h("button", {
        type: "button", class: "fd-button team-members", "aria-haspopup": "dialog", "aria-expanded": "false", onClick: () => this.#open(made, team.id),
      });
      this.#buttons.set(team.id, made);
    }
    const button = this.#buttons.get(team.id);
    const words = t("teams.choose", { count: team.members.length });
    button.setAttribute("aria-label", t("teams.membersOf", { name: team.name, words }));
    button.replaceChildren(icon("team", 16), words);
    return [button];
  }

  facts(team) {
    const names = this.#members.filter((one) => team.members.includes(one.id)).map((one) => one.name);
    return h("span", { class: "fd-help" }, names.join(", ") || t("teams.nobody"));
  }

  #open(anchor, id) {
    const team = () => this.items.find((one) => one.id === id);
    openPickMenu(anchor, {
      label: t("teams.find", team()), isMany: true, changes: this.#changes,
      items: () => this.#members.map((one) => ({
        id: one.id, text: one.name, mark: face(one.name, one.id), checked: String(team().members.includes(one.id)),
      })),
      choose: (member) => {
        this.#saving = this.#saving.then(async () => {
          // Another business may be on screen by now.
          if (!team()) return;
          const { members } = team();
          await this.save(team(), { members: members.includes(member) ? members.filter((one) => one !== member) : [...members, member] });
          this.#changes.dispatchEvent(new CustomEvent("change"));
        });
      },
    });
  }
}

customElements.define("teams-panel", TeamsPanel);
