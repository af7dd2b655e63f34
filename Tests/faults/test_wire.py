"""The faults' own reader of HTTP answers finds them wherever the bytes are cut."""

from faults.wire import Answers

COUNTED = b"HTTP/1.1 201 Created\r\nContent-Length: 7\r\n\r\none\r\n\r\n"
EMPTY = b"HTTP/1.1 304 Not Modified\r\n\r\n"
CHUNKED = (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
           b"10\r\n{\"type\":\"start\"}\r\n6\r\n\r\n\r\nab\r\n0\r\n\r\n")
EXPECTED = [(200, b'{"type":"start"}\r\n\r\nab'), (304, b""), (201, b"one\r\n\r\n"), (200, b'{"type":"start"}\r\n\r\nab')]
WIRE = CHUNKED + EMPTY + COUNTED + CHUNKED


def test_answers_are_found_wherever_they_are_cut():
    for cut in range(len(WIRE) + 1):
        answers = Answers()
        found = answers.feed(WIRE[:cut]) + answers.feed(WIRE[cut:])
        assert [(status, body) for status, _, body in found] == EXPECTED, cut
        assert not answers.buffer, cut


def test_answers_are_found_byte_by_byte():
    answers = Answers()
    found = [one for byte in WIRE for one in answers.feed(bytes([byte]))]
    assert [(status, body) for status, _, body in found] == EXPECTED
