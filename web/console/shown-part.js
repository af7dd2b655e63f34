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

/** Where there is one column, what was chosen stands below all the choices, and is brought into view. @param {HTMLElement} nav @param {HTMLElement} main */
export function showChosen(nav, main) {
  if (main.offsetTop > nav.offsetTop) main.scrollIntoView({ block: "start" });
}
