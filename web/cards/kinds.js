/**
 * The kinds of messages, as cards draw them and customers answer them. Each kind is an object of
 * `kinds/`; nothing else in the pages lists them.
 */
import { record, readFace, words } from "./card-model.js";
import { faceView, tile } from "./card-parts.js";
import { t } from "../lib/i18n.js";
import app from "./kinds/app.js";
import authentication from "./kinds/authentication.js";
import form from "./kinds/form.js";
import invitation from "./kinds/invitation.js";
import list from "./kinds/list.js";
import payment from "./kinds/payment.js";
import { reference, text, unknown } from "./kinds/plain.js";
import quickReply from "./kinds/quick-reply.js";
import richLink from "./kinds/rich-link.js";
import time from "./kinds/time.js";

/**
 * `features`: the members of `interactiveData.data` that make a message this kind. A kind draws a
 * `bubble`, or a `card` of its request and maybe one of its `answer`. `answeredBy`: a tap on the card
 * opens a sheet, or the bubble itself has the items to tap. `chosen` names the picked items;
 * `pick` is the content of the phone's plain sheet; `isSettledBy` an answer after which there is no other.
 * @typedef {{kind: string, features: string[], answeredBy?: "sheet"|"bubble",
 *   bubble?: (input: Record<string, any>) => any,
 *   card?: (payload: any, reply: any) => import("./card-parts.js").CardParts,
 *   answer?: (payload: any, perspective: "customer"|"business") =>
 *     import("./card-parts.js").CardParts,
 *   chosen?: (reply: any) => string[], isSettledBy?: (reply: any) => boolean,
 *   pick?: (payload: any) => {question: string, items: {identifier: string, title: string}[]}}} CardKind
 */

/** @type {CardKind[]} where a payload has several features, the first of these counts */
const kinds = [
  list, time, payment, quickReply, form, authentication, invitation, app, richLink, text, reference,
];

const ownExtension = "com.apple.icloud.apps.messages.business.extension";

/** The declaration of a kind. @param {string} kind @returns {CardKind} */
export function cardKind(kind) {
  return kinds.find((entry) => entry.kind === kind) ?? unknown;
}

/**
 * The kind of message a payload is, by its shape: one of the server's kinds, or "unknown".
 * @param {unknown} payload
 * @returns {string}
 */
export function kindOf(payload) {
  const { type, interactiveData, interactiveDataRef, richLinkData, richLinkDataRef, body } =
    record(payload);
  if (type === "richLink" || richLinkData) return "richLink";
  if (interactiveData) {
    const { data, appId, appName, URL, bid } = record(interactiveData);
    const found = kinds.find(({ features }) =>
      features.some((key) => record(data)[key] !== undefined));
    if (found) return found.kind;
    const isOurs = words(bid).endsWith(ownExtension);
    if (appId !== undefined || appName || URL !== undefined || (bid && !isOurs)) return "app";
    return "unknown";
  }
  if (interactiveDataRef || richLinkDataRef) return "reference";
  if (type === "text" || body !== undefined) return "text";
  return "unknown";
}

/**
 * What an answer chose: identifiers of rows, of a slot, of a quick reply.
 * @param {unknown} reply
 * @returns {Set<string>}
 */
export function chosenIn(reply) {
  return new Set(kinds.flatMap(({ chosen }) => chosen?.(reply) ?? []));
}

/** The parts of a request's card. @returns {import("./card-parts.js").CardParts} */
export function requestCard(kind, payload, reply) {
  return (cardKind(kind).card ?? unknown.card)(payload, reply);
}

/**
 * The customer's answer, drawn as the device shows it in the thread.
 * @param {string} kind
 * @param {any} payload
 * @param {"customer"|"business"} perspective who looks at it
 * @returns {import("./card-parts.js").CardParts}
 */
export function answerCard(kind, payload, perspective) {
  const { answer } = cardKind(kind);
  if (answer) return answer(payload, perspective);
  const face = readFace(payload, "replyMessage");
  const title = face.title || t(`card.${kind}`);
  return { kind, label: title, face: faceView(face, tile("check"), title), details: null };
}
