import { t } from "../lib/i18n.js";
import { confirmAction } from "./panel-parts.js";
import { forgetUnsaved, hasUnsaved } from "./unsaved-forms.js";

/**
 * Whether a part of the page may be left: changes that are not saved are lost after a question alone.
 * @param {Element} place
 * @param {{isBusiness?: boolean}} [options] as for `hasUnsaved`
 * @returns {Promise<boolean>}
 */
export async function mayLeave(place, options) {
  if (!hasUnsaved(place, options)) return true;
  const isLeft = await confirmAction(t("console.unsaved"), t("console.unsaved.leave"));
  if (isLeft) forgetUnsaved(place);
  return isLeft;
}

/** Goes on from a part of the page: at once where nothing is lost, for the next key may be pressed already. @param {Element} place @param {() => Promise<void>} go */
export function leave(place, go) {
  return hasUnsaved(place) ? mayLeave(place).then((isLeft) => isLeft ? go() : undefined) : go();
}

/** After a step back of the browser: the page stays where changes are not saved, until it may go. @param {Element} place @param {string} address of what is shown @param {() => void} follow */
export async function stepBack(place, address, follow) {
  if (!hasUnsaved(place)) return follow();
  history.pushState(null, "", address);
  if (await mayLeave(place)) history.back();
}
