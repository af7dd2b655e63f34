/** The library of a business: files that are kept to be sent again, and whether the person here may use it. */
import { exchange, upload } from "../lib/api.js";
import { registerStrings, t } from "../lib/i18n.js";
import { openMenu } from "../lib/popup.js";
import { refusalSentence } from "../lib/refusals.js";
import { icon } from "./icons.js";

await registerStrings({ en: () => import("../i18n/en/library.js"), ja: () => import("../i18n/ja/library.js") });

/**
 * @typedef {{id: string, name: string, mimeType: string, size: number, attachment: any}} StoredFile as the server answers an upload
 * @typedef {{id: string, business: string, name: string, width: number|null, height: number|null, by: any, addedAt: string,
 *   file: StoredFile}} LibraryFile
 * @typedef {{business: any, apiBase?: string}} Place
 */

/** The address of a business's library. @param {Place} place */
export function libraryPath({ business, apiBase = "" }) {
  return `${apiBase}/api/businesses/${encodeURIComponent(business.id)}/library`;
}

/** Where the bytes of a file of a library are read. @param {Place} place @param {LibraryFile} entry */
export function addressOf({ business, apiBase = "" }, { file }) {
  return `${apiBase}/api/attachments/${file.id}?business=${encodeURIComponent(business.id)}`;
}

/**
 * Keeps a stored file in the library.
 * @param {Place} place
 * @param {{id: string, name?: string, conversation?: string|null}} file
 * @returns {Promise<{isKept: boolean, words: string}>} the sentence that says so: one that is there already is said to be
 */
export async function keepInLibrary(place, { id, name, conversation = null }) {
  try {
    const { entry, isNew } = await addToLibrary(place, { attachment: id, name: name || null, conversation });
    return { isKept: true, words: t(isNew ? "library.kept" : "library.known", { name: entry.name }) };
  } catch (problem) {
    return { isKept: false, words: refusalSentence(problem) };
  }
}

/**
 * Keeps a picture that is read under an address of this server.
 * @param {Place} place
 * @param {{url: string, name: string}} picture
 * @param {string} conversation that has it
 * @returns {Promise<string>} what came of it
 */
export async function keepPicture(place, { url, name }, conversation) {
  const [, id = ""] = /\/attachments\/([0-9a-f]{64})/.exec(url) ?? [];
  return (await keepInLibrary(place, { id, name, conversation })).words;
}

/**
 * Keeps stored files in the library without a word.
 * @param {Place} place @param {{id: string, name: string}[]} files @param {string} [conversation] that has them
 */
export async function keepAll(place, files, conversation) {
  for (const { id, name } of files) await addToLibrary(place, { attachment: id, name: name || null, conversation: conversation ?? null });
}

/**
 * Uploads a file into the library.
 * @param {Place} place
 * @param {File} file
 * @param {(share: number) => void} [onProgress]
 * @returns {Promise<{entry: LibraryFile, isNew: boolean}>}
 */
export async function uploadToLibrary(place, file, onProgress) {
  const { business, apiBase = "" } = place;
  const stored = await upload(`${apiBase}/api/attachments`, file, { query: { business: business.id, name: file.name }, onProgress });
  return addToLibrary(place, { attachment: stored.id, name: stored.name, conversation: null });
}

/** Adds a stored file; 201 says that its bytes were not in the library. */
async function addToLibrary(place, body) {
  const { status, data } = await exchange("POST", libraryPath(place), { body });
  return { entry: data, isNew: status === 201 };
}

/**
 * Where a file comes from: from the computer, or from the library.
 * @param {HTMLElement} anchor
 * @param {{browse: () => void, openLibrary: () => void}} ways
 */
export function openSources(anchor, { browse, openLibrary }) {
  openMenu(anchor, [
    { text: t("library.fromComputer"), icon: icon("attach"), run: browse },
    { text: t("library.from"), icon: icon("library"), run: openLibrary },
  ], { label: t("composer.text.attach"), side: "above" });
}
