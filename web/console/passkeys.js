import { registerStrings, t } from "../lib/i18n.js";

await registerStrings({ en: () => import("../i18n/en/passkeys.js"), ja: () => import("../i18n/ja/passkeys.js") });

/**
 * Why no passkey can be used in this page: `host`, since the server has none that passkeys work at; `elsewhere`, since they work at another
 * one; `browser`, since the browser has none. Null where they can be used.
 * @param {string|null} host as the server says it
 */
export function hindrance(host) {
  if (!host) return "host";
  if (location.hostname !== host) return "elsewhere";
  // Older browsers hand over no public key that can be read without CBOR.
  const response = globalThis.AuthenticatorAttestationResponse?.prototype;
  return globalThis.PublicKeyCredential && response && "getPublicKey" in response ? null : "browser";
}

/**
 * Has the browser make a passkey.
 * @param {Record<string, any>} options the server's answer
 * @returns {Promise<Record<string, any>>} what the server is sent, without the name
 */
export async function makePasskey(options) {
  const made = /** @type {any} */ (await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      user: { ...options.user, id: bytes(options.user.id) },
      excludeCredentials: options.excludeCredentials.map((one) => ({ ...one, id: bytes(one.id) })),
    },
  }));
  const { response } = made;
  return {
    id: text(made.rawId), clientDataJSON: text(response.clientDataJSON), authenticatorData: text(response.getAuthenticatorData()),
    publicKey: text(response.getPublicKey()), publicKeyAlgorithm: response.getPublicKeyAlgorithm(),
  };
}

/**
 * Has the browser ask for a passkey, any that the person has for this site.
 * @param {Record<string, any>} options the server's answer
 * @param {{signal: AbortSignal, mediation?: CredentialMediationRequirement}} how `mediation`: `conditional` offers them at the field of the
 *   address alone
 * @returns {Promise<Record<string, string>>} what the server is sent
 */
export async function askPasskey(options, { signal, mediation }) {
  const found = /** @type {any} */ (await navigator.credentials.get({
    publicKey: { ...options, challenge: bytes(options.challenge) }, signal, ...mediation ? { mediation } : {},
  }));
  const { response } = found;
  return {
    id: text(found.rawId), clientDataJSON: text(response.clientDataJSON), authenticatorData: text(response.authenticatorData),
    signature: text(response.signature), userHandle: text(response.userHandle),
  };
}

/** What a refusal of the browser's means to its reader; "" for any other. @param {any} problem */
export function browserSentence(problem) {
  if (!(problem instanceof DOMException)) return "";
  switch (problem.name) {
    // The same for a person who cancels and for one who waits too long: pages do not learn which.
    case "NotAllowedError": case "AbortError": return t("passkeys.cancelled");
    case "InvalidStateError": return t("passkeys.known");
    default: return t("passkeys.unable");
  }
}

/**
 * What this device is called, for the name of a passkey that is made on it.
 * @param {string} agent as the browser names itself
 */
export function deviceName(agent) {
  const device = [
    [/iPhone/, "iPhone"], [/iPad/, "iPad"], [/Android/, "Android"], [/CrOS/, "Chromebook"], [/Windows/, "Windows"], [/Mac OS/, "Mac"], [/Linux/, "Linux"],
  ].find(([pattern]) => /** @type {RegExp} */ (pattern).test(agent));
  return /** @type {string} */ (device?.[1] ?? "");
}

/** @param {string} base64url */
function bytes(base64url) {
  return Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
}

/** @param {ArrayBuffer} buffer */
function text(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
