"""A network of a database's own, that can be cut without a word to either side."""

import os
import random
import subprocess

import pytest

from .disk import run


class Network:
    """A network of its own, which a database is reached over."""

    def __enter__(self):
        # Addresses of one link, which nothing else on the machine has.
        place, block = random.SystemRandom().randrange(1, 250), random.SystemRandom().randrange(0, 64) * 4
        self.near, self.far = (f"169.254.{place}.{block + end}" for end in (1, 2))
        self.name = f"fd{os.getpid()}"
        try:
            self.holder = subprocess.Popen(
                ["unshare", "--net", "sh", "-c", "echo made; exec sleep infinity"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            said = self.holder.stdout.readline()
            if said != "made\n":
                raise OSError(said.strip())
            run("ip", "link", "add", self.name, "type", "veth", "peer", "name", "db", "netns", str(self.holder.pid))
            run("ip", "address", "add", f"{self.near}/30", "dev", self.name)
            run("ip", "link", "set", self.name, "up")
            for words in (("address", "add", f"{self.far}/30", "dev", "db"), ("link", "set", "db", "up"),
                          ("link", "set", "lo", "up")):
                run(*self.within, "ip", *words)
        except OSError as error:
            self.holder.kill()
            self.holder.wait(timeout=10)
            pytest.skip(f"a network of its own cannot be had here: {error}")
        return self

    def __exit__(self, *_):
        # With its last process the network goes, and the link with it.
        self.holder.kill()
        self.holder.wait(timeout=10)
        self.holder.stdout.close()
        subprocess.run(["ip", "link", "delete", self.name], check=False, capture_output=True)

    @property
    def within(self):
        """The words before a command that runs in it."""
        return "nsenter", "--net", "--target", str(self.holder.pid)

    def cut(self):
        """Lets nothing through from now on, in neither direction; no connection ends by that."""
        run("ip", "link", "set", self.name, "down")

    def restore(self):
        """Lets everything through again."""
        run("ip", "link", "set", self.name, "up")
