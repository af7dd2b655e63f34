import { t } from "./i18n.js";
import { formatAt } from "./time.js";

/** Lines that the server writes whole (`SummaryWords`), by their kind. */
const WHOLE = {
  form: { "Answered the form": "answered", フォームに回答しました: "answered" },
  payment: {
    "Paid": "paid", "Payment failed": "failed", "Payment canceled": "cancelled", "Payment not completed": "notCompleted",
    支払い済み: "paid", 支払いに失敗しました: "failed", 支払いを取り消しました: "cancelled", 支払いは完了していません: "notCompleted",
  },
  authentication: { "Signed in": "signedIn", "Did not sign in": "notSignedIn", サインインしました: "signedIn", サインインしませんでした: "notSignedIn" },
};
/** The names with which the server begins the line of a kind. */
const NAMES = {
  quickReply: "Quick reply", list: "List", time: "Times", payment: "Payment", form: "Form", authentication: "Sign-in",
  richLink: "Link", invitation: "Invitation", app: "App", reference: "Interactive message",
  interactive: "Interactive message",
};
const CHOSEN = /^Chose (.*)$|^(.*)を選択しました$/s;
/** A time as the server writes it in a customer's language (`Language.moment`). */
const ENGLISH = /^[A-Z][a-z]{2}, ([A-Z][a-z]{2}) (\d+), (\d+), (\d+):(\d\d) ([AP])M( UTC)?$/;
const JAPANESE = /^(\d+)年(\d+)月(\d+)日\(.\) (\d+):(\d\d)( UTC)?$/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const FILES = { Picture: "picture", Video: "video", Audio: "audio", File: "file" };

/**
 * The server's line for a message in the language of the page. The server stores it in English, and what a customer chose or did in the
 * customer's language; what people wrote stays as it is.
 * @param {string} summary
 * @param {string} [kind]
 * @returns {string}
 */
export function summaryWords(summary, kind) {
  if (!summary) return summary;
  if (kind === "text") return files(summary);
  const whole = WHOLE[kind]?.[summary];
  if (whole) return t(`shared.summary.${whole}`);
  const name = NAMES[kind];
  if (!name) return summary;
  const translated = t(`shared.summary.kind.${kind}`);
  if (summary === name) return translated;
  if (summary.startsWith(`${name}: `)) {
    return t("shared.summary.line", { name: translated, title: summary.slice(name.length + 2) });
  }
  const found = CHOSEN.exec(summary);
  if (!found) return summary;
  const chosen = found[1] ?? found[2];
  return t("shared.summary.chose", { chosen: kind === "time" ? timeWords(chosen) : chosen });
}

/** A time that the server wrote, in the language of the page: at the place that it was written for, or at the reader's where there is none, as on the card. */
function timeWords(text) {
  const [, ...english] = ENGLISH.exec(text) ?? [];
  const [, ...japanese] = JAPANESE.exec(text) ?? [];
  if (!english.length && !japanese.length) return text;
  const [year, month, day, hour, minute, zone] = english.length
    ? [english[2], MONTHS.indexOf(english[0]) + 1, english[1], (Number(english[3]) % 12) + (english[5] === "P" ? 12 : 0), english[4], english[6]]
    : japanese;
  const moment = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute)));
  return formatAt(moment, { weekday: "short", year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit" }, zone ? null : 0);
}

/** A message of files alone has the words of their types as its line, the first three of them. */
function files(summary) {
  const words = summary.replace(/…$/, "").split(", ");
  if (words.length > 3 || !words.every((word) => word in FILES)) return summary;
  const translated = words.map((word) => t(`shared.summary.${FILES[word]}`));
  return translated.join(t("shared.summary.and")) + (summary.endsWith("…") ? "…" : "");
}
