"""Clean up a customer CSV."""

import csv
import re
from pathlib import Path


def _problem(cells):
    if len(cells) != 3:
        return f"{len(cells)} cells instead of 3"
    if not cells[1]:
        return "no email"
    try:
        int(cells[2])
    except ValueError:
        return f"bad amount '{cells[2]}'"
    return None


def clean(source, target, rejects):
    """Write the good rows to the target, and what's wrong with the others to the rejects."""
    lines = Path(source).read_text(encoding="utf-8").splitlines()
    rows, problems, seen, duplicates = [], [], set(), 0
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in next(csv.reader([line]))]
        problem = _problem(cells)
        if problem:
            problems.append(f"line {number}: {problem}\n")
            continue
        cells[1] = cells[1].lower()
        if cells[1] in seen:
            duplicates += 1
            continue
        seen.add(cells[1])
        rows.append(cells)
    with open(target, "w", encoding="utf-8", newline="") as file:
        file.write(lines[0] + "\n")
        csv.writer(file, lineterminator="\n").writerows(rows)
    if problems:
        Path(rejects).write_text("".join(problems), encoding="utf-8", newline="\n")
    else:
        Path(rejects).unlink(missing_ok=True)
    return {"kept": len(rows), "duplicates": duplicates, "rejected": len(problems)}
