/** Places what floats beside the text: above everything, within the window. */

const gap = 4;
const margin = 8;

/**
 * Shows a popover below a place, or above it where there is more room.
 * @param {HTMLElement} element with the attribute `popover`
 * @param {{left: number, top: number, bottom: number, lowest?: number}} place in the window; what is below `lowest` stays
 *   free to be pressed
 */
export function showBeside(element, place) {
  if (!element.matches(":popover-open")) element.showPopover();
  const { style } = element;
  style.setProperty("max-height", "");
  const below = Math.min(innerHeight, place.lowest ?? innerHeight) - place.bottom - gap - margin;
  const above = place.top - gap - margin;
  const { width, height } = element.getBoundingClientRect();
  const isBelow = height <= below || below >= above;
  style.setProperty("max-height", `${Math.max(80, isBelow ? below : above)}px`);
  const shown = Math.min(height, Math.max(80, isBelow ? below : above));
  style.setProperty("top", `${isBelow ? place.bottom + gap : place.top - gap - shown}px`);
  style.setProperty("left", `${Math.max(margin, Math.min(place.left, innerWidth - width - margin))}px`);
}

/** Removes it; does nothing when it is not there. */
export function hideBeside(element) {
  if (element.matches(":popover-open")) element.hidePopover();
}
