/** The question about satisfaction as the phone shows it, of what is typed in the settings. Pure. */
import { interactive } from "../composer/payloads.js";

/** The scores, the best one first, as customers see them. */
export const scores = Object.freeze([5, 4, 3, 2, 1]);

/** The envelope of the preview, which is sent to no one. */
const UNSENT = Object.freeze({ id: "question", requestID: "question", business: "", customer: "" });

/**
 * @param {"quickReply"|"form"} kind
 * @param {{question: string|null, choices: string[]|null, comment: string|null}} texts `choices`: that of the score 1 first
 */
export function questionPayload(kind, { question, choices, comment }) {
  const asked = question || "–";
  const items = scores.map((score) => ({ identifier: `satisfaction-${score}`, title: choices?.[score - 1] || "–" }));
  if (kind === "quickReply") return interactive(UNSENT, { "quick-reply": { summaryText: asked, items } });
  const pages = [
    { pageIdentifier: "satisfaction", type: "select", subtitle: asked, multipleSelection: false, items, nextPageIdentifier: "comment" },
    { pageIdentifier: "comment", type: "input", subtitle: comment || "–", options: { inputType: "multiline", required: false, maximumCharacterCount: 1_000 }, submitForm: true },
  ];
  const dynamic = { version: "1.2", template: "messageForms", data: { startPageIdentifier: "satisfaction", showSummary: false, pages } };
  return interactive(UNSENT, { dynamic }, null, { receivedMessage: { title: asked }, replyMessage: { title: asked } });
}
