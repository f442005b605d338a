"""The drawer of a till."""


class NoChange(Exception):
    """An amount that cannot be paid exactly."""

    def __init__(self, amount, short):
        super().__init__(f"{amount} cannot be paid, {short} short")
        self.amount = amount
        self.short = short


def take_in(drawer, pieces):
    """Put the pieces into the drawer; their sum."""
    if any(piece <= 0 for piece in pieces):
        raise ValueError("a piece must be worth something")
    for piece in pieces:
        drawer[piece] = drawer.get(piece, 0) + 1
    return sum(pieces)


def pay_change(drawer, amount):
    """Take the amount out of the drawer with as few pieces as possible."""
    if amount < 0:
        raise ValueError("a negative amount")
    values = sorted((value for value, count in drawer.items() if count > 0), reverse=True)
    # ways[n]: for each payable sum the fewest pieces out of values[n:]
    ways = [{0: 0}]
    for value in reversed(values):
        table = {}
        for total, pieces in ways[0].items():
            for count in range(drawer[value] + 1):
                new = total + count * value
                if new > amount:
                    break
                if table.get(new, pieces + count + 1) > pieces + count:
                    table[new] = pieces + count
        ways.insert(0, table)
    if amount not in ways[0]:
        raise NoChange(amount, amount - max(ways[0]))
    paid, rest = {}, amount
    for n, value in enumerate(values):
        for count in range(min(drawer[value], rest // value) + 1):
            if ways[n + 1].get(rest - count * value, -1) == ways[n][rest] - count:
                break
        if count:
            paid[value] = count
            rest -= count * value
    for value, count in paid.items():
        drawer[value] -= count
    return paid
