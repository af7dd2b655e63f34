"""HAProxy in front of several servers: every request and every reconnect goes to another one."""

import pathlib
import socket
import subprocess
import time

CONFIGURATION = """
global
    maxconn 4000
    # The servers say themselves which line is too long; a balancer with less would answer a page of its own.
    tune.bufsize 131072
defaults
    mode http
    timeout connect 5s
    timeout client 300s
    timeout server 300s
    timeout tunnel 1h
    # A busy machine lets a node that is well wait for longer than the time between two checks.
    timeout check 2s
    retries 3
    option redispatch
    option abortonclose
    http-reuse never
frontend all
    bind fd@{descriptor}
    default_backend nodes
backend nodes
    balance roundrobin
    option httpchk
    http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host nodes
    default-server check inter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
"""


class Balancer:
    """One HAProxy on a free port; its nodes are named once they run."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=1_000)
        self.port = self.socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = None

    def start(self, ports):
        """Sends requests by turns to these ports of this machine."""
        servers = "\n".join(f"    server node{number} 127.0.0.1:{port}" for number, port in enumerate(ports))
        file = self.folder / "haproxy.cfg"
        file.write_text(CONFIGURATION.format(descriptor=self.socket.fileno(), servers=servers))
        self.log = open(self.folder / "haproxy.log", "ab")
        self.process = subprocess.Popen(
            ["haproxy", "-db", "-f", file], pass_fds=[self.socket.fileno()], stdout=self.log, stderr=self.log)
        deadline = time.monotonic() + 60
        while not self._answers():
            assert self.process.poll() is None and time.monotonic() < deadline, (
                f"no HAProxy: {(self.folder / 'haproxy.log').read_text()}")
            time.sleep(0.02)

    def _answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as line:
                line.sendall(b"GET /readyz HTTP/1.0\r\nHost: nodes\r\n\r\n")
                return b" 200 " in line.recv(64)
        except OSError:
            return False

    def stop(self):
        """Ends it at once."""
        if self.process:
            self.process.kill()
            self.process.wait(timeout=10)
            self.process = None
            self.log.close()
