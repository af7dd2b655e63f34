import { t } from "../lib/i18n.js";

/** The fewest characters of a password unless the server returns another number. */
export const shortestPassword = 15;

/**
 * The reason why the server refused a password, in the reader's language; empty when the
 * refusal is about something else.
 * @param {import("../lib/api.js").ApiProblem} problem
 * @param {string} [pointer] of the password in the body
 */
export function passwordSentence(problem, pointer = "/password") {
  const finding = problem.errors.find((one) => one.pointer === pointer);
  if (!finding) return "";
  const { limit, actual } = finding;
  if (limit === undefined || actual === undefined) return t("console.password.weak");
  return actual < limit ? t("console.password.short", { least: limit, count: actual })
    : t("console.password.long", { most: limit, count: actual });
}
