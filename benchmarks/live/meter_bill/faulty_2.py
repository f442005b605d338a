from decimal import ROUND_HALF_UP, Decimal


def usage(old, new, digits=5):
    size = 10 ** digits
    for reading in (old, new):
        if reading < 0 or reading >= size:
            raise ValueError("reading does not fit")
    used = new - old
    if used <= 0:
        used += size
    return used


def _check(tiers):
    if not tiers or tiers[-1][0] is not None:
        raise ValueError("the last tier must be open")
    before = None
    for upto, _ in tiers[:-1]:
        if upto is None or (before is not None and upto <= before):
            raise ValueError("tiers must go up")
        before = upto


def cost(kwh, tiers):
    _check(tiers)
    if kwh < 0:
        raise ValueError("kwh must not be negative")
    total = Decimal(0)
    done = 0
    for upto, price in tiers:
        end = kwh if upto is None else min(kwh, upto)
        if end > done:
            total += (end - done) * price
            done = end
    return total.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


def bill(readings, tiers, fee, digits=5):
    total = Decimal(0)
    for old, new in zip(readings, readings[1:]):
        used = usage(old, new, digits)
        total += cost(used, tiers)
        if used > 0:
            total += fee
    return total
