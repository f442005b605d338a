"""Sort scans into an archive."""

import re
import shutil
from datetime import date
from pathlib import Path

SCAN = re.compile(r"scan_([0-9]{4})([0-9]{2})([0-9]{2})_([0-9]{3})\.[pP][dD][fF]")


def _place(name):
    """The folder and the stem that a scan gets, or None."""
    match = SCAN.fullmatch(name)
    if match is None:
        return None
    year, month, day, number = match.groups()
    try:
        date(int(year), int(month), int(day))
    except ValueError:
        return None
    return f"{year}/{month}", f"{day}-{number}"


def _target(archive, folder, stem, content):
    """The relative path for the content, and whether it is there already."""
    count = 1
    while True:
        name = f"{folder}/{stem}.pdf" if count == 1 else f"{folder}/{stem}-{count}.pdf"
        path = archive / name
        if not path.exists():
            return name, False
        if path.read_bytes() == content:
            return name, True
        count += 1


def file_scans(inbox, archive):
    """Sort the scans of the inbox into the archive; how many files met which fate."""
    inbox, archive = Path(inbox), Path(archive)
    counts = {"filed": 0, "duplicate": 0, "skipped": 0}
    for path in sorted(inbox.iterdir(), key=lambda path: path.name.lower()):
        if not path.is_file():
            continue
        place = _place(path.name)
        if place is None:
            print("skipped", path.name)
            counts["skipped"] += 1
            continue
        name, known = _target(archive, *place, path.read_bytes())
        if known:
            path.unlink()
            print("duplicate", path.name)
            counts["duplicate"] += 1
            continue
        (archive / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.move(path, archive / name)
        print("filed", path.name, "->", name)
        counts["filed"] += 1
    return counts
