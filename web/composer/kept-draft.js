/** What is written in a composer, as data that can be kept elsewhere and put back. */
import { freshIDs } from "./message-ids.js";

/** Cards whose data is longer than this together, in bytes, are not all kept: they have pictures in them. */
const MOST_BYTES = 40_000;

/**
 * @typedef {{id: string, name: string, size: number, type: string, attachment: any}} KeptFile stored on the server
 * @typedef {import("./message-ids.js").MessageIDs} MessageIDs
 * @typedef {{kind: string, draft: any, ids?: MessageIDs}} KeptCard
 * @typedef {{kind: string, body: string, card: KeptCard|null, behind?: KeptCard[], ids?: MessageIDs, files?: KeptFile[],
 *   areFilesLast?: boolean}} KeptDraft `ids`: those of the text; `behind`: cards that were put aside before `card`, the last first
 */

/** The written cards: the open one, then those that wait behind it, the last opened first. @returns {{cards: KeptCard[], isWhole: boolean}} */
function readCards(forms, kind) {
  const written = [kind, ...forms.kinds.filter((one) => one !== kind)].filter((one) => one !== "text" && forms.find(one)?.isWritten);
  let room = MOST_BYTES;
  const cards = written.flatMap((one) => {
    const { draft, ids } = forms.find(one);
    const data = JSON.stringify({ kind: one, draft, ids });
    const length = new TextEncoder().encode(data).length;
    if (length > room) return [];
    room -= length;
    return [JSON.parse(data)];
  });
  return { cards, isWhole: cards.length === written.length };
}

/**
 * The text with its files, and the cards: that of the open kind, and those that were put aside; files on their way are not in it.
 * @param {Pick<import("./form-cache.js").FormCache, "find"|"kinds">} forms
 * @param {string} kind that is open
 * @returns {{draft: KeptDraft|null, isWhole: boolean}} `draft` is null when nothing is written; `isWhole` is false when a
 *   card is too large to be kept
 */
export function readKept(forms, kind) {
  const text = forms.find("text");
  const body = text?.draft?.body ?? "";
  const { cards: [card = null, ...behind], isWhole } = readCards(forms, kind);
  const files = (text?.draft?.attachments ?? []).filter((entry) => entry.attachment)
    .map(({ id, name, size, type, attachment }) => ({ id, name, size, type, attachment }));
  const isText = Boolean(body.trim() || files.length);
  if (!isText && !card) return { draft: null, isWhole };
  return { draft: {
    kind: card?.kind === kind ? kind : "text", body, card,
    ...behind.length ? { behind } : {}, ...isText && text.ids ? { ids: text.ids } : {},
    ...files.length ? { files, areFilesLast: !text.draft.attachmentsFirst } : {},
  }, isWhole };
}

/** Whether something is written that can be kept nowhere yet: a file that is on its way. @param {Pick<import("./form-cache.js").FormCache, "find">} forms */
export const hasComing = (forms) => (forms.find("text")?.draft?.attachments ?? []).some((entry) => !entry.attachment && !entry.problem);

/** What of a draft is the message of a kind, to be put back as another one: the text with its files, or the card. @param {KeptDraft|null} kept @param {string} kind @returns {KeptDraft|null} */
export function partOfKind(kept, kind) {
  if (kept?.kind !== kind) return null;
  const { behind, ids, ...text } = kept;
  return kind === "text" ? { ...text, card: null } : { kind, body: "", card: { kind, draft: kept.card.draft } };
}

/**
 * Puts a kept draft back; null empties the text, and the cards that were kept until now. A file that is on its way stays.
 * @param {import("./form-cache.js").FormCache} forms
 * @param {KeptDraft|null} kept
 * @param {string} [kind] that is open
 */
export function restoreKept(forms, kept, kind = "text") {
  const cards = kept?.card ? [kept.card, ...kept.behind ?? []] : [];
  // One that was not kept stays: it is nowhere else.
  for (const before of readCards(forms, kind).cards) {
    if (!cards.some((card) => card.kind === before.kind)) putInto(forms.require(before.kind), null);
  }
  const text = forms.require("text");
  const known = text.draft?.attachments ?? [];
  const files = (kept?.files ?? []).map((file) => known.find((entry) => entry.id === file.id)
    ?? { ...file, isKept: true, share: 1, preview: null, problem: null });
  putInto(text, {
    ...text.blankDraft(), body: kept?.body ?? "", attachments: [...files, ...known.filter((entry) => !entry.attachment)],
    ...files.length ? { attachmentsFirst: !kept?.areFilesLast } : {},
  }, kept?.ids);
  text.findKept?.();
  for (const card of cards.reverse()) {
    const form = forms.open(card.kind);
    putInto(form, { ...form.blankDraft(), ...card.draft }, card.ids);
  }
}

/** What has no ids of its own is another message than the one before. */
function putInto(form, draft, ids = freshIDs()) {
  form.ids = ids;
  form.setDraft(draft);
}
