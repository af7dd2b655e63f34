import { api } from "../lib/api.js";
import { t } from "../lib/i18n.js";
import { loadPart } from "../lib/late-part.js";
import { refusalSentence } from "../lib/refusals.js";
import { showToast } from "../lib/toast.js";
import { may } from "./permissions.js";

/**
 * Erases the content of a message once its reader has confirmed; null where the reader may not. The event of it empties the thread.
 * @param {any} business
 * @returns {((message: any) => Promise<void>)|null}
 */
export function eraserIn(business) {
  return may(business, "messages.erase") ? erase : null;
}

async function erase({ conversation, id }) {
  const parts = await loadPart(() => import("./panel-parts.js"));
  if (!await parts?.confirmAction(t("thread.eraseQuestion"), t("thread.eraseNow"))) return;
  try {
    await api.delete(`/api/conversations/${conversation}/messages/${encodeURIComponent(id)}`);
    showToast(t("thread.erasedNow"));
  } catch (problem) {
    showToast(refusalSentence(problem));
  }
}
