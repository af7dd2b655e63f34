import { replace } from "./dom.js";

/**
 * Redrawing without removing nodes: a press that began before the redraw still hits its
 * target, the focus stays, and a screen reader announces only differences. For markup without
 * listeners of its own; the list around it listens for presses.
 */

/**
 * Makes a node look like a fresh one and keeps as many of its nodes as possible: all where only texts and attributes are
 * others, else those that name in their `data-` what they show.
 * @param {Element} known
 * @param {Element} fresh
 */
export function reconcile(known, fresh) {
  if (known.isEqualNode(fresh)) return;
  for (const { name } of [...known.attributes]) if (!fresh.hasAttribute(name) && !isOfPopup(known, name)) known.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (known.getAttribute(name) === value || isOfPopup(known, name)) continue;
    // The page's policy allows no attribute of styles, only their properties.
    if (name === "style") known.style.cssText = value;
    else known.setAttribute(name, value);
  }
  reconcileChildren(known, fresh);
}

/** Whether a popup that hangs on the node sets the attribute; a redraw does not know whether it is open. */
function isOfPopup(node, name) {
  return name === "aria-expanded" && node.hasAttribute("aria-haspopup");
}

/**
 * Puts children in the place of those a control has, such as the icon and the words of a button: a press of one of them is
 * none of the control when that child is removed.
 * @param {Element} control
 * @param {...import("./dom.js").Child} children
 */
export function redraw(control, ...children) {
  reconcileChildren(control, replace(document.createElement("div"), children));
}

function reconcileChildren(known, fresh) {
  const before = [...known.childNodes];
  const after = [...fresh.childNodes];
  const isAlike = before.length === after.length
    && before.every((node, index) => node.nodeName === after[index].nodeName);
  if (!isAlike) {
    const named = new Map(before.filter(nameOf).map((node) => [nameOf(node), node]));
    placeNodes(known, after.map((node) => {
      const same = named.get(nameOf(node));
      if (!same) return node;
      named.delete(nameOf(node));
      reconcile(same, node);
      return same;
    }));
    return;
  }
  before.forEach((node, index) => {
    if (node instanceof Element) reconcile(node, after[index]);
    else if (node.nodeValue !== after[index].nodeValue) node.nodeValue = after[index].nodeValue;
  });
}

/** What a node shows, by its `data-` or those of what it begins with; empty for nothing that is named. */
function nameOf(node) {
  if (!(node instanceof Element)) return "";
  const own = { ...node.dataset };
  const said = Object.keys(own).length ? JSON.stringify(own) : node.firstElementChild ? nameOf(node.firstElementChild) : "";
  return said && `${node.nodeName} ${said}`;
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
  placeNodes(list, rows);
  if (focused && list.contains(focused) && !focused.matches(":focus")) focused.focus({ preventScroll: true });
}

/**
 * Puts the nodes in this order and touches only those that are not in place.
 * @param {Element} list
 * @param {ChildNode[]} nodes
 */
export function placeNodes(list, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...list.childNodes]) if (!wanted.has(child)) child.remove();
  nodes.forEach((node, index) => {
    if (list.childNodes[index] !== node) list.insertBefore(node, list.childNodes[index] ?? null);
  });
}

/**
 * Puts children in the place of those a node has. The focus stays on the control of the same name, or in the same place, of
 * the same row (an `li` that names in its `data-` what it shows), wherever the row is then; so does what is typed and not yet sent.
 * @param {Element} node
 * @param {() => import("./dom.js").Child[]} make makes the children; nodes that stay the same move with their focus
 */
export function replaceKeepingFocus(node, make) {
  const root = /** @type {Document|ShadowRoot} */ (node.getRootNode());
  const before = controlsOf(node);
  const focused = before.find((one) => one.control === root.activeElement);
  const typed = before.filter(({ control }) => isTyped(control)).map((one) => ({ ...one, value: one.control.value }));
  const known = new Set(before.map(({ control }) => control));
  replace(node, make());
  const after = controlsOf(node);
  // What a field is drawn with is nothing that was typed.
  for (const { control } of after) if (!known.has(control)) settle(control);
  // A node that stays the same lost the focus too, and may be in another place now.
  const again = ({ control, row, name, place }) => (node.contains(control) ? control
    : after.find((one) => one.row === row && one.name === name && one.place === place)?.control);
  for (const one of typed) {
    const field = again(one);
    if (field?.nodeName === one.control.nodeName) field.value = one.value;
  }
  // What was drawn may have put the focus in itself.
  if (focused && !node.contains(root.activeElement)) (again(focused) ?? after[before.indexOf(focused)]?.control)?.focus({ preventScroll: true });
}

/** The controls of a part of the page, each with its row, its name, and its place among those of the same name. */
function controlsOf(node) {
  const counts = new Map();
  return [...node.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")].map((control) => {
    const row = JSON.stringify(control.closest("li")?.dataset ?? {});
    const name = control.id || (control.name ? `${control.name} ${CHOICES.has(control.type) ? control.value : ""}` : "");
    const key = `${row} ${name}`;
    const place = counts.get(key) ?? 0;
    counts.set(key, place + 1);
    return { control, row, name, place };
  });
}

/** Several of these have one name. */
const CHOICES = new Set(["checkbox", "radio"]);
/** The types of an input whose value is typed, or set like a typed one. */
const TYPED = new Set(["text", "number", "date", "time", "url", "email", "tel", "range"]);

/** Whether a field holds what was typed and is not yet sent. */
export function isTyped(control) {
  return (control instanceof HTMLTextAreaElement || (control instanceof HTMLInputElement && TYPED.has(control.type)))
    && control.value !== control.defaultValue;
}

/** What a field holds counts as its own from now on. */
export function settle(field) {
  if (isTyped(field)) field.defaultValue = field.value;
}
