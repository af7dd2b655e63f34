/**
 * The worker of the customer's page. It notifies of an answer while no page is open: what is pushed says in which conversation and by
 * whom; the words are asked for with the customer's own session, so that no push service has them. And it opens the page without a
 * connection, from files that the page named (`kept-page.js`). No answer of the API passes it.
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

/** Where the page and its files are kept. */
const KEPT = `fd.page.${PAGE}`;
/** How long the server is waited for before the page is opened as it was kept. */
const ANSWER_MILLISECONDS = 3000;
/** Most files that are kept. */
const MOST_FILES = 200;

// A worker of before would keep this one waiting as long as a page is open.
worker.addEventListener("install", () => worker.skipWaiting());

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== new URL(worker.location).origin) return;
  // In a frame, as console and sandbox have it, the page is the server's.
  if (request.mode === "navigate" && request.destination === "document" && pathname === PAGE) event.respondWith(openPage(request));
  else if (pathname.startsWith("/web/~")) event.respondWith(openFile(request));
});

worker.addEventListener("message", (event) => {
  const { files } = event.data ?? {};
  if (Array.isArray(files)) event.waitUntil(keep(files).catch(() => {}));  // Safe: the next opening keeps it; there may be no room.
});

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

/** The page as the server sends it; as it was kept where no answer comes in time, or that of a proxy. @param {Request} request */
async function openPage(request) {
  const answer = fetch(request);
  const late = new Promise((resolve) => setTimeout(resolve, ANSWER_MILLISECONDS));
  const first = await Promise.race([answer, late]).catch(() => null);  // Safe: without a page that was kept the browser says why.
  if (first && first.status < 500) return first;
  return await kept(PAGE) ?? first ?? answer;
}

/** A file whose address names its content. @param {Request} request */
async function openFile(request) {
  return await kept(request.url) ?? fetch(request);
}

/** @param {string} address @returns {Promise<Response|undefined>} */
async function kept(address) {
  return (await caches.open(KEPT)).match(address, { ignoreVary: true }).catch(() => undefined);  // Safe: the server has it.
}

/**
 * Keeps the page with what it was made of, once all of it is there, and removes what earlier versions were made of.
 * @param {any[]} files the paths of the files that an open page has loaded
 */
async function keep(files) {
  const page = await fetch(PAGE, { cache: "no-store" });
  if (!page.ok || page.redirected) return;
  const named = [...(await page.clone().text()).matchAll(/"(\/web\/~[^"]+)"/g)].map(([, path]) => path);
  const folder = named[0]?.match(/^\/web\/~[^/]+\//)[0];
  // Of another version than the server's by now: the next opening keeps that one.
  if (!folder || files.length > MOST_FILES || !files.every((path) => String(path).startsWith(folder))) return;
  const cache = await caches.open(KEPT);
  for (const path of new Set([...named, ...files])) {
    if (await cache.match(path, { ignoreVary: true })) continue;
    const answer = await fetch(path);
    // A node of another version sends its own file, which is not for good.
    if (!answer.ok || !answer.headers.get("Cache-Control")?.includes("immutable")) return;
    await cache.put(path, answer);
  }
  await cache.put(PAGE, page);
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (pathname !== PAGE && !pathname.startsWith(folder)) await cache.delete(url);
  }
}
