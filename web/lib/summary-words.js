import { language, t } from "./i18n.js";

/** Lines that the server writes whole, in English (`SummaryWords`), by their kind. */
const WHOLE = {
  form: { "Answered the form": "answered" },
  payment: {
    "Paid": "paid", "Payment failed": "failed", "Payment canceled": "cancelled", "Payment not completed": "notCompleted",
  },
  authentication: { "Signed in": "signedIn", "Did not sign in": "notSignedIn" },
};
/** The names with which the server begins the line of a kind. */
const NAMES = {
  quickReply: "Quick reply", list: "List", time: "Times", payment: "Payment", form: "Form", authentication: "Sign-in",
  richLink: "Link", invitation: "Invitation", app: "App", reference: "Interactive message",
  interactive: "Interactive message",
};
const CHOSEN = "Chose ";
const FILES = { Picture: "picture", Video: "video", Audio: "audio", File: "file" };

/**
 * The server's line for a message in the language of the page. The server stores it in English; what people wrote stays as
 * it is.
 * @param {string} summary
 * @param {string} [kind]
 * @returns {string}
 */
export function summaryWords(summary, kind) {
  if (language() === "en" || !summary) return summary;
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
  if (summary.startsWith(CHOSEN)) return t("shared.summary.chose", { chosen: summary.slice(CHOSEN.length) });
  return summary;
}

/** A message of files alone has the words of their types as its line, the first three of them. */
function files(summary) {
  const words = summary.replace(/…$/, "").split(", ");
  if (words.length > 3 || !words.every((word) => word in FILES)) return summary;
  const translated = words.map((word) => t(`shared.summary.${FILES[word]}`));
  return translated.join(t("shared.summary.and")) + (summary.endsWith("…") ? "…" : "");
}
