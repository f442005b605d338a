"""Seats of a cinema."""

import re
from typing import NamedTuple


class SeatError(ValueError):
    """A text that names no seats, or a booking that can't be."""


class Seat(NamedTuple):
    row: str
    number: int


_PART = re.compile(r"([A-Z])([0-9]+)(?:-([0-9]+))?")


def parse_seats(text):
    seats = set()
    if not text.strip():
        return seats
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if match is None:
            raise SeatError(f"no seats: {part!r}")
        first = int(match[2])
        last = first if match[3] is None else int(match[3])
        if first < 1 or last < first:
            raise SeatError(f"no seats: {part!r}")
        seats.update(Seat(match[1], number) for number in range(first, last + 1))
    return seats


def format_seats(seats):
    runs = []
    for seat in sorted(set(seats)):
        if runs and runs[-1][0] == seat.row and runs[-1][2] == seat.number - 1:
            runs[-1][2] = seat.number
        else:
            runs.append([seat.row, seat.number, seat.number])
    parts = []
    for row, first, last in runs:
        if last - first >= 2:
            parts.append(f"{row}{first}-{last}")
        else:
            parts.extend(f"{row}{number}" for number in range(first, last + 1))
    return ", ".join(parts)


def free_runs(taken, row, width):
    runs = []
    for number in range(1, width + 1):
        if Seat(row, number) in taken:
            continue
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def choose_seats(taken, row, width, party):
    over = [(last - first + 1 - party, first) for first, last in free_runs(taken, row, width)]
    over = [(left, first) for left, first in over if left >= 0]
    if not over:
        return None
    _, start = min(over, key=lambda pair: pair)
    return [Seat(row, number) for number in range(start, start + party)]


def book(taken_text, rows, width, party):
    if party < 1:
        raise SeatError(f"nobody to seat: {party}")
    taken = parse_seats(taken_text)
    for row in rows:
        seats = choose_seats(taken, row, width, party)
        if seats is not None:
            return format_seats(taken.union(seats))
    raise SeatError("sold out")
