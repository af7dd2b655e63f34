/** The fields of a form of which nothing can be sent now, or which is being sent. */
const held = new WeakSet();

/**
 * Has the fields of a form read only, or no longer so. What is in them can be read, selected and copied, and the focus stays
 * where it is, which it does not in a field that is disabled or inert.
 * @param {Element} form
 * @param {boolean} isHeld
 */
export function hold(form, isHeld) {
  if (!isHeld && !held.delete(form)) return;
  if (isHeld) held.add(form);
  for (const one of form.querySelectorAll("input, textarea")) one.readOnly = isHeld;
  for (const one of form.querySelectorAll("option")) one.disabled = isHeld && !one.selected;
  for (const type of ["click", "paste"]) form[isHeld ? "addEventListener" : "removeEventListener"](type, stop, true);
}

/** What would change a field that cannot be read only: a check box, a button. */
function stop(event) {
  if (!event.target.closest("button, input, label, textarea")) return;
  event.preventDefault();
  event.stopPropagation();
}
