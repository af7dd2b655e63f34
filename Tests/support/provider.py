"""A provider written from the protocol page alone: what somebody else's software would be.

It knows no line of ours: tokens by PyJWT, ciphers by pycryptodome, HTTP by requests.
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
from Crypto.Util import Counter


def crypt(data, key):
    """AES-256-CTR with the counter at zero, which turns bytes into ciphertext and back."""
    counter = Counter.new(128, initial_value=0)
    return AES.new(key, AES.MODE_CTR, counter=counter).encrypt(data)


class Provider:
    """Takes posts at `/message`, sends with a token, uploads and downloads."""

    def __init__(self):
        # Told by whoever registers it: where the gateway is, its own id, the key, for whom it speaks.
        self.base = self.msp_id = self.secret = self.business = None
        self.inbox = queue.Queue()
        self.status = 200
        self.posts = []
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """One post of the gateway's."""

            protocol_version = "HTTP/1.1"

            def do_POST(self):
                """Verifies, unpacks, keeps."""
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = provider.take(self.path, self.headers, body)
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                """Says nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self.server.server_address[1]}/bots"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        """Takes no more posts."""
        self.server.shutdown()
        self.server.server_close()

    def take(self, path, headers, body):
        """What a provider must do with a post; the status it answers."""
        if path != "/bots/message":
            return 404
        if self.status != 200:
            return self.status
        token = headers.get("Authorization", "").removeprefix("Bearer ")
        try:
            jwt.decode(token, self.secret, algorithms=["HS256"], audience=self.msp_id)
        except jwt.PyJWTError:
            return 403
        assert headers["Content-Encoding"] == "gzip"
        message = json.loads(gzip.decompress(body))
        for field, member in (("id", "id"), ("source-id", "sourceId"),
                              ("destination-id", "destinationId")):
            assert headers[field] == message[member], (field, message)
        self.posts.append((dict(headers), message))
        self.inbox.put(message)
        return 200

    def next(self, kind, timeout=20):
        """The next message of a kind; typing signals before it are passed over."""
        end = time.monotonic() + timeout
        while True:
            message = self.inbox.get(timeout=max(0.01, end - time.monotonic()))
            if message["type"] == kind:
                return message
            assert message["type"] in ("typing_start", "typing_end"), message

    # As the sender

    def token(self, **claims):
        """A token of the provider's; claims replace the usual ones."""
        return jwt.encode({"iss": self.msp_id, "iat": int(time.time()), **claims}, self.secret,
                          algorithm="HS256")

    def headers(self, **more):
        """The fields of every request."""
        return {"Authorization": f"Bearer {self.token()}", "source-id": self.business, **more}

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
        sealed = crypt(data, key)
        place = requests.get(self.base + "/preUpload", timeout=20, headers=self.headers(
            **{"MMCS-Size": str(len(sealed))})).json()
        answer = requests.post(place["upload-url"], data=sealed, timeout=60).json()
        return {"name": name, "mimeType": kind, "size": str(len(sealed)),
                "signature-base64": answer["singleFile"]["fileChecksum"],
                "url": place["mmcs-url"], "owner": place["mmcs-owner"],
                "key": "00" + key.hex()}

    def download(self, reference):
        """Fetches and decrypts what a dictionary or a reference names."""
        signature = base64.b64encode(bytes.fromhex(reference["signature"])).decode()
        link = requests.get(self.base + "/preDownload", timeout=20, headers=self.headers(**{
            "MMCS-Url": reference["url"], "MMCS-Signature": signature,
            "MMCS-Owner": reference["owner"]})).json()
        sealed = requests.get(link["download-url"], timeout=60).content
        assert len(sealed) == int(reference["size"])
        return crypt(sealed, bytes.fromhex(reference["key"].upper()[2:]))

    def decode(self, reference):
        """The interactive data that a reference stands for."""
        answer = requests.post(
            self.base + "/decodePayload", data=self.download(reference), timeout=20,
            headers=self.headers(bid=reference["bid"], accept="*/*"))
        assert answer.status_code == 200, answer.text
        return answer.json()
