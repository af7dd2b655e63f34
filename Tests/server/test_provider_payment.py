"""Payment as an independent provider and merchant do it: a device's calls and their answers."""

import json
import uuid

import pytest

from support.server import Customer, Installation
from support.merchant import Merchant
from support.registered import registered

FAILURES = [
    "STATUS_FAILURE", "STATUS_INVALID_BILLING_POSTAL_ADDRESS",
    "STATUS_INVALID_SHIPPING_POSTAL_ADDRESS", "STATUS_INVALID_SHIPPING_CONTACT",
    "STATUS_PIN_REQUIRED", "STATUS_PIN_INCORRECT", "STATUS_PIN_LOCKOUT"]
CONTACT = {"givenName": "Hana", "familyName": "Sato", "addressLines": ["1-2-3 Minami"],
           "locality": "Osaka", "postalCode": "530-0001", "countryCode": "JP"}
PAY = {"outcome": "success", "shippingContact": CONTACT, "billingContact": CONTACT}


def ask(provider, customer, merchant, **change):
    """Sends a payment request; returns it."""
    return provider.send(customer.name, merchant.request(**change))[0]


def change(customer, request, expect=200, **what):
    """A change on the sheet, and its result."""
    return customer.post(
        f"/api/phone/{customer.business}/payments/{request['id']}", what, expect)


def reply_of(provider):
    """The next answer's part."""
    return provider.next("interactive")["interactiveData"]["data"]["payment"]


def test_a_walk_through_the_sheet_asks_each_endpoint_as_a_device_does(
        owner, provider, customer, merchant):
    """Card, address, delivery, payment, tracking: each body as the protocol page has it."""
    sent = ask(provider, customer, merchant)
    identifier = sent["interactiveData"]["data"]["requestIdentifier"]
    card = change(customer, sent, paymentMethod={"type": "debit", "network": "amex"})
    assert card["update"]["newTotal"]["amount"] == "4.00" and card["problem"] is None
    place = change(customer, sent, shippingContact=CONTACT)
    [air] = place["update"]["newShippingMethods"]
    shipped = change(customer, sent, shippingMethod=air)
    assert shipped["update"]["newTotal"]["amount"] == "16.50"
    customer.choose(sent["id"], payment={
        "outcome": "success", "card": {"type": "debit", "network": "amex"},
        "shippingMethod": "air", "shippingContact": CONTACT, "billingContact": CONTACT})
    assert reply_of(provider) == {
        "state": "success", "status": "STATUS_SUCCESS", "shippingContact": CONTACT}

    assert [path for path, _, _ in merchant.calls] \
        == ["/method", "/contact", "/shipping", "/pay", "/orders"]
    for _, fields, body in merchant.calls:
        assert fields["Content-Type"] == "application/json" and "Authorization" not in fields
        assert body["requestIdentifier"] == identifier and body["version"] == "1.0"
    method, contact, shipping, paid = (body["payment"] for _, _, body in merchant.calls[:4])
    assert method["paymentMethod"]["type"] == "Debit"
    # Before the customer agrees the merchant learns the place alone.
    shown = contact["shippingContact"]
    assert {name: value for name, value in shown.items() if value} == {
        "locality": "Osaka", "postalCode": "530-0001", "countryCode": "JP"}
    assert shown["givenName"] == shown["administrativeArea"] == "" and len(shown) == 14
    assert shipping["shippingMethod"] == {
        "identifier": "air", "label": "Air mail", "detail": "5 days", "amount": "12.00",
        "type": "Final"}
    assert paid["shippingContact"] == CONTACT and paid["billingContact"] == CONTACT
    token = paid["paymentToken"]
    assert token["paymentMethod"] == {
        "displayName": "AmEx 1234", "network": "AmEx", "type": "Debit"}
    assert token["transactionIdentifier"].startswith("TEST-")

    log = owner.fetch(f"/api/businesses/{provider.business}/gateway/exchanges?conversation="
                      f"{thread(customer)[0]['conversation']}&message={sent['id']}")["data"]
    targets = [one["target"].removeprefix(merchant.url) for one in reversed(log)]
    assert targets[-5:] == ["/method", "/contact", "/shipping", "/pay", "/orders"]
    assert all(one["course"] == "sent" and one["status"] == 200 for one in log[:5])


def thread(customer):
    """The messages on the phone, oldest first."""
    return customer.fetch(f"/api/phone/{customer.business}/messages")["data"]


