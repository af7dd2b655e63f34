import { api } from "../lib/api.js";
import { t } from "../lib/i18n.js";

/**
 * Finds out why the line to the server does not come back: where the session has ended, elsewhere or by itself, the page would wait for ever.
 * @param {EventTarget} live
 * @param {() => void} onEnd
 * @param {AbortSignal} signal
 */
export function watchSession(live, onEnd, signal) {
  live.addEventListener("failed", async () => {
    const problem = await api.get("/api/session").then(() => null, (refusal) => refusal);
    if (problem?.status === 401 && !signal.aborted) onEnd();
  }, { signal });
}

/** The session has ended, elsewhere or by itself: the sign-in is shown, and says so. @param {HTMLElement} workspace */
export function endSession(workspace) {
  if (workspace.isConnected) workspace.dispatchEvent(new CustomEvent("signed-out", { bubbles: true, detail: { problem: t("console.sessionEnded") } }));
}
