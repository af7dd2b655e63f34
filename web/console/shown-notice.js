import { registerWorker } from "../lib/worker-registration.js";

/** The worker of the console's notifications: it shows those that a page cannot show, and those that are pushed. */
export const NOTICE_WORKER = Object.freeze({ address: "/web/console/notice-worker.js", scope: "/web/console/" });
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
  // Phones draw no SVG in a notification.
  const options = { body, tag: conversation, icon: "/web/phone/icon-192.png", silent: true };
  let shown;
  try {
    shown = new Notification(title, options);
  } catch {
    return void (await findWorker())?.showNotification(title, { ...options, data: { conversation } });
  }
  onScreen.set(conversation, shown);
  shown.addEventListener("close", () => { if (onScreen.get(conversation) === shown) onScreen.delete(conversation); });
  shown.addEventListener("click", () => {
    focus();
    shown.close();
    go(conversation);
  });
}

/** Closes this page's own notification of a conversation, where there is one. @param {string} conversation */
export function closeOwnNotice(conversation) {
  onScreen.get(conversation)?.close();
}

/** Closes the notification of a conversation, by whatever it is shown. @param {string} conversation */
export async function closeNotice(conversation) {
  closeOwnNotice(conversation);
  const registration = await navigator.serviceWorker?.getRegistration(NOTICE_WORKER.scope);
  for (const one of await registration?.getNotifications({ tag: conversation }) ?? []) one.close();
}

let registered;

/** The registration of the worker once it can show something; nothing where the browser has none. */
function findWorker() {
  registered ??= registerWorker(NOTICE_WORKER).catch(() => {
    registered = undefined;  // Safe: the number on the icon is there, and the next notice tries again.
  });
  return registered;
}
