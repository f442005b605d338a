def debounce(events, wait, longest=None):
    if wait < 1:
        raise ValueError("wait must be at least 1")
    if longest is not None and longest < wait:
        raise ValueError("longest must not be less than wait")
    return _debounced(events, wait, longest)


def _debounced(events, wait, longest):
    held = {}
    now = None
    for t, key, value in events:
        if now is not None and t < now:
            raise ValueError("time is falling")
        now = t
        for other in list(held):
            first, last, kept, count = held[other]
            if t - last < wait:
                break
            del held[other]
            yield last, other, kept, count
        group = held.pop(key, None)
        if value is None:
            continue
        if group is not None and longest is not None and t - group[0] >= longest:
            yield group[1], key, group[2], group[3]
            group = None
        if group is None:
            held[key] = (t, t, value, 1)
        else:
            held[key] = (group[0], t, value, group[3] + 1)
    for key, (first, last, kept, count) in held.items():
        yield last, key, kept, count
