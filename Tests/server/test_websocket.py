"""The pages' WebSocket against a client library of others, and against broken frames."""

import json
import threading

import pytest
from support.server import Customer, Session
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

HELLO = '{"type":"hello"}'


@pytest.fixture(scope="module")
def shop(server, owner, sandbox):
    """A key's session with the conversation it writes to."""
    program = Session(server, key=server.make_key(sandbox["id"], "socket"))
    program.conversation = Customer(server, sandbox["id"]).say("Hello")["message"]["conversation"]
    return program


def opened(server, shop, **more):
    """A WebSocket of the key's, before its first frame."""
    return connect(f"ws://127.0.0.1:{server.port}/api/live", compression=None, max_size=None,
                   additional_headers={"Authorization": shop.headers["Authorization"]}, **more)


def until(socket, kind, text=None):
    """The next event of a kind, of a message with a text where one is named.

    On several nodes a stream may begin before its node has heard of what another one accepted.
    """
    while True:
        event = json.loads(socket.recv(timeout=20))
        if event["type"] == kind and (text is None or event["data"]["message"]["payload"]["body"] == text):
            return event


def say(shop, text):
    """Sends a message by the API."""
    return shop.post(f"/api/conversations/{shop.conversation}/messages",
                     {"type": "text", "body": text}, 201)


def test_events_follow_a_hello_in_one_frame_or_many(server, shop):
    for hello in (HELLO, ['{"type":', "", '"hel', 'lo"}']):
        with opened(server, shop) as socket:
            socket.send(hello)
            until(socket, "live")
            say(shop, "κόσμε 😀")
            until(socket, "message.accepted", "κόσμε 😀")


def test_pings_are_answered_between_the_fragments_of_a_message(server, shop):
    with opened(server, shop) as socket:
        assert socket.ping(b"first").wait(timeout=20)
        answered = threading.Event()

        def pieces():
            yield '{"type":'
            # Answered while the message is unfinished, or the test ends here.
            assert socket.ping(b"x" * 125).wait(timeout=20)
            answered.set()
            yield '"hello"}'

        socket.send(pieces())
        until(socket, "live")
        assert answered.is_set()


@pytest.mark.parametrize("code", [1000, 1001, 1002, 1003, 1007, 1011, 3000, 4999])
def test_a_close_is_answered_with_its_code(server, shop, code):
    with opened(server, shop) as socket:
        socket.send(HELLO)
        until(socket, "live")
        socket.close(code=code, reason="enough")
        assert socket.protocol.close_rcvd.code == code
        assert socket.protocol.close_rcvd_then_sent is False


def masked(first, payload, length=None):
    """A client's frame, masked with zeros."""
    size = len(payload)
    if length is None:
        length = (bytes([0x80 | size]) if size < 126 else
                  b"\xfe" + size.to_bytes(2, "big") if size < 65536 else
                  b"\xff" + size.to_bytes(8, "big"))
    return bytes([first]) + length + bytes(4) + payload


BROKEN = {
    "an unmasked frame": (b"\x81\x01a", 1002),
    "a reserved bit": (masked(0xC1, b"a"), 1002),
    "a reserved opcode": (masked(0x83, b"a"), 1002),
    "a reserved control opcode": (masked(0x8B, b""), 1002),
    "a continuation of nothing": (masked(0x80, b"a"), 1002),
    "a message inside a message": (masked(0x01, b"a") + masked(0x81, b"b"), 1002),
    "a fragmented ping": (masked(0x09, b""), 1002),
    "a ping of 126 bytes": (masked(0x89, bytes(126)), 1002),
    "a length written too long": (masked(0x81, b"a", b"\xfe\x00\x01"), 1002),
    "a close of one byte": (masked(0x88, b"\x03"), 1002),
    "a close with code 1005": (masked(0x88, b"\x03\xed"), 1002),
    "a close with code 2999": (masked(0x88, b"\x0b\xb7"), 1002),
    "a close with a reason that is no text": (masked(0x88, b"\x03\xe8\xff"), 1007),
    "text that is no UTF-8": (masked(0x81, b"\xed\xa0\x80"), 1007),
    "text cut inside a character": (masked(0x81, b"\xe3\x81"), 1007),
    "a binary message": (masked(0x82, b"a"), 1003),
    "a frame that says nothing known": (masked(0x81, b"{}"), 1008),
    "a message of 64 KiB and one byte": (masked(0x81, b"a" * 65537), 1009),
    "a message of 64 KiB and one byte in two frames":
        (masked(0x01, b"a" * 65536) + masked(0x80, b"a"), 1009),
    "65 fragments": (masked(0x01, b"") + masked(0x00, b"") * 64, 1009),
    "a second hello": (masked(0x81, HELLO.encode()), 1008),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_violation_of_the_protocol_is_closed_with_its_code(server, shop, name):
    frames, code = BROKEN[name]
    with opened(server, shop) as socket:
        socket.send(HELLO)
        until(socket, "live")
        socket.socket.sendall(frames)
        with pytest.raises(ConnectionClosed) as end:
            while True:
                socket.recv(timeout=20)
        assert end.value.rcvd.code == code
    assert server.process.poll() is None


def test_a_message_of_64_kib_in_64_frames_is_no_more_than_allowed(server, shop):
    padding = " " * (65536 - len(HELLO))
    text = HELLO + padding
    with opened(server, shop) as socket:
        # 63 of them, and the empty one by which the library ends a message.
        socket.send([text[start:start + 1041] for start in range(0, 65536, 1041)])
        until(socket, "live")


def test_a_request_that_is_no_handshake_opens_nothing(server, shop):
    for headers, status in [({"Sec-WebSocket-Version": "8"}, 426)]:
        answer = shop.get(f"{server.url}/api/live", timeout=20, headers={
            "Connection": "Upgrade", "Upgrade": "websocket",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", **headers})
        assert answer.status_code == status
    assert shop.get(f"{server.url}/api/live", timeout=20).status_code == 400
    with pytest.raises(InvalidStatus) as refused:
        connect(f"ws://localhost:{server.port}/api/live",
                additional_headers={"Authorization": "Bearer fd_live_nobody"})
    assert refused.value.response.status_code == 401
