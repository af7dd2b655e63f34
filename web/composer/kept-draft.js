/** What is written in a composer, as data that can be kept elsewhere and put back. */

/** Cards whose data is longer than this, in bytes, are not kept: they have pictures in them. */
const MOST_BYTES = 40_000;

/**
 * @typedef {{id: string, name: string, size: number, type: string, attachment: any}} KeptFile stored on the server
 * @typedef {{kind: string, body: string, card: {kind: string, draft: any}|null, files?: KeptFile[],
 *   areFilesLast?: boolean}} KeptDraft
 */

/** The kind of the card that is kept: the open one, else the newest that waits behind it; undefined where none is written. */
const kindToKeep = (forms, kind) => [kind, ...forms.kinds].find((one) => one !== "text" && forms.find(one)?.isWritten);

/**
 * The text with its files, and the card of the open kind, or one that was put aside for what is open; files on their way are not in it.
 * @param {Pick<import("./form-cache.js").FormCache, "find"|"kinds">} forms
 * @param {string} kind that is open
 * @returns {{draft: KeptDraft|null, isWhole: boolean}} `draft` is null when nothing is written; `isWhole` is false when a
 *   card is too large to be kept
 */
export function readKept(forms, kind) {
  const text = forms.find("text")?.draft;
  const body = text?.body ?? "";
  const shown = kindToKeep(forms, kind);
  const data = shown ? JSON.stringify(forms.find(shown).draft) : null;
  const isWhole = !data || new TextEncoder().encode(data).length <= MOST_BYTES;
  const card = data && isWhole ? { kind: shown, draft: JSON.parse(data) } : null;
  const files = (text?.attachments ?? []).filter((entry) => entry.attachment)
    .map(({ id, name, size, type, attachment }) => ({ id, name, size, type, attachment }));
  if (!body.trim() && !card && !files.length) return { draft: null, isWhole };
  const draft = { kind: card?.kind === kind ? kind : "text", body, card };
  return { draft: files.length ? { ...draft, files, areFilesLast: !text.attachmentsFirst } : draft, isWhole };
}

/** Whether something is written that can be kept nowhere yet: a file that is on its way. @param {Pick<import("./form-cache.js").FormCache, "find">} forms */
export const hasComing = (forms) => (forms.find("text")?.draft?.attachments ?? []).some((entry) => !entry.attachment && !entry.problem);

/** What of a draft is the message of a kind: the text with its files, or the card. @param {KeptDraft|null} kept @param {string} kind @returns {KeptDraft|null} */
export function partOfKind(kept, kind) {
  if (kept?.kind !== kind) return null;
  return kind === "text" ? { ...kept, card: null } : { kind, body: "", card: kept.card };
}

/**
 * Puts a kept draft back; null empties the text, and the card that was kept until now. A file that is on its way stays.
 * @param {import("./form-cache.js").FormCache} forms
 * @param {KeptDraft|null} kept
 * @param {string} [kind] that is open
 */
export function restoreKept(forms, kept, kind = "text") {
  // One that was not kept stays: it is nowhere else.
  const before = readKept(forms, kind).draft?.card;
  if (before && before.kind !== kept?.card?.kind) forms.require(before.kind).setDraft(null);
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
