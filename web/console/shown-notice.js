const WORKER = "/web/console/notice-worker.js";
/** The page's own notifications on screen, by conversation. @type {Map<string, Notification>} */
const onScreen = new Map();

/**
 * Shows a notification, which leads to its conversation. A desktop shows the page's own; a phone shows only a worker's, which is
 * there when the page is not any more.
 * @param {string} title
 * @param {{body: string, conversation: string}} about
 * @param {(conversation: string) => void} go
 */
export async function showNotice(title, { body, conversation }, go) {
  const options = { body, tag: conversation, icon: "/web/lib/icon.svg", silent: true };
  let shown;
  try {
    shown = new Notification(title, options);
  } catch {
    return void (await byWorker(go))?.showNotification(title, { ...options, data: { conversation } });
  }
  onScreen.set(conversation, shown);
  shown.addEventListener("close", () => { if (onScreen.get(conversation) === shown) onScreen.delete(conversation); });
  shown.addEventListener("click", () => {
    focus();
    shown.close();
    go(conversation);
  });
}

/** Closes the notification of a conversation, where there is one. @param {string} conversation */
export async function closeNotice(conversation) {
  onScreen.get(conversation)?.close();
  const registration = await navigator.serviceWorker?.getRegistration(WORKER);
  for (const one of await registration?.getNotifications({ tag: conversation }) ?? []) one.close();
}

let registered;
/** Where a press on a worker's notification leads; the last page that asked for one. */
let follow;

/** The registration of the worker once it can show something; nothing where the browser has none. @param {(conversation: string) => void} go */
function byWorker(go) {
  follow = go;
  registered ??= register().catch(() => {
    registered = undefined;  // Safe: the number on the icon is there, and the next notice tries again.
  });
  return registered;
}

async function register() {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.register(trusted(WORKER));
  serviceWorker.addEventListener("message", ({ data }) => follow(data.conversation));
  serviceWorker.startMessages();
  const coming = registration.installing ?? registration.waiting;
  if (!registration.active && coming) {
    await new Promise((resolve) => {
      coming.addEventListener("statechange", () => { if (coming.state !== "installed" && coming.state !== "activating") resolve(undefined); });
    });
  }
  return registration;
}

/** An address of a script of our own, as browsers want it that check what becomes a script. @param {string} address */
function trusted(address) {
  const { trustedTypes } = /** @type {any} */ (globalThis);
  return trustedTypes ? trustedTypes.createPolicy("notices", { createScriptURL: (one) => one }).createScriptURL(address) : address;
}
