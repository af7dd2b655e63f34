/** Brings the composer's sheets into whatever root an element sits in, page or shadow. */
import { sheet } from "../lib/dom.js";
import { composerStyles } from "./composer-styles.js";
import { formStyles } from "./form-styles.js";
import { jsonStyles } from "./json-styles.js";

const sheets = [composerStyles, formStyles, jsonStyles].map(sheet);

/** @param {HTMLElement} element that is connected @param {CSSStyleSheet[]} [wanted] the composer's unless stated */
export function adoptStyles(element, wanted = sheets) {
  const root = /** @type {Document|ShadowRoot} */ (element.getRootNode());
  const missing = wanted.filter((one) => !root.adoptedStyleSheets.includes(one));
  if (missing.length) root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...missing];
}

/** The element in focus, seen from the root an element sits in. */
export function focusedIn(element) {
  return /** @type {Document|ShadowRoot} */ (element.getRootNode()).activeElement ?? null;
}
