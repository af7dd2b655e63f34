"""Receivers of webhooks for a benchmark: one that is well and three that are sick, in a process each kind, so that
what keeps the sick ones busy does not delay what comes at the other."""

import asyncio
import json
import multiprocessing
import re
import time

LENGTH = re.compile(rb"content-length: (\d+)", re.I)


async def receive(reader, writer, answer):
    """Reads posts on one connection, and has `answer` say what each is answered; None is never answered."""
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            body = await reader.readexactly(int(LENGTH.search(head).group(1)))
            status = answer(body)
            if status is None:
                await asyncio.sleep(3_600)
            writer.write(b"HTTP/1.1 %d X\r\nContent-Length: 0\r\n\r\n" % status)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    except asyncio.CancelledError:
        # The end of the run.
        return
    finally:
        writer.close()


async def serve(control):
    """Serves until the other end of the pipe says so."""
    arrived, is_sick = [], False

    def healthy(body):
        # A new endpoint is tried first, with an event that has no message.
        if message := json.loads(body)["data"].get("message"):
            arrived.append((message["id"], time.time()))
        return 200

    async def listen(answer):
        return await asyncio.start_server(
            lambda reader, writer: receive(reader, writer, answer), "127.0.0.1", 0, backlog=1_024)

    well, failing, silent, closed = [await listen(answer) for answer in (
        healthy, lambda _: 500 if is_sick else 200, lambda _: None if is_sick else 200, lambda _: 200)]
    control.send([server.sockets[0].getsockname()[1] for server in (well, failing, silent, closed)])
    while True:
        while not control.poll():
            await asyncio.sleep(0.05)
        match control.recv():
            case "forget":
                arrived.clear()
                control.send(0)
            case "count":
                control.send(len(arrived))
            case "arrived":
                control.send(arrived)
            case "sicken":
                is_sick = True
                closed.close()
                control.send(0)
            case _:
                return


class Receivers:
    """`healthy` answers 200 and notes what came when; `sick` answers 500, never, or refuses connections, once it is to."""

    def __init__(self):
        self.processes = []

    def __enter__(self):
        self.control, well = self.start()
        self.sick_control, others = self.start()
        self.healthy, self.sick = well[0], others[1:]
        return self

    def start(self):
        """Starts a process; the end of its pipe, and the addresses of its receivers."""
        ours, theirs = multiprocessing.Pipe()
        process = multiprocessing.Process(target=lambda: asyncio.run(serve(theirs)), daemon=True)
        process.start()
        self.processes.append(process)
        return ours, [f"http://127.0.0.1:{port}" for port in ours.recv()]

    def __exit__(self, *_):
        for control in (self.control, self.sick_control):
            control.send("end")
        for process in self.processes:
            process.join(5)
            process.kill()

    def ask(self, word):
        """What the process answers."""
        self.control.send(word)
        return self.control.recv()

    def forget(self):
        """Forgets what came until now."""
        self.ask("forget")

    def sicken(self):
        """Has the sick ones be so from now on: while endpoints are added each is tried."""
        self.sick_control.send("sicken")
        self.sick_control.recv()

    def wait(self, count):
        """What came, once it is so much: ids of messages, and when each came."""
        end = time.monotonic() + 120
        while (there := self.ask("count")) < count:
            assert time.monotonic() < end, f"{there} of {count} arrived"
            time.sleep(0.1)
        return self.ask("arrived")
