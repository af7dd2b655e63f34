/**
 * What a form said before it was first used, or when it was last saved; how to read what it says; whether it goes along to another business.
 * @type {WeakMap<HTMLFormElement, {before: string|null, read: () => string, isCarried: boolean}>}
 */
const followed = new WeakMap();

/**
 * Follows whether a form has changes that are not saved.
 * @param {HTMLFormElement} form
 * @param {{written?: () => string, isCarried?: boolean}} [options] `written`: what would be saved, where the fields alone do not say it; `isCarried`:
 *   what is typed stays when another business is chosen
 */
export function followChanges(form, { written, isCarried = false } = {}) {
  const state = { before: null, read: written ?? (() => valuesOf(form)), isCarried };
  followed.set(form, state);
  const begin = () => { state.before ??= state.read(); };
  // A form is filled until it is used.
  for (const type of ["focusin", "pointerdown"]) form.addEventListener(type, begin, { capture: true });
  addEventListener("beforeunload", warn);
}

/** What a form says now is saved. @param {HTMLFormElement} form */
export function keepAsSaved(form) {
  const state = followed.get(form);
  if (state && state.before !== null) state.before = state.read();
}

/** Whether a part of the page has a form with changes that are not saved. @param {Element|null} place @param {{isBusiness?: boolean}} [options] `isBusiness`: that would be lost with another business */
export function hasUnsaved(place, { isBusiness = false } = {}) {
  return [...place?.querySelectorAll("form") ?? []].some((form) => isChanged(form) && !(isBusiness && followed.get(form).isCarried));
}

/** What is in a part of the page may be lost. @param {Element} place */
export function forgetUnsaved(place) {
  for (const form of place.querySelectorAll("form")) if (followed.has(form)) followed.get(form).before = null;
}

/** What is being saved is not lost. @param {HTMLFormElement} form */
function isChanged(form) {
  const state = followed.get(form);
  return Boolean(state) && state.before !== null && !form.querySelector("[type=submit][aria-disabled=true]") && state.read() !== state.before;
}

/** @param {HTMLFormElement} form */
function valuesOf(form) {
  return JSON.stringify([...form.elements].map((one) => {
    if (["checkbox", "radio"].includes(one.type)) return one.checked;
    return [one.value, one.dataset?.choice && one.getAttribute("aria-pressed")];
  }));
}

/** The browser asks before it leaves the page. @param {BeforeUnloadEvent} event */
function warn(event) {
  if (hasUnsaved(document.querySelector(".settings"))) event.preventDefault();
}
