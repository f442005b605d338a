"""A light board with scenes."""


def _check(channel, level):
    if not 0 <= level <= 100:
        raise ValueError(f"bad level for {channel}: {level}")


class _Scene:
    """Changes of the board that are taken back."""

    def __init__(self, board, changes):
        self._board = board
        self._changes = changes
        self._kept = set()
        self._before = None

    def keep(self, channel):
        """Spare a channel when the scene is left."""
        self._kept.add(channel)

    def __enter__(self):
        if self._before is not None:
            raise RuntimeError("scene already used")
        self._before = self._board.levels
        for channel, level in self._changes.items():
            self._board[channel] = level
        return self

    def __exit__(self, *_):
        now = self._board.levels
        kept = {channel: now[channel] for channel in self._kept if channel in now}
        self._board._levels = {**self._before, **kept}
        return False


class LightBoard:
    """Channels and their levels."""

    def __init__(self, levels):
        for channel, level in levels.items():
            _check(channel, level)
        self._levels = dict(levels)

    @property
    def levels(self):
        """All channels on the board."""
        return dict(self._levels)

    def __getitem__(self, channel):
        return self._levels.get(channel, 0)

    def __setitem__(self, channel, level):
        _check(channel, level)
        self._levels[channel] = level

    def scene(self, changes):
        """A scene with these changes."""
        for channel, level in changes.items():
            _check(channel, level)
        return _Scene(self, changes)
