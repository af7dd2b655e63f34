/** The kinds that the composer writes. Each is an object of `kinds/`; nothing else lists them. */
import app from "./kinds/app.js";
import authentication from "./kinds/authentication.js";
import form from "./kinds/form.js";
import list from "./kinds/list.js";
import payment from "./kinds/payment.js";
import quickReply from "./kinds/quick-reply.js";
import { myApp, raw } from "./kinds/raw.js";
import richLink from "./kinds/rich-link.js";
import text from "./kinds/text.js";
import time from "./kinds/time.js";

/**
 * `tag`: the element of the form; `drawing`: the path of the kind's icon, unless `icons.js` has one of the kind's name; `needs`: what a device must
 * announce, one of several where it is a list; `isWritten`: the form contains JSON; `isRare`: it is only in the menu of the composer's foot. `speaksOf` recognises a payload, `read` makes the draft
 * of it and `make` the payload again; `level` removes differences that mean nothing from the data of
 * both before they are compared. `fallback` says the card as lines of text, `words` are the first
 * texts of a new card.
 * @typedef {{kind: string, tag?: string, drawing?: string, needs?: string|string[], isWritten?: boolean, isRare?: boolean,
 *   speaksOf?: (payload: any) => boolean, read?: (payload: any) => any,
 *   make?: (draft: any, envelope: import("./payloads.js").Envelope) => any,
 *   level?: (data: any) => void, fallback?: (interactive: any, locale: string) => string[],
 *   words?: {en: Record<string, string>, ja: Record<string, string>}}} ComposerKind
 */

/** @type {ComposerKind[]} in the order of the composer's foot */
export const kinds = [text, quickReply, list, time, payment, form, authentication, richLink, app, myApp, raw];

/** Kinds whose examples come from a form. */
export const exampleKinds = kinds.filter(({ isWritten }) => !isWritten);

/** The kind that a payload is of; undefined for a text and for what no form writes. @param {any} payload half-typed or whole */
export function kindOfPayload(payload) {
  return payload && typeof payload === "object" ? kinds.find(({ speaksOf }) => speaksOf?.(payload)) : undefined;
}

/**
 * Whether the customer's device can show a kind; an unknown list of abilities forbids nothing.
 * @param {{needs?: string|string[]}} entry
 * @param {string[]|null|undefined} capabilities
 */
export function canShow(entry, capabilities) {
  if (!entry.needs || !capabilities?.length) return true;
  const needs = [entry.needs].flat();
  return capabilities.some((name) => needs.includes(name.toUpperCase()));
}
