"""Between a node and its database: cuts or stalls a commit at any byte, and loses or changes what either says."""

import contextlib
import pathlib
import selectors
import socket
import struct
import tempfile
import threading
import time

# How a transaction of the log begins and ends: by prepared statements, of which only the log's connection has any
# that begin; or by themselves.
BEGIN, COMMIT, ROLLBACK = b"BEGIN", b"COMMIT", b"ROLLBACK\0"
# What the connections do that follow the log, and what looks for a commit whose confirmation is lost.
LOOK, SETTLE = b"SELECT (SELECT position FROM pruned)", b"UPDATE commits SET made_at"
NOTICE = b"A"
# How long a node may be silent in a transaction, as its connections ask for it; none of as many bytes.
LIMITED, UNLIMITED = b"idle_in_transaction_session_timeout = '2s'", b"idle_in_transaction_session_timeout = '0s'"
# The answers to a prepared COMMIT, and to what ends a batch after it.
COMMITTED = b"2\0\0\0\x04n\0\0\0\x04C\0\0\0\x0bCOMMIT\0Z\0\0\0\x05I"
# The statement COMMIT, and how much later it is sent where it is answered early.
LATE_COMMIT, LATE = b"Q\0\0\0\x0bCOMMIT\0", 0.3


class Proxy:
    """A socket in a folder of its own, where a server is reached as in the server's folder."""

    def __init__(self, server):
        self.server = server
        self.scratch = tempfile.TemporaryDirectory(prefix="px-")
        self.folder = pathlib.Path(self.scratch.name)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.folder / ".s.PGSQL.5432"))
        self.listener.listen(64)
        # The byte of the log's next transaction at which something happens, and how often.
        self.at, self.times, self.stalls = None, 0, False
        # How often that was, where the messages of the last whole transaction ended, and what the client had sent.
        self.struck, self.ends, self.sent = 0, [], 0
        self.loses_notices = self.holds_looks = self.lies = False
        # Whether COMMIT is answered before it is sent, whether silence in a transaction is unlimited, and whether the
        # next node that has the log's turn stands still.
        self.answers_early = self.is_patient = self.stalls_turn = False
        # Whether a COMMIT that is owed is never sent, nor what follows it.
        self.swallows = False
        self.lines, self.selector, self.lock = [], selectors.DefaultSelector(), threading.RLock()
        self.selector.register(self.listener, selectors.EVENT_READ, None)
        self.is_open = True
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.is_open = False
        self.thread.join(timeout=10)
        with self.lock:
            for line in list(self.lines):
                line.close()
        self.listener.close()
        self.scratch.cleanup()

    def address(self, address):
        """An address of the server's, by way of here."""
        return address.replace(f"host={self.server.folder}", f"host={self.folder}")

    def arm(self, at, times=1, stalls=False):
        """Ends the connection of the log's next transaction at a byte; or stops forwarding, and leaves it open.

        Bytes towards the server are counted from the first of BEGIN on, then those of the answers that end with
        the one to COMMIT.
        """
        with self.lock:
            self.at, self.times, self.stalls = at, times, stalls

    def disarm(self):
        """Lets everything through again; returns how often something happened."""
        with self.lock:
            self.at = None
            return self.struck

    def cut(self):
        """Ends every connection, of those that are stalled too."""
        with self.lock:
            for line in list(self.lines):
                line.close()

    def swallow(self):
        """From now on sends no COMMIT that is owed; returns whether one is."""
        with self.lock:
            self.swallows = True
            return any(line.owes is not None for line in self.lines)

    def hold(self, is_held):
        """Keeps back everything in both directions, and lets it go on."""
        with self.lock:
            for line in self.lines:
                line.is_held = is_held
                if not is_held:
                    line.pump()

    def _run(self):
        while self.is_open:
            for key, _ in self.selector.select(0.05):
                with self.lock, contextlib.suppress(KeyError):
                    if key.data is None:
                        Line(self, self.listener.accept()[0])
                    elif not key.data[0].is_closed:
                        key.data[0].read(key.fileobj, key.data[1])
            with self.lock:
                for line in list(self.lines):
                    line.commit_late()


