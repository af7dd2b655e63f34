/** A code for typing, which is much shorter than that of a link. */
const TYPED = /^\s*[a-z0-9]{5}[\s-]?[a-z0-9]{5}\s*$/i;

/** Longest text that an entry link may put into the field, in characters. */
const MAX_PREFILL = 2000;

/**
 * Where a customer's page asks the server, and under which names it keeps what lasts until the next visit. The frame of
 * a widget has both apart from the customer's own page, as it has another cookie.
 * @typedef {{base: string, key: string}} Place
 */

/**
 * The place of a business's own page, or with a generation that of the frame of its widget.
 * @param {string} business
 * @param {string} [generation] what the page around the frame changes with each customer
 * @returns {Place}
 */
export function placeOf(business, generation) {
  const name = encodeURIComponent(business);
  return generation === undefined
    ? { base: `/api/phone/${name}`, key: `fd.phone.${business}` }
    : { base: `/api/widget/${name}/phone`, key: `fd.widget.${business}.${generation}` };
}

/**
 * Reads the page that the address names.
 * @param {{pathname: string, search: string, hash?: string}} location
 * @returns {{page: "chat", business: string, entry: Record<string, string>, body: string,
 *     generation?: string, locale?: string, from?: string, held?: string, isNamed?: boolean} `held`: under which name this
 *     tab has kept files; `isNamed`: the customer was signed in when the frame was loaded
 *   | {page: "preview"}
 *   | {page: "join", code: string} | {page: "code", isApp: boolean, typed?: string}} `typed`: a code for typing that was
 *     written behind the address instead
 */
export function readRoute({ pathname, search, hash = "" }) {
  const [, prefix, name = ""] = pathname.split("/");
  const query = new URLSearchParams(search);
  if (prefix === "w" && name) {
    const wanted = new URLSearchParams(hash.slice(1));
    return {
      page: "chat", business: decoded(name), entry: {}, body: "",
      generation: wanted.get("g") ?? "", locale: wanted.get("locale") ?? "",
      ...(wanted.get("from") ? { from: wanted.get("from") } : {}), ...(wanted.get("held") ? { held: wanted.get("held") } : {}),
      ...(wanted.has("named") ? { isNamed: true } : {}),
    };
  }
  if (prefix === "b" && name && query.has("preview")) return { page: "preview" };
  if (prefix === "b" && name) {
    const entry = {};
    if (query.get("biz-intent-id")) entry.intent = query.get("biz-intent-id");
    if (query.get("biz-group-id")) entry.group = query.get("biz-group-id");
    return {
      page: "chat", business: decoded(name), entry,
      body: (query.get("body") ?? "").replaceAll("\0", "").slice(0, MAX_PREFILL).replace(/[\ud800-\udbff]$/, ""),
    };
  }
  if (prefix === "j" && TYPED.test(decoded(name))) return { page: "code", isApp: false, typed: tidyCode(decoded(name)) };
  if (prefix === "j" && name) return { page: "join", code: decoded(name) };
  return { page: "code", isApp: query.has("app") };
}

/**
 * Brings a typed code into the form `ABCDE-FGHJK`; letters people confuse are read as meant.
 * @param {string} text
 */
export function tidyCode(text) {
  const letters = text.normalize("NFKC").toUpperCase().replace(/[^A-Z0-9]/g, "").slice(0, 10);
  return letters.length > 5 ? `${letters.slice(0, 5)}-${letters.slice(5)}` : letters;
}

/**
 * Goes to the page of the OAuth provider that the sandbox plays, as a device opens one.
 * @param {string} business
 * @param {string} message the request to sign in
 */
export function openSignInPage(business, message) {
  const address = `/b/${encodeURIComponent(business)}/sign-in/${encodeURIComponent(message)}`;
  // In a frame of the sandbox a provider's own page could not be shown.
  if (window.top === window) location.assign(address);
  else window.open(address, "_blank", "noopener");
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;  // Safe: a broken escape finds nothing on the server.
  }
}
