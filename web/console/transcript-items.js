import { language, t } from "../lib/i18n.js";

/** So many conversations can be in one transcript. */
export const MOST_IN_TRANSCRIPT = 100;

/**
 * The items of a menu that open a transcript: a page to read and to print, text, JSON.
 * @param {string[]} conversations their ids, in the order of the transcript
 * @returns {import("../lib/popup.js").MenuItem[]}
 */
export function transcriptItems(conversations) {
  const path = conversations.length === 1 ? `/api/conversations/${conversations[0]}/transcript?`
    : `/api/transcripts?conversation=${conversations.join(",")}&`;
  return ["html", "text", "json"].map((format) => ({
    text: t(`console.transcript.${format}`),
    run: () => window.open(`${path}language=${language()}&format=${format}`, "_blank", "noopener"),
  }));
}
