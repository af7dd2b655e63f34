import { api, exchange } from "./api.js";
import { sliceMember } from "./payload-slice.js";

/**
 * Whether an event has a large payload's size, digest and address instead of the payload.
 * @param {any} payload
 */
export function isReference(payload) {
  return Boolean(payload?.sha256 && payload.url && !payload.type);
}

/**
 * A message's payload as text, to the byte.
 * @param {{conversation: string, id: string}} message
 * @returns {Promise<string|null>}
 */
export async function exactPayload(message) {
  return sliceMember((await exchange("GET", pathOf(message))).text, "payload");
}

/**
 * The message with its payload, fetched where a stream brought only a reference.
 * @param {any} message
 */
export async function wholeMessage(message) {
  return isReference(message.payload) ? api.get(pathOf(message)) : message;
}

function pathOf({ conversation, id }) {
  return `/api/conversations/${encodeURIComponent(conversation)}/messages/${encodeURIComponent(id)}`;
}
