"""Sweep the done items of a todo list into an archive."""

import re
from pathlib import Path

DONE = re.compile(r" *- \[[xX]\] ")


def _indent(line):
    return len(line) - len(line.lstrip(" "))


def _lines(text):
    """The lines with their ends; only LF ends a line."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _split(lines):
    """The lines that stay, the lines that move, and how many items that are."""
    stay, move, count = [], [], 0
    block, depth = False, None
    for line in lines:
        if line.startswith("```"):
            block, depth = not block, None
            stay.append(line)
        elif block:
            stay.append(line)
        elif depth is not None and line.strip() and _indent(line) > depth:
            move.append(line)
        elif DONE.match(line):
            depth = _indent(line)
            move.append(line)
            count += 1
        else:
            depth = None
            stay.append(line)
    return stay, move, count


def sweep(todo, archive, today):
    """Move the done items; how many."""
    todo, archive = Path(todo), Path(archive)
    stay, move, count = _split(_lines(todo.read_bytes().decode("utf-8")))
    if not count:
        return 0
    old = archive.read_bytes().decode("utf-8") if archive.exists() else ""
    if old and not old.endswith("\n"):
        old += "\n"
    heading = f"## {today.isoformat()}"
    headings = [line.rstrip("\r\n") for line in _lines(old) if line.startswith("## ")]
    if heading not in headings:
        old += heading + "\n"
    text = "".join(move)
    if not text.endswith("\n"):
        text += "\n"
    archive.write_bytes((old + text).encode("utf-8"))
    todo.write_bytes("".join(stay).encode("utf-8"))
    print(f"{count} item{'' if count == 1 else 's'} swept")
    return count
