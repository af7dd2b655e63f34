/** What the settings of webhooks show and send, without DOM. */

import { haveSameOrigin } from "../lib/origins.js";

/** The types that endpoints may receive, by what they are about. */
export const typeGroups = Object.freeze({
  message: ["message.accepted", "message.delivered_upstream", "message.refused_upstream", "message.receipt_changed", "message.scheduled", "message.unscheduled",
    "message.unsent", "message.erased"],
  conversation: ["conversation.opened", "conversation.assigned", "conversation.team_changed", "conversation.priority_changed",
    "conversation.labels_changed", "conversation.participants_changed", "conversation.watchers_changed", "conversation.attributes_changed",
    "conversation.closed", "conversation.snoozed", "conversation.pending", "conversation.reopened", "conversation.answer_due_changed",
    "conversation.answer_overdue", "conversation.satisfaction_asked", "conversation.satisfaction_answered", "conversation.control_changed",
    "conversation.metadata_changed"],
  customer: ["customer.left", "customer.returned", "customer.blocked", "customer.unblocked", "contact.saved", "contact.merged",
    "contact.unmerged", "contact.links_changed"],
  suggestion: ["suggestion.added", "suggestion.settled", "assistant.asked"],
  note: ["note.added", "note.edited", "note.deleted"],
  setting: ["template.published", "template.removed", "label.saved", "team.saved", "hours.saved", "automatic_answers.saved", "rule.saved", "assignment.saved",
    "service_levels.saved", "satisfaction.saved", "view.saved", "view.removed", "library.file_saved", "library.file_removed",
    "attribute.saved", "bot.saved", "webhook.disabled", "webhook.enabled", "key.revoked", "key.replaced"],
});

/** The name of an endpoint: what people call it, or where it is without its scheme. @param {{url: string, description: string}} webhook */
export function nameOf({ url, description }) {
  return description || url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}

/**
 * What an endpoint is doing, as the end of a key of the texts: `enabled`, `failing`, or why it is disabled.
 * @param {{state: string, reason: string|null, failingSince: string|null}} webhook
 */
export function stateOf({ state, reason, failingSince }) {
  if (state === "disabled") return reason === "gone" || reason === "failing" ? `disabled.${reason}` : "disabled.member";
  return failingSince ? "failing" : "enabled";
}

/** So many pending deliveries are counted; of more the server says that there are so many. */
const MOST_COUNTED = 1000;

/** How many deliveries wait, as a key of the texts and its values; null where none does. @param {{pendingDeliveries?: number}} webhook */
export function waitingOf({ pendingDeliveries: count }) {
  if (!count) return null;
  return [count < MOST_COUNTED ? "webhooks.waiting" : "webhooks.waitingMany", { count }];
}

/** How the page marks what a handshake found. @param {{result: string}|null} handshake */
export function handshakeMark(handshake) {
  if (!handshake) return "none";
  return { verified: "ok", openToForgery: "danger" }[handshake.result] ?? "warn";
}

/**
 * The body that makes an endpoint, or changes one: then only what differs from `before`.
 * @param {Record<string, any>} values of the form
 * @param {Record<string, any>|null} before the endpoint as it is, null for a new one
 */
export function requestOf(values, before) {
  const body = {
    url: values.url.trim(),
    description: values.description.trim(),
    // In one order, however they were chosen: an approval is for one body.
    types: values.isAll ? [] : [...values.types].sort(),
    filter: { direction: values.direction || null, labels: [...values.labels].sort() },
    payload: values.payload,
    order: values.order,
    concurrency: Number(values.concurrency),
    // The values of fields that are there are not shown: without new ones the old ones stay.
    ...values.headers ? { headers: values.headers.filter(({ name }) => name.trim()).map(({ name, value }) => ({ name: name.trim(), value })) } : {},
    ...before ? {} : { signing: values.signing },
  };
  if (!before) return body;
  return Object.fromEntries(Object.entries(body).filter(([key, value]) => key === "headers" || JSON.stringify(value) !== JSON.stringify(before[key])));
}

/**
 * Whether fields of an endpoint's own have to be entered anew, or removed: the server keeps their values for the scheme, host and
 * port that they were entered for.
 * @param {Record<string, any>} values of the form
 * @param {Record<string, any>|null} before
 */
export function needsHeaders(values, before) {
  return !!before?.headers.length && !values.headers && !haveSameOrigin(values.url.trim(), before.url);
}

/**
 * The endpoints with one of them as it is now, without its secret. What is known of only a part, such as a handshake that lasted a
 * minute, leaves the rest as it was changed meanwhile.
 * @param {any[]} webhooks
 * @param {any} kept the endpoint, or its id and a part of it
 */
export function withKept(webhooks, { secret: _, ...kept }) {
  const index = webhooks.findIndex((one) => one.id === kept.id);
  const isWhole = "url" in kept;
  if (index < 0) return isWhole ? [...webhooks, kept] : webhooks;
  return webhooks.with(index, isWhole ? kept : { ...webhooks[index], ...kept });
}

/** The values that a form begins with. @param {Record<string, any>|null} webhook */
export function valuesOf(webhook) {
  return {
    url: webhook?.url ?? "", description: webhook?.description ?? "", isAll: !webhook?.types.length, types: [...webhook?.types ?? []],
    direction: webhook?.filter.direction ?? "", labels: [...webhook?.filter.labels ?? []], payload: webhook?.payload ?? "full",
    order: webhook?.order ?? "conversation", concurrency: webhook?.concurrency ?? 4, signing: webhook?.signing ?? "v1",
    headers: webhook ? null : [],
  };
}

/** A request of a delivery, as text: a line a field; hidden values are dots. @param {{headers: {name: string, value: string|null}[]}|null} request */
export function requestText(request) {
  return (request?.headers ?? []).map(({ name, value }) => `${name}: ${value ?? "•••"}`).join("\n");
}

/** Statuses with words of their own. */
const ANSWERS = { 401: "forbidden", 403: "forbidden", 410: "gone", 429: "slower" };

/**
 * What came of an attempt, as the end of a key of the texts; null where only the server has words: without an answer, or where it points elsewhere.
 * @param {{status: number|null}} attempt
 */
export function attemptOf({ status }) {
  if (!status || (status >= 300 && status < 400)) return null;
  return status < 300 ? "accepted" : ANSWERS[status] ?? "other";
}
