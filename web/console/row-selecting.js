/** How long a finger rests on a row to select it, in milliseconds, and how far it may move meanwhile, in pixels. */
const PRESS_MILLISECONDS = 450;
const SLIP = 10;

/**
 * Selecting rows: by the box at a row, by a press with Shift, by a long press of a finger, by the arrow keys with Shift.
 * While rows are selected, a tap of a finger selects too.
 * @param {HTMLElement} list the list of rows; a row is an element with `data-key` that has a link
 * @param {import("./selection.js").Selection} selection
 * @param {() => string[]} order the ids of all rows as the list shows them
 * @param {(id: string) => void} focus brings a row into view and focuses it
 */
export function selectRows(list, selection, order, focus) {
  let pressed = null;
  let isHeld = false;
  const idOf = (node) => node.closest?.("[data-key]")?.dataset.key ?? null;
  const release = () => {
    clearTimeout(pressed?.timer);
    pressed = null;
  };
  list.addEventListener("pointerdown", (event) => {
    release();
    isHeld = false;
    const id = idOf(event.target);
    if (event.pointerType !== "touch" || !id) return;
    pressed = { x: event.clientX, y: event.clientY, timer: setTimeout(() => {
      isHeld = true;
      selection.toggle(id);
    }, PRESS_MILLISECONDS) };
  });
  list.addEventListener("pointermove", (event) => {
    if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > SLIP) release();
  });
  for (const name of ["pointerup", "pointercancel"]) list.addEventListener(name, release);
  // A long press would open the browser's menu of the link.
  list.addEventListener("contextmenu", (event) => { if (isHeld || pressed) event.preventDefault(); });
  list.addEventListener("click", (event) => {
    const id = idOf(event.target);
    if (!id) return;
    const isBox = event.target.closest("[role=checkbox]");
    const isTap = event.pointerType === "touch" && selection.size > 0;
    if (!isBox && !isHeld && !event.shiftKey && !isTap) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isHeld) isHeld = false;
    else if (event.shiftKey) selection.extend(order(), id);
    else selection.toggle(id);
  }, { capture: true });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const id = idOf(event.target);
    if (!step || !id || event.metaKey || event.ctrlKey || event.altKey) return;
    const all = order();
    const next = all[all.indexOf(id) + step];
    event.preventDefault();
    if (!next) return;
    if (event.shiftKey) selection.step(id, next);
    focus(next);
  });
}
