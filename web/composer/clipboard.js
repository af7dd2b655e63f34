/** Copies text; works without a secure context, where there is no clipboard API. */

/**
 * @param {string} text
 * @returns {Promise<boolean>} whether it worked
 */
export async function copyText(text) {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Safe: the older way below is tried.
  }
  const before = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.className = "fd-hidden-text";
  document.body.append(area);
  area.select();
  const worked = document.execCommand("copy");
  area.remove();
  before?.focus?.();
  return worked;
}
