import { recall, remember } from "./memory.js";

/** How long the server is waited for where the page can be opened without its answer, in seconds. */
export const ANSWER_SECONDS = 3;

/**
 * What a page knows of its conversation before it has read it.
 * @param {any} info the answer of `GET /api/phone/{business}`, or with `isRecalled` only whose page it is
 */
export function factsOf({ business, customer, conversation, isRecalled = false }) {
  const hasCustomer = Boolean(customer);
  const hasLeft = conversation?.left ?? false;
  return {
    business, hasCustomer, hasLeft,
    /** Whether the page opened without an answer of the server. */
    isUnread: isRecalled,
    id: conversation?.id ?? null,
    /** Whose conversation it is; null as long as the server has not said it. */
    customer: customer?.id ?? null,
    /** Whether the browser keeps the cookie of the session: known once the server has seen it. */
    isKept: hasCustomer,
    isMuted: conversation?.muted ?? false,
    isLoaded: !isRecalled && (!hasCustomer || hasLeft),
  };
}

/** @param {string} business */
const keyOf = (business) => `fd.phone.${business}.business`;

/** The business as it was when its page was open last, for a page without a connection; null where it never was. @param {string} business */
export function recallBusiness(business) {
  const known = recall(keyOf(business));
  return known?.id ? known : null;
}

/** Keeps whose page it is, and nothing of the customer. @param {string} business @param {any} known null forgets it */
export function rememberBusiness(business, known) {
  // Its picture is the server's to send.
  remember(keyOf(business), known && { id: known.id, name: known.name, colour: known.colour, mode: known.mode, picture: null });
}
