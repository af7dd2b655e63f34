"""Separate file systems of a test: one whose power can be cut, one that can be full."""

import fcntl
import os
import pathlib
import struct
import subprocess
import tempfile
import time

import pytest

EXT4_IOC_SHUTDOWN = 0x8004587D
WITHOUT_FLUSHING_THE_LOG = 2


def run(*words):
    """Runs a command that has to succeed."""
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise OSError(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


class Mounted:
    """A file system in its own folder, for the time of a `with`."""

    def __init__(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="frontdesk-disk-")
        self.folder = pathlib.Path(self.scratch.name) / "disk"
        self.folder.mkdir()

    def __enter__(self):
        try:
            self.mount()
        except OSError as error:
            self.scratch.cleanup()
            what = type(self).__doc__.rstrip(".")
            pytest.skip(f"{what} cannot be had here: {error}")
        return self

    def __exit__(self, *_):
        if os.path.ismount(self.folder):
            subprocess.run(["umount", "-l", self.folder], check=False)
        self.scratch.cleanup()


class PoweredDisk(Mounted):
    """A separate ext4 on a loop device."""

    def mount(self):
        """Makes the file system where there is none yet, and mounts it."""
        image = self.folder.parent / "image"
        if not image.exists():
            with open(image, "wb") as file:
                file.truncate(256 << 20)
            run("mkfs.ext4", "-q", "-F", image)
        run("mount", "-o", "loop", image, self.folder)

    def cut(self):
        """Ends the file system as a power cut does: unflushed data is gone.

        `xfs_io -x -c shutdown` does the same; this needs no time to start it. `moment`
        is just before: a flush in progress reports success although it was not done.
        (ext4 does so for a growing file in one cut of ten. In a real power cut no process would see it.)
        """
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            self.moment = time.monotonic()
            fcntl.ioctl(folder, EXT4_IOC_SHUTDOWN, struct.pack("I", WITHOUT_FLUSHING_THE_LOG))
        finally:
            os.close(folder)

    def come_back(self):
        """Power again: the file system is read again from the disk."""
        run("umount", self.folder)
        self.mount()


class SmallDisk(Mounted):
    """A file system in memory of a few megabytes."""

    def __init__(self, megabytes):
        super().__init__()
        self.megabytes = megabytes

    def mount(self):
        """Mounts it, empty."""
        run("mount", "-t", "tmpfs", "-o", f"size={self.megabytes}m", "tmpfs", self.folder)

    def grow(self, megabytes):
        """Makes room."""
        run("mount", "-o", f"remount,size={megabytes}m", self.folder)
