"""Browsers that can be notified by Web Push, and those that cannot.

Chromium without windows permits no notifications and has no push service: permission, the subscription and the browser's
own notification are stand-ins; the workers, their registration and what reaches them are the browser's.
"""

import json

# A browser that is asked once, and subscribes at Google's service; `ANSWER` is what its person says.
BROWSER = """
  window.asked = 0;
  window.Notification = class {
    static get permission() { return localStorage.getItem("permission") ?? "default"; }
    static async requestPermission() {
      window.asked += 1;
      localStorage.setItem("permission", ANSWER);
      return ANSWER;
    }
  };
  const plain = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
  const subscription = (options) => ({
    endpoint: "https://fcm.googleapis.com/fcm/send/test", options,
    getKey: (name) => plain(name === "auth" ? "BTBZMqHH6r4Tts7J/aSIgg=="
      : "BCVxsr7N/eNgVRqvHtD0zTZsEc6+VV+JvLexhqUzORcxaOzi6+AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4="),
    unsubscribe: async () => { localStorage.removeItem("subscribed"); return true; },
  });
  PushManager.prototype.subscribe = async (options) => {
    localStorage.setItem("subscribed", [...options.applicationServerKey].join());
    return PushManager.prototype.getSubscription();
  };
  PushManager.prototype.getSubscription = async () => {
    const key = localStorage.getItem("subscribed");
    return key ? subscription({ applicationServerKey: Uint8Array.from(key.split(",")).buffer }) : null;
  };
"""

# A browser that cannot subscribe; and Safari on a phone, outside of the home screen.
NO_PUSH = "delete window.PushManager;"
ON_AN_IPHONE = """
  Object.defineProperty(navigator, "standalone", { value: false });
  Object.defineProperty(navigator, "userAgent", { value: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)" });
"""

# What a worker shows, kept instead.
SHOWN = """() => {
  globalThis.shown = [];
  ServiceWorkerRegistration.prototype.showNotification = async (title, options) => { shown.push({ title, ...options }); };
}"""

# Another key of the installation, as far as the browser knows.
ANOTHER_KEY = "localStorage.setItem('subscribed', localStorage.getItem('subscribed').replace(/^4/, '5'))"


def pusher(desk, page, scope):
    """What has a push service deliver data to the worker of a scope."""
    devtools = page.context.new_cdp_session(page)
    known = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: known.extend(event["registrations"]))
    devtools.send("ServiceWorker.enable")
    page.wait_for_timeout(200)
    [registration] = {one["registrationId"] for one in known if one["scopeURL"] == scope and not one["isDeleted"]}

    def push(data):
        devtools.send("ServiceWorker.deliverPushMessage", {
            "origin": desk.server.url, "registrationId": registration, "data": json.dumps(data)})
    return push


def shown_by(worker, count):
    """What a worker has shown, once it is so much."""
    worker.evaluate("""(count) => new Promise((resolve) => {
        const look = () => (shown.length >= count ? resolve() : setTimeout(look, 20));
        look();
    })""", count)
    return worker.evaluate("shown")
