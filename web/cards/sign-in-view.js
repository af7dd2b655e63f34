import { h } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";
import { list, record, words } from "./card-model.js";

/** The error that a device reports, by domain and code, and its text for people. */
const REASONS = [
  ["com.apple.AuthenticationServices.WebAuthenticationSession", 1, "canceled"],
  ["com.apple.icloud.messages.business.authentication.error", 0, "refused"],
  ["com.apple.icloud.messages.business.internalAuthentication", 0, "failed"],
  ["com.apple.icloud.messages.business.cryptor", 1, "key"],
  ["com.apple.icloud.messages.business.cryptor", 2, "key"],
];

/**
 * The text for the outcome of a sign-in; the encrypted token is never shown.
 * @param {unknown} payload
 * @returns {{isSignedIn: boolean, reason: string, detail: string, otherStatus: string}} the reason is a
 *   key's end; a status that is neither of the two known words is no failure and is given as it is
 */
export function readSignInAnswer(payload) {
  const data = record(record(record(payload).interactiveData).data);
  const { status, errors } = record(data.authenticate);
  const error = record(list(errors)[0]);
  const known = REASONS.find(([domain, code]) =>
    domain === words(error.domain) && String(code) === words(error.code));
  return {
    isSignedIn: status === "authenticated", reason: known?.[2] ?? "other",
    detail: words(error.message),
    otherStatus: ["authenticated", "failed"].includes(status) ? "" : words(status),
  };
}

/** How a sign-in ended, as a mark under its card. @param {unknown} payload */
export function signInMark(payload) {
  const { isSignedIn, reason, detail, otherStatus } = readSignInAnswer(payload);
  if (otherStatus) {
    return h("div", { class: "mark is-quiet" }, icon("key", 16),
      h("span", null, t("card.signIn.status", { status: otherStatus })));
  }
  const [drawing, kind] = isSignedIn ? ["check", "ok"]
    : reason === "canceled" ? ["close", "quiet"] : ["alert", "bad"];
  const isOwnWords = !isSignedIn && reason === "other" && detail !== "";
  return h("div", { class: `mark is-${kind}` }, icon(drawing, 16), h("span", null,
    t(isSignedIn ? "card.signedIn" : `card.signIn.${reason}`),
    isOwnWords && h("small", null, detail)));
}
