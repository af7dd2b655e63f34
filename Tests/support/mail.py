"""A mail server of another make (aiosmtpd), which keeps what it gets as Python's e-mail parser reads it."""

import asyncio
import email
import email.policy
import re
import ssl
import threading
import time
import typing

from aiosmtpd.smtp import SMTP, AuthResult

USER, PASSWORD = "frontdesk", "swordfish with spaces"
SENDER = "desk@example.com"


class Got(typing.NamedTuple):
    """One e-mail as the server got it."""

    sender: str
    to: list
    mail: typing.Any
    is_encrypted: bool
    is_signed_in: bool
    greeting: str

    @property
    def text(self):
        """Its text, as a person reads it."""
        return self.mail.get_content().replace("\r\n", "\n")

    @property
    def links(self):
        """The tokens of its one-time links."""
        return re.findall(r"/console#invite=([\w-]+)$", self.text, re.M)


class MailServer:
    """Accepts e-mails on a free port; `answers` are given to the next ones in place of 250, None for the end of the connection. While it `stays`, it answers no QUIT."""

    def __init__(self, certificate=None, starttls=False, signs_in=False):
        self.got, self.answers, self.silent, self.stays = [], [], False, False
        context = None
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
        self.more = {"authenticator": self._authenticate, "auth_required": starttls, "auth_require_tls": starttls} if signs_in else {}
        if starttls:
            self.more |= {"tls_context": context, "require_starttls": True}
        self.context = None if starttls else context
        self.scheme = "smtps" if self.context else "smtp"
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)

    def __enter__(self):
        self.thread.start()
        # The machine's name would be looked up for each connection.
        begun = self.loop.create_server(lambda: SMTP(self, hostname="mail.test", loop=self.loop, **self.more), "127.0.0.1", 0, ssl=self.context)
        self.server = asyncio.run_coroutine_threadsafe(begun, self.loop).result(10)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_):
        self.silent = self.stays = False
        self.loop.call_soon_threadsafe(self.server.close)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)

    def flags(self, host="127.0.0.1", sender=SENDER):
        """What names it to the server."""
        return ["--mail-server", f"{self.scheme}://{host}:{self.port}", "--mail-from", sender]

    @staticmethod
    def _authenticate(_server, _session, _envelope, _mechanism, login):
        # What is not handled is answered with a refusal.
        return AuthResult(success=(login.login, login.password) == (USER.encode(), PASSWORD.encode()), handled=False)

    async def handle_DATA(self, server, session, envelope):
        """An e-mail."""
        while self.silent:
            await asyncio.sleep(0.1)
        answer = self.answers.pop(0) if self.answers else "250 OK"
        if answer is None:
            server.transport.abort()
            return "421 Gone"
        if answer.startswith("250"):
            self.got.append(Got(
                envelope.mail_from, envelope.rcpt_tos, email.message_from_bytes(envelope.content, policy=email.policy.SMTP),
                server.transport.get_extra_info("ssl_object") is not None, session.authenticated, session.host_name))
        return answer

    async def handle_QUIT(self, _server, _session, _envelope):
        """The end of a connection."""
        while self.stays:
            await asyncio.sleep(0.1)
        return "221 Bye"

    def wait(self, count, seconds=30):
        """Waits until it has so many e-mails; they."""
        end = time.monotonic() + seconds
        while len(self.got) < count:
            assert time.monotonic() < end, f"{len(self.got)} of {count} e-mails: {[one.mail['Subject'] for one in self.got]}"
            time.sleep(0.05)
        return self.got
