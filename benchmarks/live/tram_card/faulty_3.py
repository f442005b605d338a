"""Fares of a tram line."""

MOST = 990


def _minutes(time):
    hours, minutes = time.split(":")
    return int(hours) * 60 + int(minutes)


def zone_count(start, end):
    """The zones that a trip touches."""
    return abs(ord(start) - ord(end)) + 1


def is_peak(time):
    """Whether a time lies in the peak."""
    minutes = _minutes(time)
    return 390 <= minutes < 540 or 960 <= minutes < 1110


def full_fare(trip):
    """What a trip costs on its own."""
    time, start, end = trip
    fare = min(180 + 70 * (zone_count(start, end) - 1), 530)
    if is_peak(time):
        return fare
    # three quarters of it in fives, half up
    return (3 * fare + 10) // 20 * 5


def charges(trips):
    """What each trip of a day costs."""
    result = [0] * len(trips)
    paid = 0
    last = None
    for n in range(len(trips)):
        time, start, end = trips[n]
        zones = zone_count(start, end)
        if last is not None and _minutes(time) - last[0] <= 60 and zones <= last[1]:
            continue
        last = _minutes(time), zones
        result[n] = min(full_fare(trips[n]), MOST - paid)
        paid += result[n]
    return result


def card_totals(cards):
    """What each card pays for the day."""
    totals = {}
    for number, trips in cards.items():
        total = sum(charges(trips))
        totals[number] = total // 10 * 5 if number.startswith("K") else total
    return totals
