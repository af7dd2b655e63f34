/** Which sheet of the phone answers each kind of card. */
import { makeUUID } from "../lib/uuid.js";
import { cardKind } from "../cards/kinds.js";
import { openListSheet, openPickSheet, openTimeSheet } from "./answer-sheets.js";
import { openAppSheet } from "./app-sheet.js";
import { openFormSheet } from "./form-sheet.js";
import { openPaymentSheet } from "./payment-sheet.js";
import { openSignInPage } from "./route.js";

/**
 * @typedef {{message: any, conversation: any, before: Set<string>, identifier?: string, key?: string|null,
 *   answer: import("./answer-sheets.js").Answer}} Asked
 */

/** @type {Record<string, (asked: Asked) => void>} kinds with a sheet of their own */
const sheets = {
  list: ({ message, before, answer }) => openListSheet(message, before, answer),
  time: ({ message, before, conversation, answer }) =>
    openTimeSheet(message, before, conversation.business.name, answer),
  payment: ({ message, conversation, answer }) => openPaymentSheet(message, conversation, answer),
  authentication: async ({ message, conversation }) => {
    if (conversation.isPreview) return conversation.signIn();
    if (!conversation.isEmbedded) return openSignInPage(conversation.business.id, message.id);
    const { openSignInSheet } = await import("./sign-in-sheet.js");
    openSignInSheet(message, conversation);
  },
  app: ({ message, answer }) => openAppSheet(message, answer),
  form: ({ message, answer, key = null }) => openFormSheet(message, answer, key),
};

/**
 * Answers a card: in the kind's own sheet, or in the plain one for a card that offers some items to pick from. An item
 * that stands in the bubble itself is the answer as soon as it is tapped. Other kinds are not answered.
 * @param {string} kind
 * @param {Asked} asked
 */
export function openAnswerSheet(kind, asked) {
  const { answeredBy, pick } = cardKind(kind);
  if (sheets[kind]) return sheets[kind](asked);
  if (!pick) return;
  const model = pick(asked.message.payload);
  const tapped = answeredBy === "bubble" ? model.items.find(({ identifier }) => identifier === asked.identifier) : null;
  if (!tapped) return openPickSheet(kind, model, asked);
  // A second tap, before the first one is drawn, is no second answer.
  const isAnswered = asked.conversation.outbox.items.some((item) => item.preview?.inReplyTo === asked.message.id);
  if (!isAnswered) asked.answer(makeUUID(), { [kind]: { identifier: tapped.identifier } }, tapped.title);
}
