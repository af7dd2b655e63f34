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
 * Puts children in the place of those a node has; the focus stays on the control in the same place.
 * @param {Element} node
 * @param {Element[]} children
 */
export function replaceKeepingFocus(node, children) {
  const controls = () => [...node.querySelectorAll("a[href], button, input, select, textarea")];
  const root = /** @type {Document|ShadowRoot} */ (node.getRootNode());
  const place = controls().indexOf(root.activeElement);
  node.replaceChildren(...children);
  if (place >= 0) controls()[place]?.focus({ preventScroll: true });
}
