/** What is cut for want of room says all of itself under the pointer. */

/** So far around what is pointed at something may be cut. */
const STEPS = 3;

/** The elements whose title is of here: it goes again once there is room. @type {WeakSet<HTMLElement>} */
const titled = new WeakSet();

/** Names what is cut, wherever the pointer comes to it. @param {Document} page */
export function nameCutWords(page) {
  page.addEventListener("pointerover", ({ target }) => {
    let element = target instanceof HTMLElement ? target : null;
    for (let step = 0; element && step < STEPS; step += 1) {
      show(element);
      element = element.parentElement;
    }
  });
}

/** @param {HTMLElement} element */
function show(element) {
  if (titled.has(element)) {
    titled.delete(element);
    element.removeAttribute("title");
  }
  if (element.scrollWidth <= element.clientWidth || getComputedStyle(element).textOverflow !== "ellipsis" || element.closest("[title]")) return;
  titled.add(element);
  element.title = (element.textContent ?? "").trim();
}
