/**
 * Building the page out of nodes. Text only ever becomes text: nothing here reads markup, so the
 * page keeps working under `require-trusted-types-for 'script'`.
 */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node|string|number|null|undefined|false|Child[]} Child */

/**
 * Makes an element. In `props`, `onName` functions become listeners, `style` and `dataset` are
 * objects, a key with a leading dot is a property, `true` an empty attribute, and `null`,
 * `undefined` or `false` leaves the attribute out (write aria states as "true" and "false").
 * @param {string} tag
 * @param {Record<string, any>|null} [props]
 * @param {...Child} children
 * @returns {HTMLElement & Record<string, any>}
 */
export function h(tag, props, ...children) {
  return build(document.createElement(tag), props, children);
}

/**
 * The same as `h` for drawings.
 * @param {string} tag
 * @param {Record<string, any>|null} [props]
 * @param {...Child} children
 * @returns {any}
 */
export function svg(tag, props, ...children) {
  return build(document.createElementNS(SVG, tag), props, children);
}

/**
 * Puts these children in the place of those the node has.
 * @param {Element|DocumentFragment|ShadowRoot} node
 * @param {...Child} children
 */
export function replace(node, ...children) {
  node.replaceChildren(...flat(children));
  return node;
}

/**
 * Makes a shared style sheet from text of our own code, never of a message.
 * @param {string} text
 */
export function sheet(text) {
  const result = new CSSStyleSheet();
  result.replaceSync(text);
  return result;
}

/**
 * Adds a shared style sheet to the page, once.
 * @param {CSSStyleSheet} styles
 */
export function adopt(styles) {
  if (!document.adoptedStyleSheets.includes(styles)) document.adoptedStyleSheets = [...document.adoptedStyleSheets, styles];
}

/**
 * Runs `work` once per animation frame, however often the result is called.
 * @param {() => void} work
 */
export function oncePerFrame(work) {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      work();
    });
  };
}

function build(node, props, children) {
  for (const [key, value] of Object.entries(props ?? {})) set(node, key, value);
  node.append(...flat(children));
  return node;
}

function set(node, key, value) {
  if (key.startsWith("on") && typeof value === "function") {
    node.addEventListener(key.slice(2).toLowerCase(), value);
  } else if (key.startsWith(".")) {
    node[key.slice(1)] = value;
  } else if (value === null || value === undefined || value === false) {
    return;
  } else if (key === "style") {
    for (const [name, text] of Object.entries(value)) {
      if (text !== null && text !== undefined) node.style.setProperty(name, String(text));
    }
  } else if (key === "dataset") {
    for (const [name, text] of Object.entries(value)) node.dataset[name] = String(text);
  } else if (key === "value" && "value" in node && !("ownerSVGElement" in node)) {
    node.value = value;
  } else {
    node.setAttribute(key, value === true ? "" : String(value));
  }
}

function flat(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}
