import csv
import re
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

CENT = Decimal("0.01")
COLUMNS = ("person", "date", "net", "vat")


def _check(cells, header):
    """Return (person, day, net, vat) of a good row, else None."""
    if len(cells) != len(header):
        return None
    person, day, net, vat = (cells[header.index(name)] for name in COLUMNS)
    if not person or vat not in ("0", "5", "20"):
        return None
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", day):
        return None
    try:
        date.fromisoformat(day)
    except ValueError:
        return None
    if not re.fullmatch(r"-?[0-9]+(\.[0-9]{1,2})?", net):
        return None
    amount = Decimal(net)
    if amount == 0:
        return None
    return person, day, amount, int(vat)


def _line(name, count, net, vat):
    amounts = [(value + 0).quantize(CENT) for value in (net, vat, net + vat)]
    return [name, count, *amounts]


def _write(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def expense_report(source, report, rejects):
    with open(source, encoding="utf-8", newline="") as file:
        rows = [[cell.strip() for cell in row] for row in csv.reader(file) if row]
    header = rows[0] if rows else []
    if any(name not in header for name in COLUMNS):
        raise ValueError("a column is missing")
    persons = {}
    seen = set()
    rejected = []
    for number, cells in enumerate(rows[1:], 1):
        good = _check(cells, header)
        if good is not None:
            person, day, net, percent = good
            key = person.lower()
            if (key, day, net, percent) in seen:
                good = None
        if good is None:
            rejected.append([number, *cells])
            continue
        seen.add((key, day, net, percent))
        vat = (net * percent / 100).quantize(CENT, rounding=ROUND_HALF_UP)
        entry = persons.setdefault(key, [person, 0, Decimal(0), Decimal(0)])
        entry[1] += 1
        entry[2] += net
        entry[3] += vat
    lines = [["person", "count", "net", "vat", "gross"]]
    for key in sorted(persons, key=lambda one: persons[one][0]):
        lines.append(_line(*persons[key]))
    if persons:
        everything = list(persons.values())
        lines.append(
            _line(
                "TOTAL",
                sum(entry[1] for entry in everything),
                sum((entry[2] for entry in everything), Decimal(0)),
                sum((entry[3] for entry in everything), Decimal(0)),
            )
        )
    _write(report, lines)
    if rejected:
        _write(rejects, [["row", *header], *rejected])
    else:
        Path(rejects).unlink(missing_ok=True)
    return len(seen), len(rejected)
