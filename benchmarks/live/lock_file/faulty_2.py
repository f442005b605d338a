"""A lock in a file."""

import re
import time
from pathlib import Path


class LockHeld(Exception):
    """Somebody else holds the lock."""

    def __init__(self, owner, seconds_left):
        super().__init__(f"held by {owner} for {seconds_left} more seconds")
        self.owner = owner
        self.seconds_left = seconds_left


class NotOwner(Exception):
    """The lock is somebody else's."""

    def __init__(self, owner):
        super().__init__(f"lock belongs to {owner}")
        self.owner = owner


def _held(path):
    """The owner and expiry in the file, or None."""
    if not path.exists():
        return None
    found = re.fullmatch(r"(\S+) ([0-9]+)\n", path.read_text(encoding="utf-8"))
    return (found[1], int(found[2])) if found else None


def acquire(path, owner, ttl):
    """Get the lock; when it will expire."""
    path = Path(path)
    now = int(time.time())
    held = _held(path)
    if held and held[0] != owner and now < held[1]:
        raise LockHeld(held[0], held[1] - now)
    path.write_text(f"{owner} {now + ttl}\n", encoding="utf-8")
    return now + ttl


def release(path, owner):
    """Give the lock back; whether there was one."""
    path = Path(path)
    held = _held(path)
    if held is None:
        return False
    if held[0] != owner:
        if held[1] <= int(time.time()):
            path.unlink()
            return True
        raise NotOwner(held[0])
    path.unlink()
    return True
