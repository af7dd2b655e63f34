/** A question with two to five answers to tap. */
import { featureOf, wordsOf } from "../payload-reading.js";
import { interactive } from "../payloads.js";

export default {
  kind: "quickReply", tag: "quick-reply-form", needs: "QUICK",
  drawing: "M3 6.5a2.5 2.5 0 0 1 2.5-2.5h9a2.5 2.5 0 0 1 0 5h-9A2.5 2.5 0 0 1 3 6.5z M7 13.5a2.5 2.5 0 0 1 2.5-2.5h5a2.5 2.5 0 0 1 0 5h-5A2.5 2.5 0 0 1 7 13.5z",
  words: {
    en: { title: "Please choose" },
    ja: { title: "お選びください" },
  },
  speaksOf: featureOf("quick-reply"), make: quickReplyPayload, read, fallback,
};

/** Fewest and most quick replies. */
export const quickReplyRange = { least: 2, most: 5 };

/** @param {{summary: string, items: {identifier: string, title: string}[]}} draft */
export function quickReplyPayload(draft, context) {
  const items = draft.items.filter((item) => item.title.trim() !== "");
  return interactive(context, {
    "quick-reply": {
      summaryText: draft.summary,
      items: items.map(({ identifier, title }) => ({ identifier, title })),
    },
  });
}

function read({ interactiveData }) {
  const { summaryText, items } = interactiveData.data["quick-reply"];
  return { summary: wordsOf(summaryText), items: items.map(({ identifier, title }) => ({ identifier, title })) };
}

// The text for a device that cannot show the card.
function fallback({ data }) {
  const { summaryText, items } = data["quick-reply"];
  return [summaryText, ...items.map((item, index) => `${index + 1}. ${item.title}`)];
}
