"""Browsers that can be notified by Web Push, and those that cannot.

Chromium without windows permits no notifications and has no push service: permission, the subscription and the browser's
own notification are stand-ins; the workers, their registration and what reaches them are the browser's.
"""

import json

from pages import member
from playwright.sync_api import expect
from support.words import Words

PUSH = "/api/session/push"
SETTINGS = "/console/settings/me"

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


class Desktop:
    """An agent's console in a browser that can be notified, at an address that browsers trust without TLS.

    The business is the test's own: what happens in others is pushed to no browser of its members.
    """

    def __init__(self, desk, name, language="en", answer="granted", script=BROWSER, path=SETTINGS, **look):
        self.desk, self.words = desk, Words(language)
        self.business = desk.owner.post("/api/businesses", {"name": f"{name}'s shop", "colour": "#2f7d5b"}, expect=201)
        self.agent = self.new_member(name)
        self.page = desk.page(language=language, **look)
        self.page.add_init_script(script.replace("ANSWER", json.dumps(answer)))
        self.puts = []
        self.page.on("request", lambda one: self.puts.append(one.url) if one.method == "PUT" and one.url.endswith(PUSH) else None)
        self.sign_in(self.agent)
        self.open(path)

    def new_member(self, name):
        """An agent of the business."""
        return member(self.desk, name, business=self.business["id"])

    def sign_in(self, agent):
        """From now on the browser has the session of an agent."""
        self.page.context.add_cookies([
            {"name": one.name, "value": one.value, "url": self.desk.server.url, "httpOnly": True, "sameSite": "Strict"}
            for one in agent.cookies])

    def open(self, path):
        """Goes to a page of the console."""
        self.page.goto(self.desk.server.url + path)
        expect(self.page.locator(".line-mark[data-state=live]")).to_be_attached()

    @property
    def box(self):
        """The mark in the settings."""
        return self.page.get_by_role("checkbox", name=self.words("console.notices.push"), exact=True)

    @property
    def part(self):
        """The mark with what is said below it."""
        return self.page.locator("push-setting")

    @property
    def test_button(self):
        """What sends a test."""
        return self.page.get_by_role("button", name=self.words("console.notices.push.send"), exact=True)

    @property
    def devices(self):
        """The subscriptions that the server has of the agent in this browser."""
        return self.page.evaluate("(path) => fetch(path).then((answer) => answer.json())", PUSH)["devices"]

    @property
    def is_subscribed(self):
        """Whether the browser has a subscription."""
        return self.page.evaluate("localStorage.getItem('subscribed') !== null")

    def turn_on(self):
        """Presses the mark, and waits until it is on."""
        self.box.click()
        expect(self.test_button).to_be_visible()

    def reload_renewing(self):
        """Loads the page again, which sends its subscription once."""
        self.puts.clear()
        with self.page.expect_response(lambda answer: answer.url.endswith(PUSH) and answer.request.method == "PUT") as caught:
            self.page.reload()
        assert caught.value.status == 204
        expect(self.test_button).to_be_visible()
        assert len(self.puts) == 1
