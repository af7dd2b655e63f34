/** Sizes as people read them, in the channel's decimal units. */

/** @param {number} bytes */
export function formatBytes(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** How many bytes, for a text that counts. */
export function countedBytes(count) {
  return { count, size: count.toLocaleString() };
}
