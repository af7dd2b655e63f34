"""A program that receives webhooks, and verifies them with standardwebhooks or with no care at all."""

import http.server
import json
import threading
import time

from standardwebhooks.webhooks import Webhook


class Receiver:
    """Listens on a free port; `verifies` is whether it looks at signatures once it knows a secret."""

    def __init__(self, verifies=True):
        self.verifies, self.secrets, self.status = verifies, [], 200
        # What was accepted, in order: headers and the JSON of the body; and how many were refused.
        self.events, self.refused = [], 0
        # How many posts came, whatever they were answered.
        self.attempts = 0
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = receiver.receive(dict(self.headers), body)
                answer = b"" if status < 300 else b"I do not accept this."
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def receive(self, headers, body):
        """The status with which one request is answered."""
        self.attempts += 1
        headers = {name.lower(): value for name, value in headers.items()}
        if self.verifies and not self.is_genuine(headers, body):
            self.refused += 1
            return 401
        if self.status < 300:
            self.events.append((headers, json.loads(body)))
        return self.status

    def is_genuine(self, headers, body):
        """Whether one of the secrets has signed it."""
        for secret in self.secrets:
            try:
                Webhook(secret).verify(body, headers)
                return True
            except Exception:  # noqa: BLE001: whatever the library calls it, it is none.
                continue
        return False

    def wait(self, count, type=None):
        """The events, of a type, once there are so many."""
        end = time.monotonic() + 30
        while True:
            found = [one for one in list(self.events) if type is None or one[1]["type"] == type]
            if len(found) >= count:
                return found
            assert time.monotonic() < end, f"{len(found)} of {count} events after 30 s"
            time.sleep(0.02)

    def wait_a_moment(self, seconds=1):
        """Until there is an event, or not for so long."""
        end = time.monotonic() + seconds
        while not self.events and time.monotonic() < end:
            time.sleep(0.02)
