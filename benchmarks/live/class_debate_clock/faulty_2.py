"""A speaking clock."""

from contextlib import contextmanager


class TimeUp(Exception):
    """The speaker has no time left."""

    def __init__(self, name):
        super().__init__(f"no time left: {name}")
        self.name = name


class DebateClock:
    """Who is speaking, and how long everybody may."""

    def __init__(self, names, seconds, clock):
        self._left = dict.fromkeys(names, seconds)
        self._clock = clock
        self._speaker = None
        self._since = 0
        self._turns = []

    def _known(self, name):
        if name not in self._left:
            raise LookupError(f"unknown speaker: {name}")

    def _used(self):
        """The seconds of the running turn so far."""
        return min(self._clock() - self._since, self._left[self._speaker])

    def _settle(self):
        """End the running turn if its time is used up."""
        if self._speaker is not None and self._used() >= self._left[self._speaker]:
            self._end()

    def _end(self):
        used = self._used()
        self._left[self._speaker] -= used
        if used:
            self._turns.append((self._speaker, used))
        self._speaker = None

    @property
    def speaking(self):
        """Who is speaking."""
        self._settle()
        return self._speaker

    @property
    def turns(self):
        """All turns that have ended."""
        self._settle()
        return list(self._turns)

    def start(self, name):
        """Let somebody speak."""
        self._known(name)
        if self.speaking == name:
            return
        self.pause()
        if self._left[name] <= 0:
            raise TimeUp(name)
        self._speaker = name
        self._since = self._clock()

    def pause(self):
        """Let nobody speak."""
        if self.speaking is not None:
            self._end()

    def left(self, name):
        """The seconds somebody has left."""
        self._known(name)
        return self._left[name] - (self._used() if self.speaking == name else 0)

    def bonus(self, name, seconds):
        """Give somebody more time."""
        self._known(name)
        if seconds < 1:
            raise ValueError(f"bad bonus: {seconds}")
        self._settle()
        self._left[name] += seconds

    @contextmanager
    def interruption(self):
        """Pause, and let the speaker go on afterwards."""
        speaker = self.speaking
        self.pause()
        try:
            yield
        finally:
            if speaker is not None and self.speaking is None and self._left[speaker] > 0:
                self.start(speaker)
