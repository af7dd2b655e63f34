"""Files that a customer adds where it is hard: an empty one, one that is refused, a line that breaks while it is uploaded."""

import pytest
from looks import assert_accessible
from playwright.sync_api import expect
from support.words import Words
from test_phone_story import Talk


def file(name, content):
    """A file as a picker hands it over."""
    return {"name": name, "mimeType": "text/plain", "buffer": content}


def add(page, *files):
    """Chooses files."""
    page.locator("phone-composer input[type=file]").set_input_files(list(files))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_what_keeps_a_file_and_with_it_the_message_back_is_said_beside_the_field(desk, language):
    words = Words(language)
    talk = Talk(desk, words).begin()
    page = talk.phone.page
    send = page.get_by_role("button", name=words("phone.send"), exact=True)
    add(page, file("nothing.txt", b""))
    expect(page.get_by_text(words("phone.attachEmpty", name="nothing.txt"))).to_be_visible()
    expect(page.locator(".tray")).to_be_hidden()
    page.route("**/attachments*", lambda route: route.fulfill(status=400, content_type="application/problem+json", json={
        "type": "/docs/problems/bad_request", "title": "No", "status": 400, "detail": "No", "code": "bad_request"}))
    add(page, file("plan.txt", b"plan"))
    reason = page.locator(".tray-reason")
    expect(reason).to_have_text(words("phone.uploadRefused", name="plan.txt"))
    talk.phone.field.fill("Here is the plan")
    expect(send).to_be_disabled()
    desk.shot(page, f"phone-file-refused-{language}")
    assert_accessible(page)
    page.get_by_role("button", name=words("phone.removeFile", name="plan.txt"), exact=True).click()
    expect(reason).to_be_hidden()
    expect(send).to_be_enabled()
    page.faults.clear()


def test_a_file_whose_upload_lost_its_connection_is_uploaded_when_there_is_one(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    page = talk.phone.page
    page.context.set_offline(True)
    add(page, file("plan.txt", b"plan"))
    reason = page.locator(".tray-reason")
    expect(reason).to_have_text(words("phone.uploadWaiting", name="plan.txt"))
    page.context.set_offline(False)
    expect(reason).to_be_hidden()
    page.get_by_role("button", name=words("phone.send"), exact=True).click()
    expect(page.locator("desk-card").get_by_text("plan.txt")).to_be_visible()
    page.faults.clear()  # The browser logs every attempt on a dead line.


def test_a_file_of_a_session_that_ended_is_uploaded_after_the_next_words(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    page, former = talk.phone.page, talk.id
    page.context.clear_cookies()
    add(page, file("plan.txt", b"plan"))
    expect(page.locator(".tray-reason")).to_have_text(f"plan.txt. {words('phone.attachFirst')}")
    talk.begin("Here I am again")
    assert talk.id != former
    page.get_by_role("button", name=words("phone.send"), exact=True).click()
    expect(page.locator("desk-card").get_by_text("plan.txt")).to_be_visible()
    page.faults.clear()


def test_a_message_for_which_the_phone_has_no_room_stays_in_the_field_with_its_files(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    page = talk.phone.page
    page.evaluate("document.querySelector('phone-chat').conversation.outbox.add = () => false")
    page.locator("phone-composer input[type=file]").set_input_files({"name": "list.txt", "mimeType": "text/plain", "buffer": b"tea"})
    expect(page.get_by_role("progressbar")).to_have_count(0)
    talk.phone.say("My list")
    expect(page.get_by_text(words("phone.outboxFull"))).to_be_visible()
    expect(talk.phone.field).to_have_value("My list")
    expect(page.locator(".pending-file")).to_have_count(1)
    # It is still what was written after a reload.
    page.reload()
    expect(talk.phone.field).to_have_value("My list")


def test_files_that_come_too_fast_are_uploaded_one_after_the_other_without_a_press(desk):
    words = Words("en")
    talk = Talk(desk, words).begin()
    page = talk.phone.page
    send, refused = page.get_by_role("button", name=words("phone.send"), exact=True), []
    page.on("response", lambda answer: refused.append(answer) if answer.status == 429 and "/attachments" in answer.url else None)
    for number in range(2):
        add(page, *[file(f"{number}-{one}.txt", b"tea") for one in range(10)])
        expect(send).to_be_enabled()
        expect(page.locator(".pending-file.is-failed")).to_have_count(0)
        if number == 0:
            send.click()
            expect(page.locator(".pending-file")).to_have_count(0)
    assert refused
    with page.expect_response(lambda answer: answer.url.endswith("/messages") and answer.request.method == "POST") as caught:
        send.click()
    assert len(caught.value.json()["message"]["attachments"]) == 10
