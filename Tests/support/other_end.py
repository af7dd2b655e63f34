"""The other end of a gateway link, as small as one can be: a provider's endpoint, or a gateway."""

import base64
import gzip
import hashlib
import hmac
import http.server
import json
import threading
import time
import uuid

import requests


def token(secret, **claims):
    """A JWT of HS256 by hand: the key is the base64-decoded secret."""
    def part(raw):
        return base64.urlsafe_b64encode(raw).rstrip(b"=")

    head = part(json.dumps({"alg": "HS256"}).encode())
    body = part(json.dumps({"iat": int(time.time()), **claims}).encode())
    signed = head + b"." + body
    code = hmac.new(base64.b64decode(secret), signed, hashlib.sha256).digest()
    return (signed + b"." + part(code)).decode()


class OtherEnd:
    """Takes posts on a loopback port, which it keeps over a stop and a start."""

    def __init__(self):
        self.posts, self.changed = [], threading.Condition()
        self.status, self.answer = 200, "ok"
        self.port, self.server = 0, None
        self.start()

    @property
    def url(self):
        """Where it is reached."""
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        """Listens, on the port of before if there was one."""
        end = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                answer = end.answer.encode()
                # Noted before it is answered: whoever saw the answer finds the post.
                with end.changed:
                    end.posts.append((self.path, dict(self.headers), json.loads(body), end.status))
                    end.changed.notify_all()
                self.send_response(end.status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        """Listens no more: whoever connects is refused."""
        self.server.shutdown()
        self.server.server_close()

    def wait(self, fits, seconds=25):
        """The first post whose JSON fits and that was taken, once it has come."""
        def found():
            return next((post for post in self.posts if post[3] == 200 and fits(post[2])), None)

        with self.changed:
            assert self.changed.wait_for(found, seconds), f"only {self.posts} came"
            return found()


def come(house, callback, msp, secret, business, text):
    """Posts a customer's first text, as the gateway of a connected business."""
    body = {
        "v": 1, "id": str(uuid.uuid4()), "type": "text", "body": text, "locale": "en_US",
        "sourceId": "urn:mbid:" + base64.b64encode(uuid.uuid4().bytes).decode(),
        "destinationId": business}
    path = callback[callback.index("/msp/"):]
    taken = requests.post(
        house.url + path + "/message", json=body, timeout=20, headers={
            "Authorization": "Bearer " + token(secret, aud=msp), "id": body["id"],
            "source-id": body["sourceId"], "destination-id": business,
            "capability-list": "QUICK,LIST"})
    assert taken.status_code == 200, taken.text
    return body


def answer(house, registration, message, text):
    """Posts a text to the customer of a message, as the registered provider."""
    body = {
        "v": 1, "id": str(uuid.uuid4()), "type": "text", "body": text,
        "sourceId": message["destinationId"], "destinationId": message["sourceId"]}
    taken = requests.post(
        house.url + "/v1/message", json=body, timeout=20, headers={
            "Authorization": "Bearer " + token(registration["secret"], iss=registration["mspId"]),
            "id": body["id"], "source-id": body["sourceId"],
            "destination-id": body["destinationId"]})
    assert taken.status_code == 200, taken.text
    return body
