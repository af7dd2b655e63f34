import { api } from "../lib/api.js";

/**
 * The operator's identity provider, through which people may sign in; null where there is none.
 * `signOutUrl` is known once the provider was asked for something.
 * @typedef {{name: string, isOnly: boolean, signOutUrl: string|null}} Provider
 */

/** Why a sign-in through the provider ended without a session, as the address of the console names it. */
export const signOnReasons = Object.freeze([
  "refused", "expired", "unreachable", "invalid", "unverified", "domain", "unknown", "several", "other", "link", "address",
  "unavailable",
]);

/**
 * The reason in the fragment of the console's address; null in every other address.
 * @param {string} fragment
 */
export function readReason(fragment) {
  const found = /^#sso=(\w+)$/.exec(fragment)?.[1];
  return found && signOnReasons.includes(found) ? found : null;
}

/**
 * Which words the page has for it: a provider that is down is no obstacle where there are passwords too.
 * @param {string} reason
 * @param {Provider} provider
 */
export function reasonKey(reason, provider) {
  return reason === "unreachable" && !provider.isOnly ? "console.sso.unreachableOr" : `console.sso.${reason}`;
}

/**
 * What there is beside a password: the provider, whether the server sends links to new passwords by e-mail, and the host that passkeys
 * work at.
 * @returns {Promise<{provider: Provider|null, passwordLinks: boolean, passkeyHost: string|null}>}
 */
export async function findWays() {
  const answer = await api.get("/api/session/sso").catch(() => null);  // Safe: passwords go on without it.
  return { provider: answer?.provider ?? null, passwordLinks: answer?.passwordLinks ?? false, passkeyHost: answer?.passkeys?.host ?? null };
}

/**
 * Goes to the provider; the answer is this page again, at another time.
 * @param {string} page where the person wants to be then
 * @param {string} [invitation] the token of the invitation that is accepted there
 */
export async function goToProvider(page, invitation) {
  const { url } = await api.post("/api/session/sso", { return: page, ...(invitation ? { invitation } : {}) });
  location.assign(url);
}
