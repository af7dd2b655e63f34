/**
 * Copies text; works without a secure context too, where there is no clipboard API.
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
  const before = deepestFocus();
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.className = "fd-hidden-text";
  // Outside an open dialog everything is inert, and what is inert cannot be selected.
  (before?.closest("dialog") ?? document.body).append(area);
  area.select();
  const worked = document.execCommand("copy");
  area.remove();
  before?.focus?.();
  return worked;
}

function deepestFocus() {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node;
}
