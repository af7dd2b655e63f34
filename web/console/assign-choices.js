import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { face } from "./conversation-list.js";
import { keyOf } from "./shortcuts.js";

/**
 * To whom a conversation can be given: oneself, members, teams, and away from both.
 * @param {{members: any[], teams: any[], ownID: string, assignee: string|null, team: string|null}} known
 * @returns {({isLine: true}|{text: string, isChecked?: boolean, icon?: Node, aside?: string, change: Record<string, any>})[]} `change`
 *   is a body of `PATCH /api/conversations/{id}`
 */
export function assignChoices({ members, teams, ownID, assignee, team }) {
  const others = members.filter((one) => one.id !== ownID).sort((one, other) => one.name.localeCompare(other.name));
  const offered = teams.filter((one) => !one.retired || one.id === team);
  return [
    { text: t(assignee === ownID ? "console.assignedToYou" : "console.assignToMe"), aside: assignee === ownID ? undefined : keyOf("assign"),
      isChecked: assignee === ownID, change: { assignee: "me" } },
    ...others.map((one) => ({ text: one.name, icon: face(one.name, one.id), isChecked: assignee === one.id, change: { assignee: one.id } })),
    ...assignee ? [{ text: t("console.unassign"), change: { assignee: null } }] : [],
    ...offered.length ? [{ isLine: true }] : [],
    ...offered.map((one) => ({
      text: one.name, icon: h("i", { class: "label-dot is-team", style: { "--label": one.colour } }), isChecked: team === one.id, change: { team: one.id },
    })),
    ...team ? [{ text: t("console.noTeam"), change: { team: null } }] : [],
  ];
}
