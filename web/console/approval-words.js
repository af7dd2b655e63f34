import { language, registerStrings, t } from "../lib/i18n.js";
import { formatFarMoment } from "../lib/time.js";
import { roleName } from "./permissions.js";
import { writeRoute } from "./routes.js";

await registerStrings({ en: () => import("../i18n/en/approvals.js"), ja: () => import("../i18n/ja/approvals.js") });
await registerStrings({ en: () => import("../i18n/en/keys.js"), ja: () => import("../i18n/ja/keys.js") });
await registerStrings({ en: () => import("../i18n/en/roles.js"), ja: () => import("../i18n/ja/roles.js") });

/** What can be chosen, in the order in which it is shown. */
export const AREAS = Object.freeze(["exports", "erasures", "members", "keys", "connections"]);

/** Where in the settings what was approved is done; the others have a place of their own. */
const SECTIONS = {
  setRetention: "retention", removeRetention: "retention", inviteMember: "members", changeMember: "members", changeBusiness: "members",
  makeKey: "keys", replaceKey: "keys", confirmKeyGrant: "keys", makeWidgetSecret: "widget", makeWebhook: "webhooks", changeWebhook: "webhooks",
  renewWebhookSecret: "webhooks", enableWebhook: "webhooks", putRegistration: "gateway", renewRegistrationSecret: "gateway",
  putUpstream: "gateway", putWhatsApp: "gateway", setApprovalRules: "approvals", releaseBusinessHold: "retention",
};

/** Details that a link leads to. */
const LINKED = ["conversation", "message", "contact", "filter[contact]"];

/** Details that the sentence says already. */
const SAID = {
  exportTable: ["table", "format"], setRetention: ["days"], inviteMember: ["email", "role"], changeMember: ["agent", "role"], makeKey: ["name"],
  makeWebhook: ["url"], putRegistration: ["endpoint"], putUpstream: ["baseUrl"], changeBusiness: ["requiresSecondFactor"],
};

/**
 * @typedef {{id: string, business: string, area: string, operation: string, details: Record<string, any>, person: string|null,
 *   author: {type: string, id: string, name: string|null}, reason: string|null, state: string, madeAt: string, expiresAt: string,
 *   decider: {name: string|null}|null, comment: string|null, usedAt: string|null}} Approval
 * @typedef {{members?: {id: string, name: string|null, email?: string}[], businesses?: {id: string, name: string}[],
 *   keys?: {id: string, name: string}[], webhooks?: {id: string, url: string}[]}} Names
 */

/** Who asked. @param {Approval} approval */
export function authorOf({ author }) {
  if (author.type === "key") return t("approvals.key", { name: author.name || author.id });
  return author.name || t("approvals.formerMember");
}

/** What is asked for, as a sentence of its own. @param {Approval} approval @param {Names} [names] */
export function titleOf(approval, names) {
  const what = whatOf(approval, names);
  return what.slice(0, 1).toLocaleUpperCase(language()) + what.slice(1);
}

/** What is asked for, as a part of a sentence. @param {Approval} approval @param {Names} [names] */
export function whatOf({ operation, details }, names = {}) {
  const key = `approvals.do.${operation}${details["filter[contact]"] ? ".person" : ""}`;
  const values = Object.fromEntries(Object.entries(details).map(([name, value]) => [name, valueWords(name, value, names)]));
  const format = String(details.format ?? "jsonl").toUpperCase();
  const said = t(key, { ...values, format });
  // An operation of a later version of the server is shown as the server calls it.
  return said === key ? operation : said;
}

/** What else a second person has to see, by name. @param {Approval} approval @param {Names} [names] @returns {[string, string][]} */
export function detailsOf({ operation, details }, names = {}) {
  const said = [...LINKED, ...SAID[operation] ?? []];
  return Object.entries(details).filter(([name]) => !said.includes(name)).map(([name, value]) => {
    const key = `approvals.detail.${name}`;
    const label = t(key);
    return [label === key ? name : label, valueWords(name, value, names)];
  });
}

/** @param {string} name @param {any} value @param {Names} names @returns {string} */
function valueWords(name, value, names) {
  if (Array.isArray(value)) {
    if (!value.length) return known(`approvals.detail.${name}.none`, t("approvals.detail.nothing"));
    // What a key may do is said with commas of its own.
    return value.map((one) => valueWords(name, one, names)).join(" · ");
  }
  if (value === null) return t("approvals.detail.nothing");
  if (typeof value === "object") return JSON.stringify(value);
  const text = String(value);
  if (name === "role") return roleName(text);
  if (name === "table") return known(`approvals.table.${text}`, text);
  if (name === "areas") return known(`approvals.area.${text}`, text);
  if (name === "agent") return nameIn(names.members, text);
  if (name === "key") return nameIn(names.keys, text);
  if (name === "webhook") return nameIn(names.webhooks, text);
  if (name === "scopes") return known(`keys.scope.${text}`, text);
  if (name === "expiresAt" || name === "since" || name === "until") return momentWords(text);
  if (name === "businesses") return nameIn(names.businesses, text);
  return text;
}

function known(key, otherwise) {
  const words = t(key);
  return words === key ? otherwise : words;
}

function nameIn(list, id) {
  const found = list?.find((one) => one.id === id);
  return found?.name || found?.email || found?.url || id;
}

function momentWords(text) {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) || /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : formatFarMoment(time);
}

/** Whether it can still be decided on, or done. @param {Approval} approval @param {Date} [now] */
export function isOpen({ state, expiresAt }, now = new Date()) {
  return (state === "waiting" || state === "approved") && new Date(expiresAt) > now;
}

/** How far a request came. @param {Approval} approval @param {Date} [now] */
export function stateWords(approval, now = new Date()) {
  const { state, decider, usedAt, expiresAt } = approval;
  const key = state === "approved" && !isOpen(approval, now) ? "approvedOver" : state;
  const time = formatFarMoment(new Date(state === "used" && usedAt ? usedAt : expiresAt));
  return t(`approvals.state.${key}`, { decider: decider?.name || t("approvals.formerMember"), time });
}

/** The conversation that a request is about; a person has the id of the one that began it. @param {Approval} approval @returns {string|null} an address of the console */
export function subjectOf({ details }) {
  const conversation = details.conversation ?? details.contact ?? details["filter[contact]"];
  return conversation ? writeRoute({ name: "inbox", conversation }) : null;
}

/** Where what was approved is done: an address of the console, or of a file. @param {Approval} approval @returns {{href: string, text: string, isFile: boolean}|null} */
export function placeOf(approval) {
  const { operation, business, details } = approval;
  if (operation === "exportTable") {
    const { table, ...query } = details;
    const rest = new URLSearchParams(query).toString();
    const href = `/api/businesses/${business}/exports/${table}${rest ? `?${rest}` : ""}`;
    return { href, text: t("approvals.download"), isFile: true };
  }
  const subject = subjectOf(approval);
  if (subject) return { href: subject, text: t("approvals.look"), isFile: false };
  const section = SECTIONS[operation];
  return section ? { href: writeRoute({ name: "settings", section }), text: t("approvals.open", { place: t(`console.section.${section}`) }), isFile: false } : null;
}