@pytest.mark.parametrize("wrong,code", [
    ({"shippingMethod": "zz"}, "not_offered"),
    ({"card": {"type": "credit", "network": "jcb"}}, "not_offered"),
    ({"shippingContact": {}}, "invalid"), ({"billingContact": {}}, "invalid")])
def test_the_merchant_is_not_charged_for_what_the_request_does_not_offer(
        provider, customer, merchant, wrong, code):
    """The refusal comes first; then the same request can be paid."""
    sent = ask(provider, customer, merchant, shippingContactUpdateUrl=None)
    refused = customer.choose(sent["id"], expect=422, payment={**PAY, **wrong})
    assert refused["code"] == code and not merchant.calls
    customer.choose(sent["id"], payment={**PAY, "shippingMethod": "courier"})
    assert reply_of(provider)["state"] == "success"
    assert [path for path, _, _ in merchant.calls] == ["/pay", "/orders"]


def test_a_shipping_method_is_posted_as_the_request_has_it(provider, customer, merchant):
    """Whatever the caller says of it; one that the request lacks is refused."""
    sent = ask(provider, customer, merchant, shippingContactUpdateUrl=None)
    change(customer, sent, shippingMethod={"identifier": "courier", "amount": "-100.00"})
    assert merchant.of("/shipping")[0]["payment"]["shippingMethod"] == {
        "identifier": "courier", "label": "Courier", "detail": "Today", "amount": "9.00",
        "type": "Final"}
    refused = change(customer, sent, 422, shippingMethod={"identifier": "zz", "label": "Free!"})
    assert refused["code"] == "not_offered" and len(merchant.calls) == 1


@pytest.mark.parametrize("status", FAILURES)
def test_a_payment_that_the_merchant_refuses_is_shown_on_the_sheet_and_not_stored(
        provider, customer, merchant, status):
    """The sheet stays open; the corrected payment is made, once."""
    sent = ask(provider, customer, merchant)
    merchant.answers["/pay"] = (200, {"status": status})
    before = len(thread(customer))
    refused = customer.choose(sent["id"], expect=422, payment=PAY)
    assert (refused["code"], refused["paymentStatus"]) == ("payment_refused", status)
    assert len(thread(customer)) == before and not merchant.of("/orders")
    del merchant.answers["/pay"]
    customer.choose(sent["id"], payment=PAY)
    assert reply_of(provider)["state"] == "success"
    customer.choose(sent["id"], expect=422, payment=PAY)
    assert len(merchant.of("/pay")) == 2


@pytest.mark.parametrize("choice", [
    *({"outcome": "failure", "status": status} for status in FAILURES),
    {"outcome": "failure", "status": "STATUS_TIMEOUT"}, {"outcome": "canceled"},
])
def test_every_other_outcome_is_a_payment_not_completed_that_repeats_the_request(
        provider, customer, merchant, choice):
    """As devices send it; no payment is made."""
    sent = ask(provider, customer, merchant)
    asked = sent["interactiveData"]["data"]["payment"]
    customer.choose(sent["id"], payment=choice)
    data = provider.next("interactive")["interactiveData"]["data"]
    payment = data["payment"]
    assert payment["state"] == "paymentNotCompleted" and "status" not in payment
    assert payment["merchantSession"] == asked["merchantSession"]
    assert payment["endpoints"] == {
        name: url for name, url in asked["endpoints"].items() if name != "paymentGatewayUrl"}
    lines = payment["paymentRequest"]["lineItems"]
    assert [line["type"] for line in lines] == ["Final"] * len(lines) and lines
    assert payment["paymentRequest"]["applePay"] == asked["paymentRequest"]["applePay"]
    assert data["replyMessage"]["subtitle"] == "Payment not completed"
    assert not merchant.calls


@pytest.mark.parametrize("answer,code,says", [
    ((500, {}), "status", "answered 500"),
    ((302, {}), "status", "answered 302"),
    ((200, b"<html>"), "invalid", "no JSON"),
    ((200, {"newTotal": {"label": "A", "amount": 7}}), "invalid", "/newTotal/amount"),
    ((200, {"newLineItems": []}), "invalid", "newTotal"),
    ((200, b" " * 300_000), "unreachable", "no answer"),
])
def test_an_answer_that_breaks_a_rule_is_named_on_the_sheet_and_in_the_wire_log(
        owner, provider, customer, merchant, answer, code, says):
    """And the total stays as it was."""
    sent = ask(provider, customer, merchant)
    merchant.answers["/shipping"] = answer
    got = change(customer, sent, shippingMethod={"identifier": "post", "label": "Post",
                                                 "amount": "2.00"})
    assert got["update"] == {} and got["problem"]["code"] == code
    assert says in got["problem"]["detail"]
    log = owner.fetch(f"/api/businesses/{provider.business}/gateway/exchanges")["data"]
    mine = next(one for one in log if one["target"].endswith("/shipping"))
    assert mine["findings"]


