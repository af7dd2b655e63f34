"""A provider written from the protocol page alone, as an independent implementation.

It uses no line of our code: tokens by PyJWT, ciphers by pycryptodome, HTTP by requests. Its listening half
alone also acts as an upstream gateway, and `come` posts what such a gateway posts.
"""

import base64
import gzip
import http.server
import json
import os
import threading
import time
import typing
import uuid

import jwt
import requests
from Crypto.Cipher import AES
from Crypto.Util import Counter


def crypt(data, key):
    """AES-256-CTR with the counter at zero, which turns bytes into ciphertext and back."""
    counter = Counter.new(128, initial_value=0)
    return AES.new(key, AES.MODE_CTR, counter=counter).encrypt(data)


def token(secret, **claims):
    """A JWT of HS256, made now unless the claims say otherwise: the key is the base64-decoded secret."""
    return jwt.encode({"iat": int(time.time()), **claims}, base64.b64decode(secret),
                      algorithm="HS256")


class Post(typing.NamedTuple):
    """A post to an endpoint, and its answer."""

    path: str
    headers: typing.Any
    body: dict
    status: int


class Endpoint:
    """Receives posts on a loopback port, which it keeps over a stop and a start."""

    def __init__(self):
        self.posts, self.changed = [], threading.Condition()
        # The answer: 200, "ok"; a test may set another one.
        self.status, self.answer = 200, "ok"
        # What a GET of a path gives, as JSON, and the bodies posted that are no JSON.
        self.gives, self.files = {}, []
        self.port, self.server, self.is_stopped = 0, None, False
        self.start()

    @property
    def url(self):
        """Where it is reached."""
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        """Listens, on the port of before if there was one."""
        end = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """One post."""

            protocol_version = "HTTP/1.1"

            def do_POST(self):
                """Judges, notes, answers; a connection from before a stop ends without an answer."""
                if self.server is not end.server or end.is_stopped:
                    self.close_connection = True
                    return
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status, answer = end.take(self.path, self.headers, body), end.answer.encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def do_GET(self):
                """Gives what a test has put there."""
                given = end.gives.get(self.path)
                text = b"" if given is None else json.dumps(given).encode()
                self.send_response(404 if given is None else 200)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                """Logs nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.is_stopped = False
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        """Stops listening: new connections are refused, and those that are open answer nothing more."""
        self.is_stopped = True
        self.server.shutdown()
        self.server.server_close()

    def take(self, path, headers, body):
        """Handles a post as an endpoint must; returns the status.

        Recorded before it is answered: a test that saw the answer finds the post.
        """
        status = self.judge(path, headers) if self.status == 200 else self.status
        if headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        if headers.get("Content-Type") == "application/octet-stream":
            self.files.append(body)
            return status
        with self.changed:
            self.posts.append(Post(path, headers, json.loads(body), status))
            self.changed.notify_all()
        return status

    def judge(self, path, headers):
        """The status that a post deserves."""
        return 200

    def wait(self, fits, seconds=25):
        """Waits for the first accepted post whose JSON matches."""
        def found():
            return next((post for post in self.posts
                         if post.status == 200 and fits(post.body)), None)

        with self.changed:
            assert self.changed.wait_for(found, seconds), f"only {self.posts} came"
            return found()


class Provider(Endpoint):
    """Receives posts at `/bots/message`, sends with a token, uploads and downloads."""

    def __init__(self):
        # Set at registration: the gateway's address, the provider's id, its key, its business.
        self.base = self.msp_id = self.secret = self.business = None
        self.read = 0
        super().__init__()

    @property
    def endpoint(self):
        """The values for its registration; the gateway appends `/message`."""
        return self.url + "/bots"

    def learn(self, base, msp_id, secret, business):
        """Stores the answer to its registration; returns itself."""
        self.base, self.msp_id, self.secret, self.business = base, msp_id, secret, business
        return self

    def judge(self, path, headers):
        """404 at another path, 403 with another token; once it has a secret, that is."""
        if path != "/bots/message":
            return 404
        if self.secret:
            try:
                jwt.decode(
                    headers.get("Authorization", "").removeprefix("Bearer "),
                    base64.b64decode(self.secret), algorithms=["HS256"], audience=self.msp_id)
            except jwt.PyJWTError:
                return 403
        return 200

    def next(self, kind, timeout=20):
        """The next message of a kind; typing signals before it are passed over."""
        end = time.monotonic() + timeout
        while True:
            with self.changed:
                come = self.changed.wait_for(
                    lambda: len(self.posts) > self.read, max(0.01, end - time.monotonic()))
                assert come, f"no {kind} came"
                post, self.read = self.posts[self.read], self.read + 1
            if post.status != 200:
                continue
            message = post.body
            assert post.headers["Content-Encoding"] == "gzip"
            for field, member in (("id", "id"), ("source-id", "sourceId"),
                                  ("destination-id", "destinationId")):
                assert post.headers[field] == message[member], (field, message)
            if message["type"] == kind:
                return message
            assert message["type"] in ("typing_start", "typing_end"), message

    # As the sender

    def headers(self, **more):
        """The fields of every request."""
        mine = token(self.secret, iss=self.msp_id)
        return {"Authorization": f"Bearer {mine}", "source-id": self.business, **more}

    def send(self, customer, message, path="/message", expect=200, **fields):
        """Posts a message, the envelope filled in; returns the answer."""
        message = {"v": 1, "id": str(uuid.uuid4()), "sourceId": self.business,
                   "destinationId": customer, **message}
        answer = requests.post(
            self.base + path, json=message, timeout=20,
            headers=self.headers(**{"id": message["id"], "destination-id": customer, **fields}))
        assert answer.status_code == expect, f"{answer.status_code} {answer.text}"
        return message, answer

    def upload(self, name, kind, data):
        """Encrypts and uploads a file; returns its dictionary for a message."""
        key = os.urandom(32)
        ciphertext = crypt(data, key)
        place = requests.get(self.base + "/preUpload", timeout=20, headers=self.headers(
            **{"MMCS-Size": str(len(ciphertext))})).json()
        answer = requests.post(place["upload-url"], data=ciphertext, timeout=60).json()
        return {"name": name, "mimeType": kind, "size": str(len(ciphertext)),
                "signature-base64": answer["singleFile"]["fileChecksum"],
                "url": place["mmcs-url"], "owner": place["mmcs-owner"],
                "key": "00" + key.hex()}

    def download(self, reference):
        """Fetches and decrypts the file of a dictionary or a reference."""
        signature = base64.b64encode(bytes.fromhex(reference["signature"])).decode()
        link = requests.get(self.base + "/preDownload", timeout=20, headers=self.headers(**{
            "MMCS-Url": reference["url"], "MMCS-Signature": signature,
            "MMCS-Owner": reference["owner"]})).json()
        ciphertext = requests.get(link["download-url"], timeout=60).content
        assert len(ciphertext) == int(reference["size"])
        return crypt(ciphertext, bytes.fromhex(reference["key"].upper()[2:]))

    def decode(self, reference):
        """The interactive data behind a reference."""
        answer = requests.post(
            self.base + "/decodePayload", data=self.download(reference), timeout=20,
            headers=self.headers(bid=reference["bid"], accept="*/*"))
        assert answer.status_code == 200, answer.text
        return answer.json()


def come(server, callback, msp, secret, business, text, source=None):
    """Posts a customer's text, the first one or that of a `source`, as the gateway of a connected business."""
    body = {
        "v": 1, "id": str(uuid.uuid4()), "type": "text", "body": text, "locale": "en_US",
        "sourceId": source or "urn:mbid:" + base64.b64encode(uuid.uuid4().bytes).decode(),
        "destinationId": business}
    path = callback[callback.index("/msp/"):]
    taken = requests.post(
        server.url + path + "/message", json=body, timeout=20, headers={
            "Authorization": "Bearer " + token(secret, aud=msp), "id": body["id"],
            "source-id": body["sourceId"], "destination-id": business,
            "capability-list": "QUICK,LIST"})
    assert taken.status_code == 200, taken.text
    return body
