"""A wallet with deposits."""


class NotEnough(Exception):
    """The available money does not do."""

    def __init__(self, needed, available):
        super().__init__(f"needed {needed}, available {available}")
        self.needed = needed
        self.available = available


class Wallet:
    """Money, some of it tied up in deposits."""

    def __init__(self, balance=0):
        self.balance = balance
        self._holds = {}

    @property
    def held(self):
        """What all deposits come to."""
        return sum(self._holds.values())

    @property
    def available(self):
        """What can be spent."""
        return self.balance - self.held

    def _check(self, cents, least):
        if cents < least:
            raise ValueError(f"bad amount: {cents}")

    def _deposit(self, ride):
        if ride not in self._holds:
            raise LookupError(f"no hold: {ride}")
        return self._holds[ride]

    def top_up(self, cents):
        """Add money."""
        self._check(cents, 1)
        self.balance += cents

    def hold(self, ride, cents):
        """Tie up a deposit."""
        self._check(cents, 1)
        if ride in self._holds:
            raise ValueError(f"already held: {ride}")
        if cents > self.available:
            raise NotEnough(cents, self.available)
        self._holds[ride] = cents

    def capture(self, ride, cents):
        """Charge a ride and lift its deposit; the new balance."""
        self._check(cents, 0)
        deposit = self._deposit(ride)
        del self._holds[ride]
        if cents > self.available:
            raise NotEnough(cents - deposit, self.available)
        self.balance -= cents
        return self.balance

    def release(self, ride):
        """Lift a deposit; what it was."""
        deposit = self._deposit(ride)
        del self._holds[ride]
        return deposit
