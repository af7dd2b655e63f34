"""Words that are erased go from all that a colleague has open: beside the thread as well."""

from pages import Sandbox, console, live_business, member
from playwright.sync_api import expect
from support.server import Customer, Session
from support.words import Words
from test_console_search import indexed
from test_notices import live, look_away, notified_page, setting
from test_pictures import picture, say_with_file

# All that a page says, in its shadow trees as well: texts, names for screen readers, what stands in fields.
ALL_WORDS = """() => {
  const words = [document.title];
  const walk = (node) => {
    for (const one of node.querySelectorAll("*")) {
      words.push(one.value ?? "", ...[...one.attributes].map(({ value }) => value));
      if (one.shadowRoot) walk(one.shadowRoot);
    }
    if (node instanceof ShadowRoot) words.push(node.textContent);
  };
  walk(document);
  words.push(document.body.textContent);
  return words.join("\\n");
}"""


def without(page, secret):
    """Waits until a page says it nowhere."""
    page.wait_for_function(f"(secret) => !({ALL_WORDS})().includes(secret)", arg=secret)


def begun(desk, word):
    """A customer's message and a colleague's note with a word and the secret, and a suggested answer that repeats the secret."""
    secret = f"4111-{word[::-1]}"
    business = live_business(desk)["id"]
    customer = Customer(desk.server, business)
    message = customer.say(f"{word} {secret}")["message"]
    path = f"/api/conversations/{message['conversation']}"
    desk.owner.post(f"{path}/notes", {"text": f"{word}, noted {secret}"}, 201)
    key = Session(desk.server, key=desk.server.make_key(business))
    key.post(f"{path}/suggestions", {"payload": {"type": "text", "body": f"Is it {secret}?"}}, 201)
    indexed(desk)
    return customer, message, path, secret


def test_what_is_erased_goes_from_the_hits_of_a_search_and_from_suggestions(desk):
    words = Words("en")
    _, message, path, secret = begun(desk, "airship")
    page = console(desk, words, f"/c/{message['conversation']}", session=member(desk, "Uma"))
    expect(page.locator("suggestion-list .suggestion")).to_contain_text(secret)
    page.keyboard.press("s")
    page.keyboard.type("airship")
    expect(page.locator("message-search a.hit")).to_have_count(2)
    assert secret in page.evaluate(ALL_WORDS)
    assert desk.owner.post(f"{path}/erasure")["complete"]
    expect(page.locator("suggestion-list .suggestion")).to_have_count(0)
    expect(page.locator("message-search a.hit")).to_have_count(0)
    without(page, secret)


def test_the_details_of_a_message_close_when_it_is_erased(desk):
    words = Words("en")
    _, message, path, secret = begun(desk, "gondola")
    page = console(desk, words, f"/c/{message['conversation']}", session=member(desk, "Vic"))
    row = page.locator(f"desk-thread li.message[data-id='{message['id']}']")
    row.hover()
    row.get_by_role("button", name=words("thread.wire")).click()
    drawer = page.get_by_role("dialog", name=words("thread.wire"))
    expect(drawer.locator("pre").first).to_contain_text(secret)
    assert desk.owner.post(f"{path}/erasure")["complete"]
    expect(drawer).to_be_hidden()
    without(page, secret)


def test_a_picture_on_screen_closes_when_it_is_erased_and_those_beside_it_stay(desk):
    words = Words("en")
    customer, message, path, _ = begun(desk, "balloon")
    sent = [say_with_file(customer, name, "image/png", picture(300, 200)) for name in ("one.png", "two.png")]
    page = console(desk, words, f"/c/{message['conversation']}", session=member(desk, "Wim"))
    thread = page.locator("desk-thread")
    thread.get_by_role("button", name=words("card.attachmentImage", name="one.png")).click()
    viewer = page.get_by_role("dialog", name="one.png")
    expect(viewer.get_by_text("1 / 2", exact=True)).to_be_visible()
    desk.owner.call("DELETE", f"{path}/messages/{sent[0]['message']['id']}")
    expect(page.locator("picture-viewer")).to_have_count(0)
    thread.get_by_role("button", name=words("card.attachmentImage", name="two.png")).click()
    expect(page.get_by_role("dialog", name="two.png")).to_be_visible()


def test_a_notice_closes_when_its_message_is_erased(desk):
    words = Words("en")
    colleague = member(desk, "Xia")
    page = notified_page(desk, words, session=colleague, path="/settings/me")
    setting(page, words, "browser").check()
    live(page)
    look_away(page)
    _, message, path, secret = begun(desk, "glider")
    page.wait_for_function("(secret) => window.lastShown && JSON.stringify(window.shown).includes(secret)", arg=secret)
    other = Customer(desk.server, live_business(desk)["id"]).say("Of another")["message"]["conversation"]
    page.wait_for_function(f"() => window.shown.at(-1).tag === '{other}'")
    page.evaluate("window.other = window.lastShown")
    desk.owner.call("DELETE", f"{path}/messages/{message['id']}")
    page.wait_for_function(f"() => window.all.find(({{ tag }}) => tag === '{message['conversation']}').isClosed")
    assert not page.evaluate("window.other.isClosed")


def test_the_sandbox_shows_no_json_of_what_was_erased(desk):
    words, secret = Words("en"), "4111-sandbox"
    sandbox = Sandbox(desk, words).open_raw()
    page = sandbox.page
    conversation = page.evaluate("sessionStorage.getItem('fd.sandbox.conversation')")
    path = f"/api/conversations/{conversation}"
    key = Session(desk.server, key=desk.server.make_key(desk.sandbox_business["id"]))
    key.post(f"{path}/messages", {"type": "text", "body": f"It is {secret}"}, 201)
    page.get_by_role("tab", name=words("sandbox.lower.log"), exact=True).click()
    expect(page.locator("message-log json-view")).to_contain_text(secret)
    page.locator("message-log .ml-wire").click()
    drawer = page.get_by_role("dialog", name=words("thread.wire"))
    expect(drawer.locator("pre").first).to_contain_text(secret)
    assert desk.owner.post(f"{path}/erasure")["complete"]
    expect(drawer).to_be_hidden()
    without(page, secret)
    for frame in page.frames[1:]:
        assert secret not in frame.evaluate(ALL_WORDS)
