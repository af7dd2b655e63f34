import { t } from "../lib/i18n.js";

/** The fewest characters of a password unless the server says another number. */
export const shortestPassword = 15;

/**
 * What is wrong with a password that the server refused, in the reader's language; empty when the
 * refusal is about something else.
 * @param {import("../lib/api.js").ApiProblem} problem
 */
export function passwordSentence(problem) {
  const finding = problem.errors.find(({ pointer }) => pointer === "/password");
  if (!finding) return "";
  const { limit, actual } = finding;
  if (limit === undefined || actual === undefined) return t("console.password.weak");
  return actual < limit ? t("console.password.short", { least: limit, count: actual })
    : t("console.password.long", { most: limit, count: actual });
}
