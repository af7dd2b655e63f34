/** What is written in a composer, as data that can be kept elsewhere and put back. */

/** Cards whose data is longer than this, in UTF-16 units, are not kept: they have pictures in them. */
const MOST_LENGTH = 48_000;

/** @typedef {{kind: string, body: string, card: {kind: string, draft: any}|null}} KeptDraft */

/**
 * The text and the card of the open kind; files of a text are not in it.
 * @param {import("./form-cache.js").FormCache} forms
 * @param {string} kind that is open
 * @returns {KeptDraft|null} null when nothing is written
 */
export function readKept(forms, kind) {
  const body = forms.find("text")?.draft?.body ?? "";
  const form = kind === "text" ? null : forms.find(kind);
  const card = form?.isWritten && JSON.stringify(form.draft).length <= MOST_LENGTH
    ? { kind, draft: JSON.parse(JSON.stringify(form.draft)) } : null;
  return body.trim() || card ? { kind: card ? kind : "text", body, card } : null;
}

/**
 * Puts a kept draft back; null empties the text.
 * @param {import("./form-cache.js").FormCache} forms
 * @param {KeptDraft|null} kept
 */
export function restoreKept(forms, kept) {
  const text = forms.require("text");
  text.setDraft({ ...text.blankDraft(), attachments: text.draft?.attachments ?? [], body: kept?.body ?? "" });
  if (!kept?.card) return;
  const form = forms.require(kept.card.kind);
  form.setDraft({ ...form.blankDraft(), ...kept.card.draft });
}
