import { t } from "../lib/i18n.js";
import { confirmAction } from "./panel-parts.js";

/** What each form said before it was first used, or when it was last saved. @type {WeakMap<HTMLFormElement, string>} */
const before = new WeakMap();

/**
 * Follows the forms of a page, as `savingForm` makes them: whether they have changes that are not saved.
 * @param {HTMLElement} page
 * @returns {{leave: (go: () => Promise<void>) => Promise<void>, stepBack: (address: string, follow: () => Promise<void>) => Promise<void>}} how the page is
 *   left; `address`: of what is shown, for a step back of the browser has changed it already
 */
export function followForms(page) {
  // A form is filled until it is used.
  for (const type of ["focusin", "pointerdown"]) page.addEventListener(type, ({ target }) => begin(target.closest("form")), { capture: true });
  page.addEventListener("form-saved", ({ target }) => { if (before.has(target)) before.set(target, written(target)); });
  addEventListener("beforeunload", warn);
  return {
    // At once where nothing is lost: the next key may be pressed already.
    leave: (go) => hasUnsaved(page) ? mayLeave(page).then((isLeft) => isLeft ? go() : undefined) : go(),
    stepBack: async (address, follow) => {
      if (!hasUnsaved(page)) return follow();
      history.pushState(null, "", address);
      if (await mayLeave(page)) history.back();
    },
  };
}

/** Whether a part of the page has a form with changes that are not saved. @param {Element} place @param {{isBusiness?: boolean}} [options] `isBusiness`: that would be lost with another business */
export function hasUnsaved(place, { isBusiness = false } = {}) {
  return [...place.querySelectorAll("form")].some((form) => isChanged(form) && !(isBusiness && form.leaving.isCarried));
}

/**
 * Whether a part of the page may be left: changes that are not saved are lost after a question alone.
 * @param {Element} place
 * @param {{isBusiness?: boolean}} [options] as for `hasUnsaved`
 * @returns {Promise<boolean>}
 */
export async function mayLeave(place, options) {
  if (!hasUnsaved(place, options)) return true;
  const isLeft = await confirmAction(t("console.unsaved"), t("console.unsaved.leave"));
  if (isLeft) for (const form of place.querySelectorAll("form")) before.delete(form);
  return isLeft;
}

/** @param {any} form */
function begin(form) {
  if (form?.leaving && !before.has(form)) before.set(form, written(form));
}

/** What is being saved is not lost. @param {HTMLFormElement} form */
function isChanged(form) {
  return before.has(form) && !form.querySelector("[type=submit][aria-disabled=true]") && written(form) !== before.get(form);
}

/** @param {any} form */
function written(form) {
  return form.leaving.written?.() ?? JSON.stringify([...form.elements].map((one) => {
    if (["checkbox", "radio"].includes(one.type)) return one.checked;
    return [one.value, one.dataset?.choice && one.getAttribute("aria-pressed")];
  }));
}

/** The browser asks before it leaves the page. @param {BeforeUnloadEvent} event */
function warn(event) {
  const page = document.querySelector(".settings");
  if (page && hasUnsaved(page)) event.preventDefault();
}
