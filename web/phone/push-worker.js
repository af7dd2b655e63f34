/**
 * The worker that notifies a customer of an answer while no page is open. What is pushed says in which conversation and by whom;
 * the words are asked for with the customer's own session, so that no push service has them. It sees no request.
 * @type {any}
 */
const worker = self;

/** What is said where the words cannot be had; the page registers the worker with its language. */
const NEW_MESSAGE = {
  en: (name) => `New message from ${name}`,
  ja: (name) => `${name}からの新しいメッセージ`,
};

/** The path of the customer's page, `/b/BUSINESS`, which is what the worker is registered for. */
const PAGE = new URL(worker.registration.scope).pathname;
const BASE = PAGE.replace(/^\/b\//, "/api/phone/");

worker.addEventListener("push", (event) => event.waitUntil(notify(event.data)));

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open());
});

worker.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribe(event)));

/** Shows a notification of a message, unless the customer sees the conversation. @param {any} data */
async function notify(data) {
  const { conversation, business, sequence } = data.json();
  if ((await pages()).some((page) => page.visibilityState === "visible")) return;
  const message = await read(sequence).catch(() => null);  // Safe: without the words it is said that there is a message.
  if (message?.erasedAt) return;
  const language = new URL(worker.location).searchParams.get("language") === "ja" ? "ja" : "en";
  const body = message?.summary || NEW_MESSAGE[language](business);
  await worker.registration.showNotification(business, {
    body, tag: conversation, renotify: true, icon: "/web/phone/icon-192.png", lang: language, data: { conversation },
  });
}

/** A message by its number; null where the session has none. @param {number} sequence */
async function read(sequence) {
  const query = new URLSearchParams({ "page[after]": String(sequence - 1), "page[size]": "1" });
  const answer = await fetch(`${BASE}/messages?${query}`);
  if (!answer.ok) return null;
  const [message] = (await answer.json()).data;
  return message?.sequence === sequence ? message : null;
}

/** Shows the page that is open, or opens one. */
async function open() {
  const [page] = await pages();
  return page ? page.focus() : worker.clients.openWindow(PAGE);
}

/** The open pages of the business. */
async function pages() {
  const all = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  return all.filter((page) => new URL(page.url).pathname === PAGE);
}

/** The browser gave up a subscription by itself: the server is notified of the next one. @param {any} event */
async function subscribe(event) {
  const options = event.oldSubscription?.options;
  const next = event.newSubscription ?? (options && await worker.registration.pushManager.subscribe(options));
  if (!next) return;
  const { endpoint, keys } = next.toJSON();
  await fetch(`${BASE}/push`, {
    method: "PUT", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ endpoint, point: keys.p256dh, secret: keys.auth }),
  });
}
