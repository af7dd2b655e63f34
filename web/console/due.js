import { t } from "../lib/i18n.js";
import { formatAgo } from "../lib/time.js";

/** An answer that is due sooner is near, in milliseconds. */
const NEAR_MILLISECONDS = 15 * 60_000;

/**
 * When the answer of a conversation is due, in words; null where nothing is due.
 * @param {{answerDue?: {at: string}|null}} conversation
 * @param {Date} [now]
 * @returns {{words: string, state: "overdue"|"near"|"later", at: string}|null}
 */
export function dueWords({ answerDue }, now = new Date()) {
  if (!answerDue) return null;
  const at = new Date(answerDue.at);
  const rest = at.getTime() - now.getTime();
  if (rest < 0) return { words: t("due.over", { time: formatAgo(at, now) }), state: "overdue", at: answerDue.at };
  // The span from now to then, written as one from then to now.
  const words = rest < 60_000 ? t("due.now") : t("due.in", { time: formatAgo(now, at) });
  return { words, state: rest < NEAR_MILLISECONDS ? "near" : "later", at: answerDue.at };
}
