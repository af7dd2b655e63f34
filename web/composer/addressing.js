/** Gives a payload written elsewhere the ids of the conversation that is open. Pure. */
import { readJSON, replaceValue } from "./json-tokens.js";

/**
 * Which of the envelope's stated members do not fit the conversation.
 * @param {string} text
 * @param {import("./payloads.js").Envelope} envelope
 * @returns {("sourceId"|"destinationId")[]}
 */
export function foreignMembers(text, envelope) {
  const { places, error } = readJSON(text);
  if (error) return [];
  const wanted = { sourceId: envelope.business, destinationId: envelope.customer };
  return /** @type {any} */ (Object.entries(wanted).filter(([name, value]) => {
    const place = places.get(`/${name}`);
    return place && text.slice(place.start, place.end) !== JSON.stringify(value);
  }).map(([name]) => name));
}

/** The text with the conversation's own business and customer where it states any. */
export function addressTo(text, envelope) {
  const addressed = replaceValue(text, "/sourceId", envelope.business);
  return replaceValue(addressed, "/destinationId", envelope.customer);
}

/** The text under another message id, when it states one. */
export function withMessageID(text, id) {
  return replaceValue(text, "/id", id);
}

/**
 * A file may hold only the part of an app message that its author cares about: then the envelope
 * goes around it, and its own bytes stay.
 * @param {string} text
 * @param {import("./payloads.js").Envelope} envelope
 */
export function wrapInteractive(text, envelope) {
  const { places, error } = readJSON(text);
  if (error || places.has("/type") || places.has("/v") || !places.has("/bid")) return text;
  const head = JSON.stringify({
    v: 1, id: envelope.id, type: "interactive", sourceId: envelope.business, destinationId: envelope.customer,
  }, null, 2);
  const inner = text.trim().replaceAll("\n", "\n  ");
  return `${head.slice(0, -2)},\n  "interactiveData": ${inner}\n}`;
}

