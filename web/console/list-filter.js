import { viewNamed } from "./inbox-views.js";
import { isPriority } from "./priority.js";

/**
 * Which conversations a list shows: a view of the inbox, and what narrows it. The address of the page carries it, so
 * that a reload, the way back and a shared link show the same list.
 *
 * @typedef {{business: string, view: string, state: string, assignee: string, team: string, labels: string[],
 *   priorities: string[], order: string}} ListFilter `state`, `assignee` (an id, `me` or `none`) and `team` are empty
 *   where the view alone decides; a conversation has all of the `labels` and one of the `priorities`
 */

/** @type {Readonly<ListFilter>} */
export const wholeList = Object.freeze({
  business: "", view: "all", state: "", assignee: "", team: "", labels: [], priorities: [], order: "",
});

const STATES = ["open", "pending", "snoozed", "closed", "any"];
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The server's limit of labels in one list. */
export const MOST_LABELS = 5;

/** What a filter comes to: that of its view, unless the filter says otherwise. @param {ListFilter} filter */
function resolve(filter) {
  const view = viewNamed(filter.view);
  const state = filter.state || view.state;
  return {
    state, assignee: filter.assignee || view.assignee || "", isMentioned: Boolean(view.isMentioned),
    isByWait: Boolean(view.isByWait && state === "open") || (filter.order === "wait" && state === "open"),
  };
}

/** Whether only those who wait are shown, the longest wait first. @param {ListFilter} filter */
export function isByWait(filter) {
  return resolve(filter).isByWait;
}

/** Whether only those are shown that have a note which mentions the agent. @param {ListFilter} filter */
export function isMentioned(filter) {
  return resolve(filter).isMentioned;
}

/** The state of the conversations that are shown, or `any`. @param {ListFilter} filter */
export function stateOf(filter) {
  return resolve(filter).state;
}

/** Whose conversations are shown: an id, `me`, `none`, or "" for everybody's. @param {ListFilter} filter */
export function assigneeOf(filter) {
  return resolve(filter).assignee;
}

/** The parameters of `GET /api/conversations`. @param {ListFilter} filter */
export function queryOf(filter) {
  const { state, assignee, isByWait: waiting, isMentioned: isOfMentions } = resolve(filter);
  return {
    ...isOfMentions ? { filter: "mentions" } : {}, business: filter.business, state, assignee, team: filter.team, label: filter.labels.join(","),
    priority: filter.priorities.join(","), waiting: waiting ? "true" : "",
  };
}

/**
 * Whether a conversation belongs to the list; the same question that the server answers, but for mentions, which only the
 * server knows once they are seen.
 * @param {any} conversation
 * @param {ListFilter} filter
 * @param {string} ownID
 */
export function belongs(conversation, filter, ownID) {
  const { state, assignee, isByWait: waiting } = resolve(filter);
  const own = conversation.assignee?.id ?? "none";
  const labels = conversation.labels ?? [];
  return (!filter.business || conversation.business === filter.business)
    && (state === "any" || conversation.state === state)
    && (!assignee || own === (assignee === "me" ? ownID : assignee))
    && (!filter.team || (conversation.team ?? "none") === filter.team)
    && filter.labels.every((id) => labels.includes(id))
    && (!filter.priorities.length || filter.priorities.includes(conversation.priority ?? "none"))
    && (!waiting || (Boolean(conversation.waitingSince) && !conversation.left));
}

/**
 * Reads a filter from the query of an address; what cannot be is left out.
 * @param {string} search
 * @returns {ListFilter}
 */
export function readFilter(search) {
  const query = new URLSearchParams(search);
  const one = (name, isAllowed) => {
    const value = query.get(name) ?? "";
    return isAllowed(value) ? value : "";
  };
  const many = (name, isAllowed) => [...new Set((query.get(name) ?? "").split(",").filter(isAllowed))];
  const isID = (text) => ID.test(text);
  return {
    business: one("business", isID),
    view: viewNamed(query.get("view") ?? "").id,
    state: one("state", (text) => STATES.includes(text)),
    assignee: one("assignee", (text) => isID(text) || text === "me" || text === "none"),
    team: one("team", (text) => isID(text) || text === "none"),
    labels: many("label", isID).slice(0, MOST_LABELS),
    priorities: many("priority", isPriority),
    order: one("order", (text) => text === "wait"),
  };
}

/** The query of an address, with its `?`; "" for the whole list. @param {ListFilter} filter */
export function writeFilter(filter) {
  const pairs = [
    ["business", filter.business], ["view", filter.view === wholeList.view ? "" : filter.view], ["state", filter.state],
    ["assignee", filter.assignee], ["team", filter.team], ["label", filter.labels.join(",")],
    ["priority", filter.priorities.join(",")], ["order", filter.order],
  ].filter(([, value]) => value);
  // Commas are allowed in a query, and read better than %2C.
  return pairs.length ? `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`).join("&")}` : "";
}

/**
 * A filter with a change: another view begins anew, and labels, team and colleague are those of a business.
 * @param {ListFilter} filter
 * @param {Partial<ListFilter>} change
 * @returns {ListFilter}
 */
export function changeFilter(filter, change) {
  const isOtherView = "view" in change;
  const isOtherBusiness = "business" in change && change.business !== filter.business;
  const kept = isOtherView ? { ...wholeList, business: filter.business }
    : isOtherBusiness ? { ...filter, labels: [], team: "", assignee: filter.assignee.length > 4 ? "" : filter.assignee } : filter;
  return { ...kept, ...change };
}

/**
 * What narrows a view, each with the filter without it.
 * @param {ListFilter} filter
 * @returns {{name: string, value: string, without: ListFilter}[]}
 */
export function narrowings(filter) {
  const single = ["state", "assignee", "team"].filter((name) => filter[name])
    .map((name) => ({ name, value: filter[name], without: { ...filter, [name]: "" } }));
  const several = ["labels", "priorities"].flatMap((name) => filter[name].map((value) => ({
    name, value, without: { ...filter, [name]: filter[name].filter((one) => one !== value) },
  })));
  return [...single, ...several];
}

/**
 * The one label or team whose open conversations are shown, as the navigation lists them; null for any other list.
 * @param {ListFilter} filter
 * @returns {{name: "labels"|"teams", id: string}|null}
 */
export function chosenOf(filter) {
  const [only, ...others] = narrowings(filter);
  if (!only || others.length || filter.view !== wholeList.view) return null;
  if (only.name === "labels") return { name: "labels", id: only.value };
  return only.name === "team" && only.value !== "none" ? { name: "teams", id: only.value } : null;
}
