/** What is written in a composer, as data that can be kept elsewhere and put back. */

/** Cards whose data is longer than this, in bytes, are not kept: they have pictures in them. */
const MOST_BYTES = 40_000;

/**
 * @typedef {{id: string, name: string, size: number, type: string, attachment: any}} KeptFile stored on the server
 * @typedef {{kind: string, body: string, card: {kind: string, draft: any}|null, files?: KeptFile[],
 *   areFilesLast?: boolean}} KeptDraft
 */

/**
 * The text with its files, and the card of the open kind; files on their way are not in it.
 * @param {import("./form-cache.js").FormCache} forms
 * @param {string} kind that is open
 * @returns {{draft: KeptDraft|null, isWhole: boolean}} `draft` is null when nothing is written; `isWhole` is false when a
 *   card is too large to be kept
 */
export function readKept(forms, kind) {
  const text = forms.find("text")?.draft;
  const body = text?.body ?? "";
  const form = kind === "text" ? null : forms.find(kind);
  const data = form?.isWritten ? JSON.stringify(form.draft) : null;
  const isWhole = !data || new TextEncoder().encode(data).length <= MOST_BYTES;
  const card = data && isWhole ? { kind, draft: JSON.parse(data) } : null;
  const files = (text?.attachments ?? []).filter((entry) => entry.attachment)
    .map(({ id, name, size, type, attachment }) => ({ id, name, size, type, attachment }));
  if (!body.trim() && !card && !files.length) return { draft: null, isWhole };
  const draft = { kind: card ? kind : "text", body, card };
  return { draft: files.length ? { ...draft, files, areFilesLast: !text.attachmentsFirst } : draft, isWhole };
}

/**
 * Puts a kept draft back; null empties the text. A file that is on its way stays.
 * @param {import("./form-cache.js").FormCache} forms
 * @param {KeptDraft|null} kept
 */
export function restoreKept(forms, kept) {
  const text = forms.require("text");
  const known = text.draft?.attachments ?? [];
  const files = (kept?.files ?? []).map((file) => known.find((entry) => entry.id === file.id)
    ?? { ...file, isKept: true, share: 1, preview: null, problem: null });
  text.setDraft({
    ...text.blankDraft(), body: kept?.body ?? "", attachments: [...files, ...known.filter((entry) => !entry.attachment)],
    ...files.length ? { attachmentsFirst: !kept?.areFilesLast } : {},
  });
  text.findKept?.();
  if (!kept?.card) return;
  const form = forms.require(kept.card.kind);
  form.setDraft({ ...form.blankDraft(), ...kept.card.draft });
}
