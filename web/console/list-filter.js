import { viewNamed } from "./inbox-views.js";
import { isPriority } from "./priority.js";

/**
 * Which conversations a list shows: a view of the inbox, and what narrows it. The address of the page carries it, so
 * that a reload, the way back and a shared link show the same list.
 *
 * @typedef {{business: string, view: string, state: string, assignee: string, team: string, labels: string[],
 *   priorities: string[], attributes: [string, string|number][], channel: string, language: string, text: string, due: string,
 *   order: string, saved: string}} ListFilter `state`, `assignee` (an id, `me`, `none` or `bot`) and `team` are empty where the view alone decides; a
 *   conversation has all of the `labels`, one of the `priorities` and all of the `attributes`, keys with values; `due` is the
 *   number of minutes within which the answer is due, 0 for those that are overdue; `order` is
 *   `wait`, `oldest` or empty; `saved` is the id of the saved view that it began with
 */

/** @type {Readonly<ListFilter>} */
export const wholeList = Object.freeze({
  business: "", view: "all", state: "", assignee: "", team: "", labels: [], priorities: [], attributes: [], channel: "", language: "",
  text: "", due: "", order: "", saved: "",
});

const STATES = ["open", "pending", "snoozed", "closed", "any"];
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The server's limits of labels and attributes in one list. */
export const MOST_LABELS = 5;
export const MOST_ATTRIBUTES = 3;
/** The server's limit of minutes within which an answer is due: 30 days. */
const MOST_DUE_MINUTES = 43_200;
/** The view of what is about to break is kept as what is due within so many minutes: the usual warning. */
const SOON_MINUTES = 15;
const CHANNELS = ["phone", "upstream"];
const ORDERS = ["wait", "oldest"];
/** The minutes within which an answer can be due, as they are offered; 0 for the overdue ones. */
export const dueMinutes = Object.freeze(["0", "15", "30", "60", "240", "1440"]);

