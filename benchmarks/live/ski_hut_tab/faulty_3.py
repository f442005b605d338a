"""Split a tab by nights."""

from decimal import Decimal


def split_tab(total, nights):
    everything = sum(nights.values())
    if any(count < 0 for count in nights.values()) or everything == 0:
        raise ValueError("there are no nights to split by")
    cents = int(abs(total) * 100)
    shares = {name: divmod(cents * count, everything) for name, count in nights.items()}
    missing = cents - sum(whole for whole, _ in shares.values())
    lucky = sorted(shares, key=lambda name: -shares[name][1])[:missing]
    paid = {name: whole + (name in lucky) for name, (whole, _) in shares.items()}
    return {name: Decimal(amount).scaleb(-2).copy_sign(total) for name, amount in paid.items()}
