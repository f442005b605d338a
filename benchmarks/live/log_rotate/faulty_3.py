"""Rotate log files."""

import re
from pathlib import Path


def _backup(path, number):
    return path.with_name(f"{path.name}.{number}")


def rotate(path, keep):
    """Move the log into its backups; whether there was anything to move."""
    if keep < 0:
        raise ValueError("keep must not be negative")
    path = Path(path)
    if not path.exists() or path.stat().st_size == 0:
        return False
    if keep > 0:
        free = 1
        while _backup(path, free).exists():
            free += 1
        for number in range(free - 1, 0, -1):
            _backup(path, number).rename(_backup(path, number + 1))
        path.rename(_backup(path, 1))
        for number in range(keep + 1, free + 1):
            _backup(path, number).unlink()
    path.write_bytes(b"")
    return True


def backups(path):
    """The names of the log's backups by number."""
    path = Path(path)
    numbers = []
    for other in path.parent.iterdir():
        found = re.fullmatch(re.escape(path.name) + r"\.([1-9][0-9]*)", other.name)
        if found and other.is_file():
            numbers.append(int(found.group(1)))
    return [f"{path.name}.{number}" for number in sorted(numbers)]
