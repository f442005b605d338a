"""A leg of darts."""

import re

DART = re.compile(r"([DT]?)([1-9]|1[0-9]|20)")


def _value(dart):
    """The points of a dart, and whether it is a double."""
    text = dart.upper()
    if text in ("0", "25"):
        return int(text), False
    if text == "BULL":
        return 50, True
    match = DART.fullmatch(text)
    if match is None:
        raise ValueError(f"not a dart: {dart!r}")
    return int(match[2]) * {"": 1, "D": 2, "T": 3}[match[1]], match[1] == "D"


class DartsLeg:
    """Who has how many points left."""

    def __init__(self, players, start=501):
        if not players or len(set(players)) < len(players) or start < 2:
            raise ValueError("such a leg cannot be played")
        self._players = list(players)
        self._start = start
        self._left = dict.fromkeys(players, start)
        self._thrown = dict.fromkeys(players, 0)
        self._turn = 0
        self._darts = 0
        self._before = start
        self._winner = None
        self._history = []

    @property
    def current(self):
        """Whose dart is next."""
        return None if self._winner is not None else self._players[self._turn]

    @property
    def winner(self):
        """Who has won."""
        return self._winner

    def throw(self, dart):
        """The next dart; what its thrower has left."""
        if self._winner is not None:
            raise RuntimeError("the leg is over")
        points, double = _value(dart)
        self._history.append((dict(self._left), dict(self._thrown), self._turn, self._darts, self._before))
        player = self._players[self._turn]
        left = self._left[player] - points
        bust = left < 0 or left == 1 or (left == 0 and not double)
        self._left[player] = self._before if bust else left
        self._thrown[player] += 1
        self._darts += 1
        if left == 0 and not bust:
            self._winner = player
        elif bust or self._darts == 3:
            self._turn = (self._turn + 1) % len(self._players)
            self._darts = 0
            self._before = self._left[self._players[self._turn]]
        return self._left[player]

    def undo(self):
        """Take the last dart back."""
        if not self._history:
            raise IndexError("no dart has been thrown")
        self._left, self._thrown, self._turn, self._darts, self._before = self._history.pop()
        self._winner = None

    def remaining(self, player):
        """The points of a player."""
        return self._left[player]

    def average(self, player):
        """The points for three darts."""
        darts = self._thrown[player]
        if not darts:
            return 0.0
        points = self._start - self._left[player]
        # tenths, half up
        return (60 * points + darts) // (2 * darts) / 10
