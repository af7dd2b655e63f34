/** Texts of the documents' pages and of the page of an address that has none. */
export default {
  "docs.title": "Documentation · Frontdesk",
  "docs.unreadable": "The document cannot be read now. Reload the page to try again.",
  "docs.index": "Documentation",
  "docs.anchor": "Link to “{title}”",
  "docs.table": "Table",
  "docs.pre": "Code",
  "docs.missing.title": "There is no such page",
  "docs.missing.lead": "Nothing is at {path}. The address may be mistyped, or what it showed is gone.",
};
