"""Cards of every kind that a customer answers, each with the picked items."""

import base64
import datetime
import secrets
import uuid

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

BID = ("com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
       "com.apple.icloud.apps.messages.business.extension")
PICTURE = ("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
           "rkJggg==")


def card(kind, **data):
    """Interactive content of Apple's own extension."""
    return {"type": "interactive", "interactiveData": {
        "bid": BID, "data": {"version": "1.0", "requestIdentifier": str(uuid.uuid4()), **data},
        "receivedMessage": {"title": kind, "style": "icon"},
        "replyMessage": {"title": kind, "style": "icon"}}}


def sign_in(version):
    """A request to sign in, with a public key whose private key no test has."""
    key = ec.generate_private_key(ec.SECP384R1()).public_key()
    point = base64.b64encode(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
    own = ({"responseEncryptionKey": point.decode(), "clientSecret": "hush-hush"}
           if version == "1.0" else {"redirectURI": "https://shop.example/signed-in"})
    content = card("You have signed in", authenticate={"oauth2": {
        "responseType": "code", "scope": ["name", "email"],
        "state": base64.b64encode(secrets.token_bytes(24)).decode(), **own}})
    content["interactiveData"]["data"]["version"] = version
    return content


def answered_cards(merchant):
    """Cards with the items that a customer picks; the list of thirty pictures makes a large reply."""
    def listed(count):
        return {"images": [{"identifier": str(n), "data": PICTURE, "description": "x" * 400}
                           for n in range(count)],
                "listPicker": {"sections": [{
                    "title": "Choose", "order": 0, "multipleSelection": False, "items": [
                        {"identifier": f"i{n}", "title": f"Item {n}", "imageIdentifier": str(n),
                         "order": n, "style": "icon"} for n in range(count)]}]}}

    slot = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=9))
    quick = card("quick", **{"quick-reply": {"summaryText": "Well?", "items": [
        {"identifier": "yes", "title": "Yes"}, {"identifier": "no", "title": "No"}]}})
    for member in ("receivedMessage", "replyMessage"):
        quick["interactiveData"].pop(member)
    yield quick, {"quickReply": {"identifier": "no"}}
    yield card("small list", **listed(2)), {"list": {"identifiers": ["i1"]}}
    yield card("large list", **listed(30)), {"list": {"identifiers": ["i7"]}}
    yield card("time", event={"identifier": "e", "title": "Fitting", "timeslots": [
        {"identifier": "s", "startTime": slot.strftime("%Y-%m-%dT%H:%M+0000"),
         "duration": 1800}]}), {"time": {"identifier": "s"}}
    yield card("form", dynamic={"version": "1.2", "template": "messageForms", "data": {
        "startPageIdentifier": "p1", "showSummary": False, "pages": [{
            "pageIdentifier": "p1", "type": "select", "subtitle": "How was it?",
            "multipleSelection": False, "submitForm": True, "items": [
                {"title": "Good", "value": "good", "identifier": "g"},
                {"title": "Bad", "value": "bad", "identifier": "b"}]}]}}), {
        "form": {"answers": [{"page": "p1", "items": ["g"]}]}}
    contact = {"familyName": "Sato", "postalCode": "530-0001"}
    yield merchant.request(), {"payment": {
        "outcome": "success", "shippingContact": contact, "billingContact": contact}}
    yield merchant.request(), {"payment": {"outcome": "failure", "status": "STATUS_TIMEOUT"}}
    yield sign_in("1.0"), {"signIn": {"outcome": "granted", "name": "Ana Grün"}}
    yield sign_in("1.0"), {"signIn": {"outcome": "refused"}}
    yield sign_in("2.0"), {"signIn": {"outcome": "granted", "name": "Ana Grün"}}
