/**
 * Files that wait while a customer of a widget signs in: the frame that they were chosen in ends then, and the next one
 * of the same tab adds them to its own field. They are kept until that tab has sent them, or the customer has removed
 * them. Only the browser has them, for the frame's own site.
 */
const STORE = "files";
/** How long a file that was uploaded is waited for: a server that hangs must not keep a customer from signing in. */
const READ_MILLISECONDS = 2000;
/** How long files are kept for a tab that does not come back for them. */
const HELD_MILLISECONDS = 86_400_000;

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("fd.files", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Does something in one transaction. @template T @param {(store: IDBObjectStore) => IDBRequest<T>} work @returns {Promise<T>} */
async function change(work) {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, "readwrite");
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/**
 * The files that a frame has not sent: those in its field, and those of its waiting messages, which belong to the former
 * conversation and are read from there. What cannot be read is left out.
 * @param {File[]} chosen
 * @param {readonly import("./outbox.js").OutboxItem[]} items
 * @param {(id: string) => Promise<Blob>} read
 * @returns {Promise<File[]>}
 */
export async function unsentFiles(chosen, items, read) {
  const named = items.flatMap(({ body, preview }) => (body?.attachments ? preview?.attachments ?? [] : []));
  const found = await Promise.all(named.map(async ({ id, name, mimeType }) => {
    try {
      return new File([await read(id)], name, { type: mimeType });
    } catch {
      return null;  // Safe: the words of the message are kept all the same.
    }
  }));
  return [...found.filter(Boolean), ...chosen];
}

/** A file that was uploaded. @param {string} address @returns {Promise<Blob>} */
export async function readFile(address) {
  const response = await fetch(address, { signal: AbortSignal.timeout(READ_MILLISECONDS) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.blob();
}

/**
 * Keeps files for the next frame, instead of those that were kept before under the same key.
 * @param {string} key the place of the frame, a dot, and the name of the tab that has them: no other one writes there
 * @param {File[]} files none removes the key
 */
export async function holdFiles(key, files) {
  try {
    await change((store) => (files.length > 0 ? store.put({ files, at: Date.now() }, key) : store.delete(key)));
  } catch {
    // Safe: a browser that keeps nothing, or has no room.
  }
}

/** The files that were kept; they stay kept until their tab holds others or none. @param {string} key @returns {Promise<File[]>} */
export async function readHeldFiles(key) {
  try {
    return (await change((store) => store.get(key)))?.files ?? [];
  } catch {
    return [];  // Safe: as above.
  }
}

/**
 * Removes files of a business's frames that no tab comes back for: of other places than those named, and those that
 * were kept for more than a day. Files of other tabs in these places stay.
 * @param {string} start with which the keys of the business begin
 * @param {string[]} kept the places whose files stay
 */
export async function forgetFiles(start, kept) {
  const first = Date.now() - HELD_MILLISECONDS;
  try {
    await change((store) => {
      const request = store.openCursor(IDBKeyRange.bound(start, `${start}\uffff`));
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return;
        const isKept = kept.some((place) => String(cursor.key).startsWith(`${place}.`)) && cursor.value?.at > first;
        if (!isKept) cursor.delete();
        cursor.continue();
      };
      return request;
    });
  } catch {
    // Safe: as above.
  }
}
