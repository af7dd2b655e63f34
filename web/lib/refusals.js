import { language, t } from "./i18n.js";

/** Refusals whose text is for programs; people read the page's text instead. */
const spokenToPrograms = ["not_found", "unauthenticated", "approval_needed", "on_hold"];
/** Refusals that the server words for people, in English. */
const spokenInEnglish = ["forbidden", "passkey_required"];

/**
 * The text of a refusal for the user of the page.
 * @param {import("./api.js").ApiProblem|any} problem
 * @param {Record<string, string>} [own] sentences by code where the page knows more about the reason
 */
export function refusalSentence(problem, own = {}) {
  if (problem.isOffline) return t("shared.problem.offline");
  if (own[problem.code]) return own[problem.code];
  const isForeign = spokenInEnglish.includes(problem.code) && (language() !== "en" || !problem.detail);
  if (isForeign || spokenToPrograms.includes(problem.code)) return t(`shared.problem.${problem.code}`);
  return problem.detail || problem.title || t("shared.problem.unknown");
}
