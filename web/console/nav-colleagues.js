import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { face } from "./conversation-list.js";
import { narrowings } from "./list-filter.js";

/** Those who are there come first. */
const ORDER = ["online", "busy", "away", "offline"];

/**
 * The colleagues who are there or have open conversations, of the business that is shown or of all: those who are there
 * first, then by name. The members of a business are read only when one of them is not known by name.
 * @param {import("./desk-state.js").DeskState} state
 * @param {string} chosen the one whose conversations are shown, who is among them in any case
 * @returns {{id: string, name: string, state: string}[]}
 */
function colleaguesOf(state, chosen) {
  const { filter, session, lists, availability } = state;
  const businesses = filter.business ? [filter.business] : session.businesses.map((one) => one.id);
  const isUnknown = (id) => !lists.memberNamed(id);
  const there = new Map(businesses.map((one) => [one, availability.thereIn(one)]));
  const busy = [...state.countsOf("assignees").keys(), ...chosen ? [chosen] : []];
  for (const one of businesses) {
    if (there.get(one).some(isUnknown) || busy.some(isUnknown)) lists.members(one);
  }
  const stateOf = (id) => ORDER.find((name) => businesses.some((one) => availability.of(one, id) === name)) ?? "offline";
  return [...new Set([...busy, ...[...there.values()].flat()])]
    .map((id) => lists.memberNamed(id))
    .filter((one) => one && one.id !== session.agent.id && (one.assignable !== false || busy.includes(one.id)))
    .map(({ id, name }) => ({ id, name, state: stateOf(id) }))
    .sort((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state) || one.name.localeCompare(other.name));
}

/**
 * The part of the navigation with those who are there, or have open conversations, and their numbers.
 * @param {import("./desk-state.js").DeskState} state
 * @param {{isShown: boolean, isWhole: boolean, most: number, more: (name: string, isWhole: boolean) => Node}} how `isShown`: the inbox is the page on screen
 */
export function colleagueList(state, { isShown, isWhole, most, more }) {
  const { filter } = state;
  const only = filter.view === "all" && !filter.saved ? narrowings(filter) : [];
  // An id is longer than the words that are no colleague's.
  const chosen = only.length === 1 && only[0].name === "assignee" && only[0].value.length > 4 ? only[0].value : "";
  const known = colleaguesOf(state, chosen);
  const shown = isWhole ? known : known.filter((one, index) => index < most || one.id === chosen);
  if (!shown.length) return null;
  return [h("h2", null, t("console.section.colleagues")),
    h("ul", null, shown.map((one) => item(one, state.countsOf("assignees").get(one.id), isShown && one.id === chosen)),
      known.length > most ? more("colleagues", isWhole) : null)];
}

function item({ id, name, state }, count, isOpen) {
  return h("li", null, h("button", {
    type: "button", class: "nav-view", dataset: { of: "assignees", id }, title: name, "aria-current": isOpen ? "page" : null,
  }, h("span", { class: "nav-face" }, face(name, id), h("i", { class: "presence-dot", dataset: { state }, "aria-hidden": "true" })),
  h("span", { class: "nav-words" }, h("bdi", null, name)), h("span", { class: "fd-hidden-text" }, ` ${t(`presence.${state}`)}`),
  h("span", { class: "nav-number" }, count ? ` ${count}` : "")));
}
