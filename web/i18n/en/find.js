/** Texts of the search within a conversation. */
export default {
  "find.label": "Find in this conversation",
  "find.earlier": "Earlier match (Enter)",
  "find.later": "Later match (Shift+Enter)",
  "find.close": "Close (Esc)",
  "find.browser": "Finds all messages and notes. Press Ctrl+F again for the browser’s search.",
  "find.place": "{number} of {count}",
  "find.placeMore": "{number} of {count}+",
  "find.none": "Not found",
  "find.noneYet": "Not in the newest messages. Enter searches earlier ones.",
  "find.reading": "Reading earlier messages…",
};
