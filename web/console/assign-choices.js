import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { openMenu } from "../lib/popup.js";
import "./agent-presence.js";
import { face } from "./conversation-list.js";
import { Roster } from "./roster.js";
import { keyOf } from "./shortcuts.js";

/**
 * To whom a conversation can be given: oneself, members, teams, and away from both.
 * @param {{members: any[], teams: any[], ownID: string, assignee: string|null, team: string|null, roster: Roster}} known
 * @returns {({isLine: true}|{text: string, isChecked?: boolean, icon?: Node, note?: Node, aside?: string, change: Record<string, any>})[]}
 *   `change` is a body of `PATCH /api/conversations/{id}`
 */
function assignChoices({ members, teams, ownID, assignee, team, roster }) {
  const others = members.filter((one) => one.assignable !== false && one.id !== ownID).sort((one, other) => roster.compare(one, other));
  const presence = (agent) => h("agent-presence", { ".roster": roster, ".agent": agent });
  const offered = teams.filter((one) => !one.retired || one.id === team);
  return [
    { text: t(assignee === ownID ? "console.assignedToYou" : "console.assignToMe"), aside: assignee === ownID ? undefined : keyOf("assign"),
      note: presence(ownID), isChecked: assignee === ownID, change: { assignee: "me" } },
    ...others.map((one) => ({
      text: one.name, icon: face(one.name, one.id), note: presence(one.id), isChecked: assignee === one.id, change: { assignee: one.id },
    })),
    ...assignee ? [{ text: t("console.unassign"), change: { assignee: null } }] : [],
    ...offered.length ? [{ isLine: true }] : [],
    ...offered.map((one) => ({
      text: one.name, icon: h("i", { class: "label-dot is-team", style: { "--label": one.colour } }), isChecked: team === one.id, change: { team: one.id },
    })),
    ...team ? [{ text: t("console.noTeam"), change: { team: null } }] : [],
  ];
}

/**
 * Opens the menu of members and teams, with who is there and how many open conversations each has, for as long as it is open.
 * @param {HTMLElement} anchor
 * @param {{state: import("./desk-state.js").DeskState, business: string, assignee: string|null, team: string|null, label: string,
 *   side?: "above"|"below", choose: (choice: {change: Record<string, any>, isChecked?: boolean}) => void}} options
 */
export async function openAssignMenu(anchor, { state, business, assignee, team, label, side, choose }) {
  const roster = new Roster(business, state);
  const [members, teams] = await Promise.all([state.lists.read(business, "members"), state.lists.read(business, "teams"), roster.start()]);
  const items = assignChoices({ members, teams, ownID: state.session.agent.id, assignee, team, roster })
    .map((one) => (one.change ? { ...one, run: () => choose(one) } : one));
  const isOpen = openMenu(anchor, items, { label, side, onClose: () => roster.stop() });
  // A second press has closed the menu of the first.
  if (!isOpen) roster.stop();
}
