import { t } from "./i18n.js";
import { showToast } from "./toast.js";

/**
 * Loads a part of the page's script that is loaded when it is first needed. Where the server does not answer, the page says
 * so, and the press that asked for it can be repeated.
 * @template T
 * @param {() => Promise<T>} load
 * @returns {Promise<T|null>} null where it did not come
 */
export async function loadPart(load) {
  try {
    return await load();
  } catch {
    showToast(t("shared.notLoaded"));  // Safe: the reader knows, and asks again.
    return null;
  }
}
