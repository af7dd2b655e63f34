/**
 * Reads `<epoch>-<position>`.
 * @param {string|null|undefined} id
 * @returns {{epoch: string, position: bigint}|null}
 */
export function readEventID(id) {
  const match = /^(.+)-(\d{1,20})$/.exec(id ?? "");
  return match ? { epoch: match[1], position: BigInt(match[2]) } : null;
}

/**
 * Whether `id` is newer than `seen`, so that a reader does not know it yet. Another epoch
 * is another log, so everything in it is news.
 * @param {string} id
 * @param {string|null|undefined} seen
 */
export function isNews(id, seen) {
  const left = readEventID(id);
  const right = readEventID(seen);
  if (!left || !right || left.epoch !== right.epoch) return true;
  return left.position > right.position;
}
