"""A PostgreSQL of the tests' own, with a schema for each installation."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import uuid

from support.binary import ROOT

# The longest start; a quiet machine needs 3 s.
LONGEST = 150


class PostgresServer:
    """One server on a Unix socket; it ends with this process, whatever ends that."""

    def __init__(self, is_kept=True, folder=None):
        # In memory where there is such a folder: what is flushed there costs no disk its time.
        base = folder or ("/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pg-", dir=base))
        self.process = subprocess.Popen(
            [ROOT / "Tests/support/postgres-server", self.folder, *["kept"][:is_kept]], stdin=subprocess.PIPE,
            start_new_session=True)
        deadline = time.monotonic() + LONGEST
        while not (self.folder / "ready").exists():
            if (self.folder / "failed").exists() or time.monotonic() > deadline:
                log = next(self.folder / name for name in ("failed", "log") if (self.folder / name).exists())
                raise RuntimeError(f"no PostgreSQL: {log.read_text(errors='replace')}")
            time.sleep(0.02)
        print(f"note: {self.ask('SELECT version()').split(' on ')[0]}")

    def ask(self, statement, address=None):
        """What psql prints for statements, the columns separated by |."""
        done = subprocess.run(
            ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", address or self.address(), "-c", statement],
            capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise RuntimeError(f"psql: {done.stderr}")
        return done.stdout.strip()

    def address(self, schema=None):
        """The server's address, with a schema of it where one is named."""
        path = f"&options=-csearch_path%3D{schema}" if schema else ""
        return f"postgresql://frontdesk@/postgres?host={self.folder}{path}"

    def make_schema(self):
        """The address of a new, empty schema."""
        name = f"t{uuid.uuid4().hex}"
        self.ask(f"CREATE SCHEMA {name}")
        return self.address(name)

    def make_database(self):
        """The address of a new, empty database: notices in others wake none of its connections."""
        name = f"d{uuid.uuid4().hex}"
        self.ask(f"CREATE DATABASE {name}")
        return self.address().replace("/postgres?", f"/{name}?")

    def control(self, *words):
        """Runs pg_ctl on it."""
        self.control_of(self.folder / "data", *words)

    def control_of(self, folder, *words):
        """Runs pg_ctl on the server of a folder."""
        self.run("pg_ctl", "-D", folder, "-w", "-s", *words, before=self.within)

    def start_again(self):
        """Starts it again after it was stopped."""
        self.control("start", "-o", self.options(5432))

    def is_gone(self):
        """Whether it has ended, whatever ended it."""
        try:
            self.ask("SELECT 1")
            return False
        except RuntimeError:
            # One that starts again by itself answers soon, or ends.
            deadline = time.monotonic() + LONGEST
            while time.monotonic() < deadline:
                try:
                    self.ask("SELECT 1")
                    return False
                except RuntimeError:
                    if not self._runs():
                        return True
                    time.sleep(0.1)
            raise

    def _runs(self):
        try:
            self.control("status")
            return True
        except RuntimeError:
            return False

    def options(self, port):
        """What a server of this folder is started with."""
        more = os.environ.get("FRONTDESK_POSTGRES_OPTIONS", "")
        return (f"-c listen_addresses='{self.listens_at}' -c port={port} -c max_connections=200 "
                f"-c unix_socket_directories={self.folder} {more}")

    def make_standby(self):
        """A standby of it, which follows it."""
        return Standby(self)

    # The words before its programs, and the addresses at which it is reached once it was started again.
    within, listens_at = (), ""

    @staticmethod
    def run(name, *words, before=()):
        """Runs a program of PostgreSQL's as the user whose server it is."""
        program = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))[-1] / name
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] if os.getuid() == 0 else []
        # A server that pg_ctl starts would keep a pipe open, and write its log into it.
        said = subprocess.DEVNULL if name == "pg_ctl" else subprocess.PIPE
        done = subprocess.run([*before, *user, program, *words], timeout=120, stdin=subprocess.DEVNULL, stdout=said,
                              stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise RuntimeError(f"{name} answered {done.returncode}: {done.stdout or ''}")

    def stop(self):
        """Stops the server at once and removes its files."""
        self.process.stdin.close()
        self.process.wait(timeout=60)
        shutil.rmtree(self.folder, ignore_errors=True)


class Standby:
    """A standby of a server, on another port in the same folder."""

    def __init__(self, primary):
        self.primary, self.folder = primary, primary.folder / "standby"
        primary.run("pg_basebackup", "-h", primary.folder, "-U", "frontdesk", "-D", self.folder, "-R", "-c", "fast")
        primary.control_of(self.folder, "start", "-o", primary.options(5433))
        self.address = f"{primary.address()}&port=5433"

    def stall(self):
        """Has it receive nothing more, as when its network is cut."""
        receiver = self.primary.ask("SELECT pid FROM pg_stat_wal_receiver", self.address)
        os.kill(int(receiver), signal.SIGSTOP)
        self.receiver = int(receiver)

    def go_on(self):
        """Has it receive again."""
        os.kill(self.receiver, signal.SIGCONT)
        self.receiver = None

    def promote(self):
        """Makes it the primary."""
        if self.receiver:
            # It ends before it reads what has come meanwhile.
            os.kill(self.receiver, signal.SIGTERM)
            os.kill(self.receiver, signal.SIGCONT)
        self.primary.control_of(self.folder, "promote")

    receiver = None

    def stop(self):
        """Stops it at once and removes its files: the server may get another one."""
        self.primary.control_of(self.folder, "stop", "-m", "immediate")
        shutil.rmtree(self.folder, ignore_errors=True)


_shared = None


def shared():
    """The one server of this process."""
    global _shared
    if _shared is None:
        _shared = PostgresServer()
    return _shared


def is_engine():
    """Whether the installations of this run have their data in PostgreSQL."""
    return os.environ.get("FRONTDESK_ENGINE") == "postgres"


def node_count():
    """How many nodes each installation of this run has, behind a balancer where they are several."""
    count = int(os.environ.get("FRONTDESK_NODES", "1"))
    assert count == 1 or is_engine(), "several nodes need FRONTDESK_ENGINE=postgres"
    return count