class Line:
    """One connection: whole messages are forwarded, except where one is cut."""

    def __init__(self, proxy, client):
        self.proxy, self.client = proxy, client
        self.server = socket.socket(socket.AF_UNIX)
        self.server.connect(str(proxy.server.folder / ".s.PGSQL.5432"))
        self.is_closed = self.is_stalled = self.is_held = False
        self.from_client, self.from_server, self.has_begun = bytearray(), bytearray(), False
        # In a transaction of the log: the bytes so far, and the ends of its messages.
        self.count, self.ends, self.is_answer, self.sent = None, [], False, 0
        # The names of prepared statements that begin or end one, and whether its end was sent.
        self.statements, self.is_ending = {}, False
        self.looks = self.settles = False
        # Since when a COMMIT is owed that was answered, and whether what comes is the answer to it.
        self.owes, self.is_unasked = None, False
        proxy.lines.append(self)
        proxy.selector.register(client, selectors.EVENT_READ, (self, True))
        proxy.selector.register(self.server, selectors.EVENT_READ, (self, False))

    def close(self):
        """Ends it on both sides."""
        self.is_closed = True
        self.proxy.lines.remove(self)
        for end in (self.client, self.server):
            with contextlib.suppress(KeyError):
                self.proxy.selector.unregister(end)
            end.close()

    def read(self, end, is_client):
        """Reads what came from one side."""
        try:
            data = end.recv(1 << 18)
        except OSError:
            data = b""
        if not data and self.is_stalled and not is_client:
            # The node hears nothing of it.
            return self.proxy.selector.unregister(end)
        if not data:
            return self.close()
        (self.from_client if is_client else self.from_server).extend(data)
        return self.pump()

    def pump(self):
        """Forwards what is whole."""
        if self.is_closed or self.is_stalled or self.is_held:
            return
        try:
            while not self.is_closed and (message := self._next(self.from_client, self.has_begun)):
                self.has_begun = True
                self._to_server(message)
            while not self.is_closed and (message := self._next(self.from_server, True)):
                self._to_client(message)
        except OSError:
            if not self.is_closed:
                self.close()

    def commit_late(self, must=False):
        """Sends a COMMIT that was answered early, when its time has come or something follows it."""
        if self.owes is None or self.proxy.swallows or not must and time.monotonic() - self.owes < LATE:
            return
        self.owes, self.is_unasked = None, True
        with contextlib.suppress(OSError):
            self.server.sendall(LATE_COMMIT)

    def _next(self, buffer, is_typed):
        """The first message, if all of it is there."""
        start = 1 if is_typed else 0
        if self.is_stalled or self.is_held or len(buffer) < start + 4:
            return None
        size = start + struct.unpack_from("!I", buffer, start)[0]
        if len(buffer) < size:
            return None
        message = bytes(buffer[:size])
        del buffer[:size]
        return message

    def _to_server(self, message):
        proxy = self.proxy
        self.looks |= message[:1] == b"P" and LOOK in message
        self.settles |= message[:1] == b"P" and SETTLE in message
        if self.looks and proxy.holds_looks:
            return
        if message[:1] == b"P":
            name, statement = message[5:].split(b"\0")[:2]
            if statement in (BEGIN, COMMIT):
                self.statements[name] = statement
        if proxy.is_patient:
            message = message.replace(LIMITED, UNLIMITED)
        self.commit_late(must=True)
        if self.owes is not None:
            return None
        bound = self.statements.get(message[5:].split(b"\0")[1]) if message[:1] == b"B" else None
        if bound == BEGIN:
            self.count, self.ends, self.is_answer, self.is_ending = 0, [], False, False
        elif message[:1] == b"Q" and message.endswith(ROLLBACK):
            self.count = None
        if self.count is None:
            return self.server.sendall(message)
        if proxy.answers_early and (bound == COMMIT or self.is_ending and message[:1] != b"S"):
            self.is_ending = True
            return None
        if self._strikes(message, self.server):
            return None
        self.server.sendall(message)
        self.ends.append(self.count)
        self.is_ending |= bound == COMMIT
        # Sent with the rows, all of them are answered after the message that says that nothing more is sent.
        if self.is_ending and message[:1] == b"S" or message[:1] == b"Q" and message.endswith(COMMIT + b"\0"):
            self.is_answer, self.sent = True, self.count
        return None

    def _to_client(self, message):
        proxy = self.proxy
        if proxy.loses_notices and message[:1] == NOTICE:
            return None
        if proxy.lies and self.settles:
            message = message.replace(b"UPDATE 0\0", b"UPDATE 1\0")
        if self.is_unasked:
            self.is_unasked = message[:1] != b"Z"
            return None
        if proxy.stalls_turn and self.count is not None and message[:1] == b"Z" and message[5:] == b"T":
            proxy.stalls_turn, self.is_stalled = False, True
            proxy.struck += 1
            return None
        if proxy.answers_early and self.is_ending and self.is_answer and message[:1] == b"Z" and message[5:] == b"T":
            self.count, self.is_ending, self.owes = None, False, time.monotonic()
            return self.client.sendall(COMMITTED)
        if self.is_answer and self.count is not None:
            if self._strikes(message, self.client):
                return None
            self.ends.append(self.count)
            if message[:1] == b"Z":
                proxy.ends, proxy.sent, self.count = self.ends, self.sent, None
        return self.client.sendall(message)

    def _strikes(self, message, end):
        """Counts a message; whether something happens at a byte of it, which is done then."""
        proxy, before = self.proxy, self.count
        self.count += len(message)
        if proxy.at is None or self.count <= proxy.at:
            return False
        end.sendall(message[:proxy.at - before])
        proxy.struck += 1
        proxy.times -= 1
        if proxy.times == 0:
            proxy.at = None
        if proxy.stalls:
            self.is_stalled = True
        else:
            self.close()
        return True
