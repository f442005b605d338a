"""A drawer of seeds that hands out the oldest first."""


class TooFewSeeds(Exception):
    """There are not enough good packets."""

    def __init__(self, variety, missing):
        super().__init__(f"{variety}: {missing} packets short")
        self.variety = variety
        self.missing = missing


class _Lot:
    def __init__(self, variety, packets, best_before):
        self.variety = variety
        self.packets = packets
        self.best_before = best_before

    def good(self, today):
        return today <= self.best_before


def _check(packets):
    if packets < 1:
        raise ValueError(f"bad number of packets: {packets}")


class SeedDrawer:
    """Lots of seed packets with best-before days."""

    def __init__(self):
        self._lots = {}

    @property
    def lots(self):
        """Labels and packets, in the order they were added."""
        return [(label, lot.packets) for label, lot in self._lots.items()]

    def add(self, lot, variety, packets, best_before):
        """Put in a lot."""
        _check(packets)
        if lot in self._lots:
            raise ValueError(f"lot exists: {lot}")
        self._lots[lot] = _Lot(variety, packets, best_before)

    def _good(self, variety, today):
        return [label for label, lot in self._lots.items() if lot.variety == variety and lot.good(today)]

    def count(self, variety, today):
        """How many packets of a variety are good."""
        return sum(self._lots[label].packets for label in self._good(variety, today))

    def take(self, variety, packets, today):
        """Hand out packets, the oldest first, all or none."""
        _check(packets)
        missing = packets - self.count(variety, today)
        if missing > 0:
            raise TooFewSeeds(variety, missing)
        taken = []
        for label in sorted(self._good(variety, today), key=lambda label: self._lots[label].best_before):
            lot = self._lots[label]
            number = min(packets, lot.packets)
            if number == 0:
                break
            taken.append((label, number))
            packets -= number
            lot.packets -= number
            if lot.packets == 0:
                del self._lots[label]
        return taken

    def clear_out(self, today):
        """Throw away what is not good any more; the labels."""
        old = [label for label, lot in self._lots.items() if not lot.good(today)]
        for label in old:
            del self._lots[label]
        return old
