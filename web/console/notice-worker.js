/**
 * The worker of the console's notifications: of those that a page cannot show by itself, as on phones, and of those that are
 * pushed while no console is in use. What is pushed says why and of which business; the words are asked for with the agent's
 * own session, so that no push service has them. It sees no request.
 * @type {any}
 */
const worker = self;

/** A page answers within this time whether the agent learns of an event by it, in milliseconds. */
const ANSWER_MILLISECONDS = 300;
/** The server has so long to answer with the words, in milliseconds. */
const READ_MILLISECONDS = 5_000;
/** Another node of the server may have an event a moment later: it is asked for so often, so far apart. */
const READS = 3;
const READ_PAUSE_MILLISECONDS = 300;

/** The texts, which a worker cannot load: those of `web/i18n` under `console.notice` and `shared`, and what only the worker says. */
const TEXTS = {
  en: {
    assigned: "Assigned to you", mine: "New message", unassigned: "A customer waits, without an assignee", mention: "You were mentioned in a note",
    handed: "The assignment changed", moved: "The team changed", closed: "Closed", reopened: "Open again", renamed: "The customer was renamed",
    participants: "The participants changed", several: "There is news in several conversations", other: "There is news",
    test: "Notifications reach this device.", customer: "Customer {tail}",
  },
  ja: {
    assigned: "あなたの担当になりました", mine: "新しいメッセージ", unassigned: "担当者のいないお客様がお待ちです", mention: "メモであなた宛ての連絡があります",
    handed: "担当が変わりました", moved: "チームが変わりました", closed: "クローズされました", reopened: "再び開きました", renamed: "お客様の名前が変わりました",
    participants: "参加者が変わりました", several: "複数の会話に動きがありました", other: "動きがありました",
    test: "この端末に通知が届きます。", customer: "お客様 {tail}",
  },
};

/** The page registers the worker with its language. */
const LANGUAGE = new URL(worker.location).searchParams.get("language") === "ja" ? "ja" : "en";

worker.addEventListener("push", (event) => event.waitUntil(notify(event.data)));

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.conversation));
});

worker.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribe(event)));

/**
 * Shows what was pushed, each time: a browser that is pushed something and shows nothing says so itself, or ends the subscription.
 * Where an open page has the agent learn of it, this stands in the place of the page's own notification, and makes no sound.
 * @param {any} data
 */
async function notify(data) {
  const { reason, business, conversation, event, isSilent = false } = data.json();
  const isHeard = reason !== "test" && await isOnPage(conversation);
  if (event) await claim(event).catch(() => {});  // Safe: a page may notify of it too, in the place of this.
  const words = event ? await read(event, conversation).catch(() => null) : null;  // Safe: without the words it is said why.
  const texts = TEXTS[LANGUAGE];
  await worker.registration.showNotification(words?.name || business || "Frontdesk", {
    body: [texts[reason] ?? texts.other, words?.text].filter(Boolean).join("\n"), tag: conversation ?? reason, renotify: !isHeard,
    silent: isSilent || isHeard,
    icon: "/web/phone/icon-192.png", lang: LANGUAGE, data: { conversation },
  });
}

/** Whether a page has the agent learn of news in a conversation; one that does not answer, as a frozen one, has not. @param {string} [conversation] */
async function isOnPage(conversation) {
  const answers = (await consoles()).map((page) => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data === true);
    setTimeout(() => resolve(false), ANSWER_MILLISECONDS);
    page.postMessage({ conversation }, [port2]);
  }));
  return (await Promise.all(answers)).includes(true);
}

/** Has pages that come to know of an event later not notify of it: what `notice-claims.js` does, which cannot be loaded here. @param {string} event */
function claim(event) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("fd.notices", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("claims").createIndex("at", "");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction("claims", "readwrite");
      transaction.objectStore("claims").put(Date.now(), event);
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    };
  });
}

/** The customer's name and the words of an event; null where the session does not have it. @param {string} event @param {string} conversation */
async function read(event, conversation) {
  const [, epoch, position] = /^(.+)-(\d+)$/.exec(event);
  const query = new URLSearchParams({ after: `${epoch}-${BigInt(position) - 1n}`, limit: "1" });
  let found;
  for (let reads = 1; !found; reads += 1) {
    [found] = (await ask(`/api/events?${query}`)).data;
    if (reads === READS) break;
    if (!found) await new Promise((resolve) => { setTimeout(resolve, READ_PAUSE_MILLISECONDS); });
  }
  if (found?.id !== event) return null;
  const { message, note, contact, ...others } = found.data;
  const known = others.conversationState ?? others.conversation ?? (contact ? { contact }
    : await ask(`/api/conversations/${conversation}`).catch(() => ({})));  // Safe: the name of the business stands there.
  const isEmptied = message?.erasedAt || note?.deletedAt;
  return { name: nameOf({ ...known, contact: contact ?? known.contact }), text: isEmptied ? "" : message?.summary ?? note?.text };
}

/** A request without a person: the agent's session does not last longer by it. */
const UNATTENDED = { "X-Unattended": "1" };

/** What the server answers to the agent's session. @param {string} path */
async function ask(path) {
  const answer = await fetch(path, { headers: { Accept: "application/json", ...UNATTENDED }, signal: AbortSignal.timeout(READ_MILLISECONDS) });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}

/** A name as a line shows it, without marks that turn words around. @param {string|null} [name] */
const oneLine = (name) => (name ?? "").replace(/[\n\r\t\u2028\u2029]+/g, " ").replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "").trim();

/** What a customer is called, as `lib/names.js` has it; one who was erased has no name. @param {any} conversation */
function nameOf({ customer, contact }) {
  const name = oneLine(contact?.name) || oneLine(customer?.name);
  if (name || !customer || customer.erased) return name;
  return TEXTS[LANGUAGE].customer.replace("{tail}", customer.id.replace(/[^A-Za-z0-9]/g, "").slice(-4).toUpperCase());
}

/** Shows a conversation in a console that is open, or in a new one. @param {string} [conversation] none where several are meant */
async function open(conversation) {
  const [page] = await consoles();
  if (!page) return worker.clients.openWindow(conversation ? `/console/c/${conversation}` : "/console");
  if (conversation) page.postMessage({ conversation });
  return page.focus();
}

/** The open consoles, the one that was used last first. */
async function consoles() {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  return pages.filter((page) => /^\/console(\/|$)/.test(new URL(page.url).pathname));
}

/** The browser gave up a subscription by itself: the server is notified of the next one. @param {any} event */
async function subscribe(event) {
  const options = event.oldSubscription?.options;
  const next = event.newSubscription ?? (options && await worker.registration.pushManager.subscribe(options));
  if (!next) return;
  const { endpoint, keys } = next.toJSON();
  await fetch("/api/session/push", {
    method: "PUT", headers: { "Content-Type": "application/json", ...UNATTENDED },
    body: JSON.stringify({ endpoint, point: keys.p256dh, secret: keys.auth, zone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
  });
}
