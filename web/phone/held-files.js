/**
 * Files that wait while a customer of a widget signs in: the frame that they were chosen in ends then, and the next one
 * adds them to its own field. Only the browser has them, for the frame's own site.
 */
const STORE = "files";
/** How long a file that was uploaded is waited for: a server that hangs must not keep a customer from signing in. */
const READ_MILLISECONDS = 2000;

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

/** Keeps files for the next frame, instead of those that were kept before. @param {string} key @param {File[]} files */
export async function holdFiles(key, files) {
  try {
    await change((store) => (files.length > 0 ? store.put(files, key) : store.delete(key)));
  } catch {
    // Safe: a browser that keeps nothing, or has no room.
  }
}

/** The files that were kept, which are kept no more. @param {string} key @returns {Promise<File[]>} */
export async function releaseFiles(key) {
  try {
    const files = await change((store) => {
      const request = store.get(key);
      // In the same transaction: of two tabs that ask at once, one gets them.
      request.onsuccess = () => store.delete(key);
      return request;
    });
    return files ?? [];
  } catch {
    return [];  // Safe: as above.
  }
}

/** Removes the files of all places whose key begins with a text. @param {string} start */
export async function forgetFiles(start) {
  try {
    await change((store) => store.delete(IDBKeyRange.bound(start, `${start}\uffff`)));
  } catch {
    // Safe: as above.
  }
}
