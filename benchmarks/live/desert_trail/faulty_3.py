"""Where to fill up on a desert trail."""


def refill_stops(springs, goal, reach):
    if goal <= reach:
        return []
    if reach < 1:
        raise ValueError("the reach must be at least 1")
    places = sorted({spring for spring in springs if 0 < spring < goal})
    stops = []
    here = goal
    # backwards, each time from as early a spring as possible: no plan has fewer stops, or an earlier one
    while here > reach:
        here = next((spring for spring in places if spring < here <= spring + reach), None)
        if here is None:
            return None
        stops.append(here)
    return stops[::-1]
