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
    // Safe: the older way below follows.
  }
  const before = deepestFocus();
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.className = "fd-hidden-text";
  // Outside an open dialog everything is inert, and inert text cannot be selected.
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
