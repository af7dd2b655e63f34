"""A small independent provider: it answers every action of the customer.

Run by the examples of docs/testing-a-provider.md as `my_provider.py`. It listens on PORT, speaks to the gateway
at GATEWAY_URL with the secret in SECRET, and prints a line when it is ready.
"""

import base64
import gzip
import http.server
import json
import os
import queue
import threading
import time
import uuid

import jwt
import requests
from Crypto.Cipher import AES
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.kdf.x963kdf import X963KDF

GATEWAY, SECRET = os.environ["GATEWAY_URL"], base64.b64decode(os.environ["SECRET"].strip())
APPLE = "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:" \
        "com.apple.icloud.apps.messages.business.extension"
# Where devices pay: a page of its own where the protocol lets it be, which is https outside of tests.
MERCHANT = f"http://127.0.0.1:{os.environ['PORT']}/pay"
MENU = [("tea", "Tea"), ("coffee", "Coffee")]
work = queue.Queue()
KEY = ec.generate_private_key(ec.SECP384R1())


def interactive(title, **feature):
    """An interactive message around one feature."""
    return {"type": "interactive", "interactiveData": {
        "bid": APPLE, "receivedMessage": {"title": title, "style": "icon"},
        "replyMessage": {"title": title, "style": "icon"},
        "data": {"version": "1.0", "requestIdentifier": "request-of-the-test", **feature}}}


def menu():
    """A list to pick from."""
    items = [{"identifier": name, "title": title, "order": place, "style": "default"}
             for place, (name, title) in enumerate(MENU)]
    return interactive("What would you like?", listPicker={
        "sections": [{"title": "Drinks", "order": 0, "multipleSelection": False, "items": items}]})


def form():
    """Two pages of questions."""
    choice = [{"identifier": name, "title": title, "value": title} for name, title in MENU]
    return interactive("Your order", dynamic={
        "version": "1.2", "template": "messageForms", "data": {
            "startPageIdentifier": "drink", "pages": [
                {"pageIdentifier": "drink", "type": "select", "title": "Drink",
                 "subtitle": "Which drink?", "items": choice, "nextPageIdentifier": "name"},
                {"pageIdentifier": "name", "type": "input", "title": "Name",
                 "subtitle": "Whose is it?", "submitForm": True,
                 "options": {"required": True, "inputType": "singleline"}}]}})


def bill():
    """A request for money."""
    total = {"label": "Tea shop", "amount": "3.50", "type": "final"}
    return interactive("3.50 please", payment={
        "merchantSession": {"epochTimestamp": 1, "nonce": "n"},
        "endpoints": {"paymentGatewayUrl": MERCHANT},
        "paymentRequest": {
            "applePay": {"merchantIdentifier": "merchant.test", "supportedNetworks": ["visa"],
                         "merchantCapabilities": ["supports3DS"]},
            "countryCode": "US", "currencyCode": "USD", "lineItems": [total], "total": total}})


def login():
    """A request to sign in, of version 1: the access token arrives encrypted for KEY."""
    point = KEY.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    return interactive("Please sign in", images=[], authenticate={"oauth2": {
        "responseType": "code", "scope": ["name"], "state": "c3RhdGUgb2YgdGhlIHRlc3Q=",
        "clientSecret": "secret", "responseEncryptionKey": base64.b64encode(point).decode()}})


def signed_in(reply):
    """The answer to a sign-in, with the name that the token resolves to."""
    if reply["status"] != "authenticated":
        return f"Sign-in: {reply['status']}"
    encrypted = base64.b64decode(reply["token"])
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP384R1(), encrypted[:97])
    shared = KEY.exchange(ec.ECDH(), point)
    key = X963KDF(hashes.SHA256(), 48, encrypted[:97]).derive(shared)
    box = AES.new(key[:32], AES.MODE_GCM, nonce=key[32:])
    token = box.decrypt_and_verify(encrypted[97:-16], encrypted[-16:]).decode()
    who = requests.get(GATEWAY.removesuffix("/v1") + "/oauth/userinfo", timeout=10,
                       headers={"Authorization": f"Bearer {token}"}).json()
    return f"Sign-in: authenticated as {who['name']}"


def answer(message):
    """The answer to a customer's message."""
    if message["type"] == "text":
        words = message["body"]
        cards = {"menu": menu, "form": form, "bill": bill, "login": login}
        if words in cards:
            return cards[words]()
        if message.get("attachments"):
            return {"type": "text", "body": f"Thank you for {message['attachments'][0]['name']}"}
        return {"type": "text", "body": f"You said: {words}"}
    data = message["interactiveData"]["data"]
    if "payment" in data:
        return {"type": "text", "body": f"Payment: {data['payment']['state']}"}
    if "authenticate" in data:
        return {"type": "text", "body": signed_in(data["authenticate"])}
    if "dynamic" in data:
        given = [item["value"] for page in data["dynamic"]["selections"] for item in page["items"]]
        return {"type": "text", "body": f"Form: {', '.join(given)}"}
    return {"type": "text", "body": f"You picked {data['replyMessage']['title']}"}


def send(message, incoming):
    """Posts an answer to the gateway."""
    message = {"v": 1, "id": str(uuid.uuid4()), "sourceId": incoming["destinationId"],
               "destinationId": incoming["sourceId"], **message}
    token = jwt.encode({"iss": "ephemeral", "iat": int(time.time())}, SECRET, algorithm="HS256")
    path = "/authenticate" if "authenticate" in str(message.get("interactiveData", "")) else "/message"
    taken = requests.post(GATEWAY + path, json=message, timeout=10, headers={
        "Authorization": f"Bearer {token}", "id": message["id"],
        "source-id": message["sourceId"], "destination-id": message["destinationId"]})
    if taken.status_code != 200:
        print(taken.status_code, taken.text, flush=True)


def work_on():
    """Answers one message after the other."""
    while True:
        message = work.get()
        if message["type"] in ("text", "interactive"):
            send(answer(message), message)


class Handler(http.server.BaseHTTPRequestHandler):
    """One post of the gateway's."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        """Verifies, stores, answers at once; a device that pays brings no token of the gateway's."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/pay":
            return self.reply(200, b'{"status":"STATUS_SUCCESS"}')
        try:
            jwt.decode(self.headers["Authorization"].removeprefix("Bearer "), SECRET,
                       algorithms=["HS256"], audience="ephemeral")
            work.put(json.loads(gzip.decompress(body)))
            return self.reply(200)
        except jwt.PyJWTError:
            return self.reply(403)

    def reply(self, status, body=b""):
        """Answers."""
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Logs nothing."""


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler)
    threading.Thread(target=work_on, daemon=True).start()
    print("ready on port", server.server_address[1], flush=True)
    server.serve_forever()
