/** Which events the pages of this browser notified of. A transaction of its database decides which page is the first. */

/** An event of longer ago is notified by no page, in milliseconds. */
const KEPT_MILLISECONDS = 3_600_000;

let opening = null;

/**
 * Whether this page is the first of the browser to notify of an event. Where the browser keeps nothing, each page is.
 * @param {string} event its id
 * @returns {Promise<boolean>}
 */
export async function claimNotice(event) {
  try {
    opening ??= open();
    return await add(await opening, event);
  } catch {
    // Safe: without a database each page notifies.
    return true;
  }
}

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("fd.notices", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("claims").createIndex("at", "");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @param {IDBDatabase} database @param {string} event */
function add(database, event) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction("claims", "readwrite");
    const claims = transaction.objectStore("claims");
    let isFirst = false;
    claims.count(event).onsuccess = ({ target }) => {
      isFirst = target.result === 0;
      if (!isFirst) return;
      claims.put(Date.now(), event);
      claims.index("at").openKeyCursor(IDBKeyRange.upperBound(Date.now() - KEPT_MILLISECONDS)).onsuccess = forget(claims);
    };
    transaction.oncomplete = () => resolve(isFirst);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Removes what a cursor over old claims finds. @param {IDBObjectStore} claims */
const forget = (claims) => ({ target }) => {
  if (!target.result) return;
  claims.delete(target.result.primaryKey);
  target.result.continue();
};
