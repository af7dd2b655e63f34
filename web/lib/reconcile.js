/**
 * Redrawing without removing nodes: a press that began before the redraw still hits its
 * target, the focus stays, and a screen reader announces only differences. For markup without
 * listeners of its own; the list around it listens for presses.
 */

/**
 * Makes a node look like a fresh one and keeps as many of its nodes as possible.
 * @param {Element} known
 * @param {Element} fresh
 */
export function reconcile(known, fresh) {
  if (known.isEqualNode(fresh)) return;
  for (const { name } of [...known.attributes]) if (!fresh.hasAttribute(name)) known.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (known.getAttribute(name) === value) continue;
    // The page's policy allows no attribute of styles, only their properties.
    if (name === "style") known.style.cssText = value;
    else known.setAttribute(name, value);
  }
  const before = [...known.childNodes];
  const after = [...fresh.childNodes];
  const isAlike = before.length === after.length
    && before.every((node, index) => node.nodeName === after[index].nodeName);
  if (!isAlike) {
    known.replaceChildren(...after);
    return;
  }
  before.forEach((node, index) => {
    if (node instanceof Element) reconcile(node, after[index]);
    else if (node.nodeValue !== after[index].nodeValue) node.nodeValue = after[index].nodeValue;
  });
}

/**
 * Puts fresh rows in the place of those a list has; a row with the same `data-key` stays the node
 * it was, moved only if its place is another.
 * @param {Element} list
 * @param {HTMLElement[]} fresh
 */
export function reconcileRows(list, fresh) {
  const focused = /** @type {Document|ShadowRoot} */ (list.getRootNode()).activeElement;
  const known = new Map([...list.children].map((row) => [row.dataset.key, row]));
  const rows = fresh.map((row) => {
    const same = known.get(row.dataset.key);
    if (same) reconcile(same, row);
    return same ?? row;
  });
  const wanted = new Set(rows);
  for (const child of [...list.children]) if (!wanted.has(child)) child.remove();
  rows.forEach((row, index) => {
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
  });
  if (focused && list.contains(focused) && !focused.matches(":focus")) focused.focus({ preventScroll: true });
}

/**
 * Puts children in the place of those a node has. The focus stays on the control in the same place of the same row (an
 * `li` that names in its `data-` what it shows), wherever the row is then; so does what is typed and not yet sent.
 * @param {Element} node
 * @param {Element[]} children
 */
export function replaceKeepingFocus(node, children) {
  const root = /** @type {Document|ShadowRoot} */ (node.getRootNode());
  const before = controlsOf(node);
  const focused = before.find((one) => one.control === root.activeElement);
  const typed = before.filter(({ control }) => isTyped(control));
  node.replaceChildren(...children);
  if (!focused && !typed.length) return;
  const after = controlsOf(node);
  const again = ({ row, place }) => after.find((one) => one.row === row && one.place === place)?.control;
  for (const one of typed) {
    const field = again(one);
    if (field?.nodeName === one.control.nodeName) field.value = one.control.value;
  }
  if (focused) (again(focused) ?? after[before.indexOf(focused)]?.control)?.focus({ preventScroll: true });
}

/** The controls of a part of the page, each with its row and its place there. */
function controlsOf(node) {
  const counts = new Map();
  return [...node.querySelectorAll("a[href], button, input, select, textarea")].map((control) => {
    const row = JSON.stringify(control.closest("li")?.dataset ?? {});
    const place = counts.get(row) ?? 0;
    counts.set(row, place + 1);
    return { control, row, place };
  });
}

/** Whether a field holds what was typed and is not yet sent. */
export function isTyped(control) {
  return (control instanceof HTMLTextAreaElement || (control instanceof HTMLInputElement && control.type === "text"))
    && control.value !== control.defaultValue;
}
