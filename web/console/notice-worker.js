/**
 * The worker of notifications that a page cannot make by itself: phones show only those of a worker. It sees no request.
 * @type {any}
 */
const worker = self;

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.conversation));
});

/** Shows a conversation in a console that is open, or in a new one. @param {string} conversation */
async function open(conversation) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const console = pages.find((page) => /^\/console(\/|$)/.test(new URL(page.url).pathname));
  if (!console) return worker.clients.openWindow(`/console/c/${conversation}`);
  console.postMessage({ conversation });
  return console.focus();
}
