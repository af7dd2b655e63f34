/**
 * Giving the focus back to a control that a redraw has replaced meanwhile, as one does that a menu was opened from: to the
 * control that stands in its place now, else to what is around it.
 */

const CONTROLS = "a[href], button, input, select, textarea";

/** Where a control stood. @type {WeakMap<Element, {row: string, kind: string, around: {node: Element, index: number}[]}>} */
const places = new WeakMap();

/** Keeps where a control stands, while it still does. @param {Element} control */
export function rememberPlace(control) {
  const [row, kind] = [rowOf(control), kindOf(control)];
  const alike = alikeIn(/** @type {Document|ShadowRoot} */ (control.getRootNode()), row, kind);
  const around = [];
  for (let node = parentOf(control); node; node = parentOf(node)) {
    around.push({ node, index: alike.filter((one) => node.contains(one)).indexOf(control) });
  }
  places.set(control, { row, kind, around });
}

/**
 * The control itself, or the one that was put in its place: of the same row and kind, with the same name, else the one that
 * is as far down among those.
 * @param {HTMLElement} control
 * @returns {HTMLElement|null} null where there is none
 */
export function successorOf(control) {
  if (control.isConnected) return control;
  const { row, kind, around } = places.get(control) ?? { around: [] };
  const nearest = around.find(({ node }) => node.isConnected);
  if (!nearest) return null;
  const alike = alikeIn(nearest.node, row, kind);
  const named = alike.filter((one) => nameOf(one) === nameOf(control));
  if (named.length === 1) return named[0];
  // Where all of the page is another, its buttons have nothing to do with this one.
  return nearest.node === document.body ? null : alike[nearest.index] ?? null;
}

/** Focuses the control, its successor, or the nearest part of the page around it that can have the focus. @param {HTMLElement} control */
export function focusAgain(control) {
  const around = places.get(control)?.around.map(({ node }) => node) ?? [];
  for (const node of [successorOf(control), ...around]) {
    // One that is hidden, disabled, removed, or no control refuses the focus.
    node?.focus({ preventScroll: node !== control });
    if (node?.isConnected && /** @type {Document|ShadowRoot} */ (node.getRootNode()).activeElement === node) return;
  }
}

/** Draws a part of the page anew; a focus in it returns as after a popup. @param {Element} part @param {() => void} draw */
export function drawKeepingFocus(part, draw) {
  const root = /** @type {Document|ShadowRoot} */ (part.getRootNode());
  const focused = part.contains(root.activeElement) ? /** @type {HTMLElement} */ (root.activeElement) : null;
  if (focused) rememberPlace(focused);
  draw();
  // What was drawn may have put the focus in itself.
  if (focused && !part.contains(root.activeElement)) focusAgain(focused);
}

/** Controls of one kind in one row. */
function alikeIn(part, row, kind) {
  return [...part.querySelectorAll(CONTROLS)].filter((one) => kindOf(one) === kind && rowOf(one) === row);
}

/** Around a shadow tree stands the element it belongs to. */
function parentOf(node) {
  const parent = node.parentNode;
  return parent instanceof Element ? parent : parent?.host ?? null;
}

/** The row of a list or table that a control is in; classes and states of the row may change. */
function rowOf(control) {
  const { dataset } = control.closest("li") ?? control.closest("tr") ?? {};
  return dataset?.key ?? JSON.stringify(dataset ?? {});
}

/** What does not change with the state of a control; one that removes something is no successor of another. */
function kindOf(control) {
  const names = (control.getAttribute("class") ?? "").split(" ").filter((name) => !name.startsWith("is-") || name === "is-danger");
  return [control.localName, control.getAttribute("type"), ...names].join(" ");
}

function nameOf(control) {
  return [control.id, control.getAttribute("name"), JSON.stringify(control.dataset), control.getAttribute("aria-label")].join(" ");
}
