import { onLanguageChange } from "../lib/i18n.js";
import { registerWorker } from "../lib/worker-registration.js";

/** The worker of a business's page, for that page alone. @param {string} business @returns {import("../lib/worker-registration.js").WorkerPlace} */
export const workerOf = (business) => ({ address: "/web/phone/push-worker.js", scope: `/b/${encodeURIComponent(business)}` });

/** Has the browser keep the page with the files that it has loaded, so that it opens without a connection. @param {string} business */
export async function keepPage(business) {
  if (!globalThis.isSecureContext || !navigator.serviceWorker || window.top !== window) return;
  const keep = async () => {
    const { active } = await registerWorker(workerOf(business));
    const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name))
      .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/web/~"));
    active?.postMessage({ files: [...new Set(loaded.map(({ pathname }) => pathname))] });
  };
  // Without the texts of its language the page would not open.
  onLanguageChange(() => keep().catch(() => {}));  // Safe: kept at the next opening.
  await keep();
}
