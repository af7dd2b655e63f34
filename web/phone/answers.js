/** Which sheet of the phone answers each kind of card. */
import { cardKind } from "../cards/kinds.js";
import { openListSheet, openPickSheet, openTimeSheet } from "./answer-sheets.js";
import { openAppSheet } from "./app-sheet.js";
import { openFormSheet } from "./form-sheet.js";
import { openPaymentSheet } from "./payment-sheet.js";
import { openSignInPage } from "./route.js";

/**
 * @typedef {{message: any, conversation: any, before: Set<string>, identifier?: string,
 *   answer: import("./answer-sheets.js").Answer}} Asked
 */

/** @type {Record<string, (asked: Asked) => void>} kinds with a sheet of their own */
const sheets = {
  list: ({ message, before, answer }) => openListSheet(message, before, answer),
  time: ({ message, before, conversation, answer }) =>
    openTimeSheet(message, before, conversation.business.name, answer),
  payment: ({ message, conversation, answer }) => openPaymentSheet(message, conversation, answer),
  authentication: ({ message, conversation }) =>
    openSignInPage(conversation.business.id, message.id),
  app: ({ message, answer }) => openAppSheet(message, answer),
  form: ({ message, answer }) => openFormSheet(message, answer),
};

/**
 * Opens the sheet that answers a card: the kind's own, or the plain one for a card that offers
 * some items to pick from. Other kinds are not answered.
 * @param {string} kind
 * @param {Asked} asked
 */
export function openAnswerSheet(kind, asked) {
  const { pick } = cardKind(kind);
  if (sheets[kind]) sheets[kind](asked);
  else if (pick) openPickSheet(kind, pick(asked.message.payload), asked);
}