def test_a_slow_merchant_is_given_up_and_the_payment_can_be_retried(
        provider, customer, merchant):
    """The same transaction comes again under the same id."""
    sent = ask(provider, customer, merchant)
    merchant.held.add("/pay")
    name = str(uuid.uuid4())
    path = f"/api/phone/{customer.business}/choices"
    body = {"id": name, "inReplyTo": sent["id"], "payment": PAY}
    refused = customer.post(path, body, 422)
    assert refused["code"] == "payment_refused" and "timeout" in refused["detail"]
    merchant.held.clear()
    merchant.hold.set()
    paid = customer.post(path, body, 201)
    assert reply_of(provider)["state"] == "success"
    again = customer.post(path, body, 201)
    assert again == paid
    names = {call["payment"]["paymentToken"]["transactionIdentifier"]
             for call in merchant.of("/pay")}
    assert len(merchant.of("/pay")) == 2 and names == {f"TEST-{name}"}


def test_an_endpoint_that_is_not_named_is_not_called(provider, customer, merchant):
    """Without an update endpoint nothing changes, without a tracking endpoint no call is made."""
    sent = ask(provider, customer, merchant, shippingMethodUpdateUrl=None, orderTrackingUrl=None)
    got = change(customer, sent, shippingMethod={"identifier": "post"})
    assert got == {"update": {}, "problem": None}
    customer.choose(sent["id"], payment=PAY)
    assert [path for path, _, _ in merchant.calls] == ["/pay"]


def test_the_server_s_own_test_merchant_is_paid_without_any_connection(server, owner, sandbox):
    """A payment request of an agent; its address need not resolve."""
    phone = Customer(server, sandbox["id"])
    said = phone.say("hello")
    session = owner.post("/api/merchant-sessions", {
        "business": sandbox["id"], "merchantIdentifier": "merchant.test", "displayName": "Tea"})
    content = Merchant.request(type("None", (), {"url": "http://none"})())
    payment = content["interactiveData"]["data"]["payment"]
    payment["endpoints"] = {
        name: url.replace(server.url, "http://elsewhere.invalid")
        for name, url in session["endpoints"].items()}
    path = f"/api/conversations/{said['message']['conversation']}/messages"
    # The session is for the address that was requested.
    payment["merchantSession"] = session["merchantSession"]
    assert "payment-gateway-mismatch" in json.dumps(owner.post(path, content, expect=422))
    payment["merchantSession"] = json.loads(json.dumps(session["merchantSession"]).replace(
        server.url, "http://elsewhere.invalid"))
    sent = owner.post(path, content, expect=201)
    refused = phone.choose(sent["id"], expect=422, payment={
        **PAY, "shippingContact": {**CONTACT, "postalCode": "00000"}})
    assert refused["paymentStatus"] == "STATUS_INVALID_SHIPPING_POSTAL_ADDRESS"
    paid = phone.choose(sent["id"], payment=PAY)
    data = paid["message"]["payload"]["interactiveData"]["data"]
    assert data["payment"]["state"] == "success"


def test_a_merchant_at_a_private_address_is_not_asked_where_that_is_off(merchant):
    """The sheet shows the reason, and the merchant on this machine gets no request."""
    with Installation("--private-endpoints=off") as server:
        owner = server.make_owner()
        business = next(
            b for b in owner.fetch("/api/businesses")["data"] if b["isSandbox"])["id"]
        with registered(server, business) as provider:
            phone = Customer(server, business)
            talk = phone.say("hello")["message"]["conversation"]
            name = owner.fetch(f"/api/conversations/{talk}")["customer"]["id"]
            sent, _ = provider.send(name, merchant.request())
            got = change(phone, sent, shippingMethod={"identifier": "post"})
            assert got["problem"]["code"] == "unreachable"
            assert "forbidden" in got["problem"]["detail"] and not merchant.calls
            refused = phone.choose(sent["id"], expect=422, payment=PAY)
            assert refused["code"] == "payment_refused" and "forbidden" in json.dumps(refused)
