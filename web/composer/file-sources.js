/** Where the files of a message come from; the library itself is loaded when it is opened. */
import { loadPart } from "../lib/late-part.js";

/** Whether the person here may use a library. @param {any} business */
export function hasLibrary(business) {
  return business?.permissions?.includes("library.add") ?? false;
}

/**
 * Lets the person choose between the computer and the library; without a library the computer is asked at once.
 * @param {HTMLElement} button
 * @param {{business: any, apiBase: string}} place
 * @param {() => void} browse
 * @param {(files: import("./library.js").StoredFile[]) => void} add
 */
export async function openFileSources(button, place, browse, add) {
  if (!hasLibrary(place.business)) return browse();
  const parts = await loadPart(() => Promise.all([import("./library.js"), import("./library-picker.js")]));
  if (!parts) return;
  const [{ openSources }, { openLibrary }] = parts;
  openSources(button, { browse, openLibrary: () => openLibrary(button, { ...place, choose: ({ file }) => add([file]) }) });
}

/**
 * The files that a text names by links of this server; null where one is elsewhere.
 * @param {any} payload
 * @returns {import("./library.js").StoredFile[]|null}
 */
export function storedFiles(payload) {
  const files = (payload.attachments ?? []).map((attachment) => {
    const [, id] = /\/api\/attachments\/([0-9a-f]{64})$/.exec(attachment.url ?? "") ?? [];
    return id ? { id, name: attachment.name ?? "", mimeType: attachment.mimeType ?? "", size: Number(attachment.size) || 0, attachment } : null;
  });
  return files.includes(null) ? null : files;
}
