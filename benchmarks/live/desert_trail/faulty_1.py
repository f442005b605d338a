"""Where to fill up on a desert trail."""


def refill_stops(springs, goal, reach):
    if reach < 1:
        raise ValueError("the reach must be at least 1")
    places = sorted({spring for spring in springs if 0 < spring < goal})
    stops = []
    here = 0
    while here + reach < goal:
        onward = [spring for spring in places if here < spring <= here + reach]
        if not onward:
            return None
        here = max(onward)
        stops.append(here)
    return stops
