/** The fix of a finding, in the reader's language. The server gives its fixes in English, so that only the others are loaded. */
import { language, registerStrings, t } from "../lib/i18n.js";

await registerStrings({ en: {}, ja: () => import("./rule-fixes-ja.js") });

/**
 * @param {{rule: string, fix?: string, found?: string, pointer?: string}} finding
 * @returns {string}
 */
export function fixWords(finding) {
  return ownWords(finding) ?? (finding.fix || finding.found || finding.rule);
}

/**
 * The language of `fixWords` where it is not the page's, for a screen reader and the choice of type.
 * @param {{rule: string, fix?: string, found?: string, pointer?: string}} finding
 * @returns {string|null}
 */
export function fixLanguage(finding) {
  // The page words the errors that its own parser found.
  return language() === "en" || finding.code || ownWords(finding) !== null ? null : "en";
}

/** What the server says in English only, such as a schema's descriptions. @returns {string|null} */
export function serverLanguage() {
  return language() === "en" ? null : "en";
}

function ownWords(finding) {
  const key = `fix.${finding.rule}`;
  const own = language() === "en" ? key : t(key);
  if (own === key) return null;
  const last = (finding.pointer ?? "").split("/").at(-1).replaceAll("~1", "/").replaceAll("~0", "~");
  const quoted = /"([^"]+)"/.exec(finding.fix ?? "")?.[1];
  const place = finding.rule === "unknown-key" && /^Move "[^"]*" to (the message itself|\/\S+),/.exec(finding.fix ?? "")?.[1];
  if (place) {
    return `「${last}」はここでは効果がありません。${place.startsWith("/") ? place : "メッセージの最上位"} に移すか、取り除いてください。`;
  }
  // The pointer names an unknown key; a missing or renamed one is named in the text.
  const name = finding.rule === "unknown-key" ? last : quoted ?? last;
  // Without a name the server's own text says more.
  return name || !own.includes("$1") ? own.replaceAll("$1", () => name) : null;
}
