/**
 * Shows a part of a page of settings that the address names behind its `#`, once the part is drawn.
 * @param {HTMLElement} part
 * @param {string} name
 */
export function showNamedPart(part, name) {
  if (location.hash !== `#${name}`) return;
  // What stands above it has been drawn, and the page has been put to its top, by the next frame.
  requestAnimationFrame(() => requestAnimationFrame(() => part.scrollIntoView()));
}