/** What a filter comes to: that of its view, unless the filter says otherwise. @param {ListFilter} filter */
function resolve(filter) {
  const view = viewNamed(filter.view);
  const isDue = Boolean(view.isDue || filter.due);
  const state = isDue ? "open" : filter.state || view.state;
  return {
    state, assignee: filter.assignee || view.assignee || "", isMentioned: Boolean(view.isMentioned),
    isDue, isOldest: filter.order === "oldest" && !view.isByWait && !isDue,
    isByWait: !isDue && (Boolean(view.isByWait && state === "open") || (filter.order === "wait" && state === "open")),
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

/**
 * Whether only the server knows which conversations belong to the list.
 * @param {ListFilter} filter
 * @param {boolean} [hasBots] whether bots have conversations
 */
export function isServers(filter, hasBots = false) {
  return isMentioned(filter) || isDueSoon(filter) || Boolean(filter.text || filter.channel) || isOfBots(filter, hasBots);
}

/**
 * Whether the list depends on which conversations bots have, which are not among the unassigned ones nor, for all, among those
 * who wait.
 * @param {ListFilter} filter
 * @param {boolean} hasBots
 */
export function isOfBots(filter, hasBots) {
  const { assignee, isByWait } = resolve(filter);
  return assignee === "bot" || (hasBots && (assignee === "none" || (isByWait && !assignee)));
}

/** Whether only those are shown whose answer is about to break or overdue. @param {ListFilter} filter */
export function isDueSoon(filter) {
  return resolve(filter).isDue;
}

/** Whether the oldest come first. @param {ListFilter} filter */
export function isOldest(filter) {
  return resolve(filter).isOldest;
}

/** The state of the conversations that are shown, or `any`. @param {ListFilter} filter */
export function stateOf(filter) {
  return resolve(filter).state;
}

/** Whose conversations are shown: an id, `me`, `none`, `bot`, or "" for everybody's. @param {ListFilter} filter */
export function assigneeOf(filter) {
  return resolve(filter).assignee;
}

/** The parameters of `GET /api/conversations`. @param {ListFilter} filter */
export function queryOf(filter) {
  const { state, assignee, isByWait: waiting, isMentioned: isOfMentions, isOldest: oldest, isDue: due } = resolve(filter);
  const filters = {
    ...isOfMentions ? { mentions: "me" } : {}, ...filter.due ? { dueWithin: filter.due } : due ? { due: "true" } : {}, state: due ? "" : state, assignee, team: filter.team,
    label: filter.labels.join(","), priority: filter.priorities.join(","), attributes: attributesText(filter), channel: filter.channel,
    language: filter.language, text: filter.text, waiting: waiting ? "true" : "",
  };
  return {
    business: filter.business, sort: oldest ? "oldest" : "", ...Object.fromEntries(Object.entries(filters).map(([name, value]) => [`filter[${name}]`, value])),
  };
}

/** The attributes as the address has them. */
function attributesText({ attributes }) {
  return attributes.length ? JSON.stringify(Object.fromEntries(attributes)) : "";
}

function readAttributes(text) {
  try {
    return Object.entries(JSON.parse(text)).filter(([, value]) => ["string", "number"].includes(typeof value)).slice(0, MOST_ATTRIBUTES);
  } catch {
    return [];  // Safe: what cannot be is left out.
  }
}

/** The language of a locale such as `ja_JP`. @param {string|null|undefined} locale */
export function languageOf(locale) {
  return (locale ?? "").split(/[-_]/)[0].toLowerCase();
}

/**
 * Whether a conversation belongs to the list; the same question that the server answers, but for mentions, words, channels and
 * bots, which only the server knows.
 * @param {any} conversation
 * @param {ListFilter} filter
 * @param {string} ownID
 */
export function belongs(conversation, filter, ownID) {
  const { state, assignee, isByWait: waiting, isDue: due } = resolve(filter);
  const own = conversation.assignee?.id ?? "none";
  const labels = conversation.labels ?? [];
  return (!filter.business || conversation.business === filter.business)
    && (state === "any" || conversation.state === state)
    && (!assignee || assignee === "bot" || own === (assignee === "me" ? ownID : assignee))
    && (!filter.team || (conversation.team ?? "none") === filter.team)
    && filter.labels.every((id) => labels.includes(id))
    && filter.attributes.every(([key, value]) => conversation.attributes?.[key] === value)
    && (!filter.language || languageOf(conversation.customer?.locale) === filter.language)
    && (!filter.priorities.length || filter.priorities.includes(conversation.priority ?? "none"))
    && (!due || Boolean(conversation.answerDue))
    && (!filter.due || Date.parse(conversation.answerDue.at) <= Date.now() + Number(filter.due) * 60_000)
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
    assignee: one("assignee", (text) => isID(text) || ["me", "none", "bot"].includes(text)),
    team: one("team", (text) => isID(text) || text === "none"),
    labels: many("label", isID).slice(0, MOST_LABELS),
    priorities: many("priority", isPriority),
    attributes: readAttributes(query.get("attributes") || "{}"),
    channel: one("channel", (text) => CHANNELS.includes(text)),
    language: one("language", (text) => /^[a-z]{2,8}$/.test(text)),
    text: one("text", (text) => text.length <= 256),
    due: one("due", (text) => /^\d{1,5}$/.test(text) && Number(text) <= MOST_DUE_MINUTES),
    order: one("order", (text) => ORDERS.includes(text)),
    saved: one("saved", isID),
  };
}

/** The query of an address, with its `?`; "" for the whole list. @param {ListFilter} filter */
export function writeFilter(filter) {
  const pairs = [
    ["business", filter.business], ["view", filter.view === wholeList.view ? "" : filter.view], ["state", filter.state],
    ["assignee", filter.assignee], ["team", filter.team], ["label", filter.labels.join(",")],
    ["priority", filter.priorities.join(",")], ["attributes", attributesText(filter)], ["channel", filter.channel],
    ["language", filter.language], ["text", filter.text], ["due", filter.due], ["order", filter.order], ["saved", filter.saved],
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
    : isOtherBusiness ? { ...filter, labels: [], attributes: [], saved: "", team: "", assignee: filter.assignee.length > 4 ? "" : filter.assignee } : filter;
  return { ...kept, ...change };
}

/**
 * What narrows a view, each with the filter without it.
 * @param {ListFilter} filter
 * @returns {{name: string, value: string, given?: string|number, without: ListFilter}[]} `given`: the value of an attribute
 */
export function narrowings(filter) {
  const single = ["state", "assignee", "team", "channel", "language", "text", "due"].filter((name) => filter[name])
    .map((name) => ({ name, value: filter[name], without: { ...filter, [name]: "" } }));
  const several = ["labels", "priorities"].flatMap((name) => filter[name].map((value) => ({
    name, value, without: { ...filter, [name]: filter[name].filter((one) => one !== value) },
  })));
  const attributes = filter.attributes.map(([key, value]) => ({
    name: "attributes", value: key, given: value, without: { ...filter, attributes: filter.attributes.filter(([one]) => one !== key) },
  }));
  return [...single, ...several, ...attributes];
}

/**
 * The one label or team whose open conversations are shown, as the navigation lists them; null for any other list.
 * @param {ListFilter} filter
 * @returns {{name: "labels"|"teams", id: string}|null}
 */
export function chosenOf(filter) {
  const [only, ...others] = narrowings(filter);
  if (!only || others.length || filter.saved || filter.view !== wholeList.view) return null;
  if (only.name === "labels") return { name: "labels", id: only.value };
  return only.name === "team" && only.value !== "none" ? { name: "teams", id: only.value } : null;
}

/** The filter of a saved view, as the server keeps it. @param {ListFilter} filter */
export function savedOf(filter) {
  const { state, assignee, isMentioned: mentions, isByWait: waiting, isOldest: oldest, isDue } = resolve(filter);
  const parts = {
    state: state === "any" || isDue ? "" : state, dueWithin: filter.due ? Number(filter.due) : isDue ? SOON_MINUTES : null, assignee: mentions ? "" : assignee, mentions, team: filter.team, labels: filter.labels,
    priorities: filter.priorities, attributes: Object.fromEntries(filter.attributes), waiting, channel: filter.channel,
    language: filter.language, text: filter.text, sort: oldest ? "oldest" : "",
  };
  const isThere = (value) => (typeof value === "object" ? Object.keys(value ?? {}).length > 0 : value === 0 || Boolean(value));
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => isThere(value)));
}

/**
 * The list of a saved view.
 * @param {{id: string, business: string|null, filter: Record<string, any>}} view
 * @returns {ListFilter}
 */
export function filterOf({ id, business, filter: kept }) {
  const view = kept.mentions ? "mentions" : wholeList.view;
  const due = kept.dueWithin === undefined ? "" : String(kept.dueWithin);
  const state = kept.waiting || due ? "open" : kept.state ?? "any";
  return {
    ...wholeList, business: business ?? "", view, state: state === viewNamed(view).state ? "" : state, assignee: kept.assignee ?? "",
    team: kept.team ?? "", labels: kept.labels ?? [], priorities: kept.priorities ?? [], attributes: Object.entries(kept.attributes ?? {}),
    channel: kept.channel ?? "", language: kept.language ?? "", text: kept.text ?? "", due,
    order: kept.waiting ? "wait" : kept.sort === "oldest" ? "oldest" : "", saved: id,
  };
}

/** Whether two filters show the same, whatever view each began with. @param {ListFilter} one @param {ListFilter} other */
export function isSameList(one, other) {
  return one.business === other.business && JSON.stringify(savedOf(one)) === JSON.stringify(savedOf(other));
}
