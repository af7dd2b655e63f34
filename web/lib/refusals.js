import { language, t } from "./i18n.js";

/** Refusals whose own words are about credentials, for programs; people read ours instead. */
const spokenToPrograms = ["not_found", "unauthenticated"];
/** Those that the server words for people, in English. */
const spokenInEnglish = ["forbidden"];

/**
 * What a refusal says to the person whose wish was refused.
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
