import { language } from "./i18n.js";

/** @typedef {{address: string, scope: string}} WorkerPlace a worker's script, and the addresses that it is for */

/**
 * Registers a worker, which has the page's language in its own address; fulfilled once it can act.
 * @param {WorkerPlace} place
 * @returns {Promise<ServiceWorkerRegistration>}
 */
export async function registerWorker({ address, scope }) {
  const registration = await navigator.serviceWorker.register(trusted(`${address}?language=${language()}`), { scope });
  const coming = registration.active ? null : registration.installing ?? registration.waiting;
  if (coming) {
    await new Promise((resolve) => {
      coming.addEventListener("statechange", () => ["activated", "redundant"].includes(coming.state) && resolve(undefined));
    });
  }
  return registration;
}

let policy;

/** An address of a script of our own, as browsers want it that check what becomes a script. @param {string} address */
function trusted(address) {
  const { trustedTypes } = /** @type {any} */ (globalThis);
  policy ??= trustedTypes?.createPolicy("workers", { createScriptURL: (one) => one });
  return policy ? policy.createScriptURL(address) : address;
}
