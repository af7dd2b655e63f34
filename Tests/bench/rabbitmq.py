"""A RabbitMQ of one's own for one run: its files in a scratch folder, its ports free ones."""

import os
import pathlib
import socket
import subprocess
import tempfile
import time

import amqp

HOME = pathlib.Path("/usr/lib/rabbitmq/bin")


class RabbitMQ:
    """Starts the broker and its name server in the foreground, ends both on the way out."""

    def __enter__(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="rabbitmq-bench-")
        folder = pathlib.Path(self.scratch.name)
        self.port, names, nodes = free_ports(3)
        # Room enough that no alarm holds publishers back.
        (folder / "rabbitmq.conf").write_text(
            f"listeners.tcp.1 = 127.0.0.1:{self.port}\n"
            "vm_memory_high_watermark.relative = 0.8\ndisk_free_limit.absolute = 64MB\n"
            "log.console = false\nlog.file.level = warning\n")
        (folder / "plugins").write_text("[].\n")
        environment = {
            **os.environ, "HOME": str(folder), "ERL_EPMD_PORT": str(names),
            "RABBITMQ_NODENAME": "bench@localhost", "RABBITMQ_DIST_PORT": str(nodes),
            "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq.conf"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
            "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
            "RABBITMQ_LOG_BASE": str(folder / "log"),
            "RABBITMQ_PID_FILE": str(folder / "pid")}
        self.output = open(folder / "output", "wb")
        quiet = {"env": environment, "stdout": self.output, "stderr": self.output,
                 "cwd": folder}
        self.names = subprocess.Popen(["epmd", "-port", str(names)], **quiet)
        self.process = subprocess.Popen([HOME / "rabbitmq-server"], **quiet)
        deadline = time.monotonic() + 90
        while True:
            try:
                amqp.Publisher(self.port, "ready", "classic").close()
                return self
            except (OSError, RuntimeError, ValueError):
                if time.monotonic() > deadline or self.process.poll() is not None:
                    text = (folder / "output").read_text(errors="replace")
                    self.__exit__()
                    raise RuntimeError(f"rabbitmq-server did not start: {text}") from None
                time.sleep(0.3)

    def __exit__(self, *_):
        for process in (self.process, self.names):
            process.terminate()
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.output.close()
        self.scratch.cleanup()

    def measure(self, kind, body, window, seconds):
        """Confirmed messages a second into a new queue of a kind, once warm; p50 and p99 in ms."""
        for length in (0.5, seconds):
            publisher = amqp.Publisher(self.port, f"bench-{kind}", kind)
            try:
                found = publisher.publish(body, window, length)
            finally:
                publisher.close()
        return found


def free_ports(count):
    """Ports that are free now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
