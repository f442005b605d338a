"""Sign-ups with a waiting list."""


class NotSignedUp(LookupError):
    """The person is on neither list."""

    def __init__(self, person):
        super().__init__(f"not signed up: {person}")
        self.person = person


def _place(people, person):
    """Where the person stands in the list; None if nowhere."""
    wanted = person.strip().casefold()
    return next((n for n, other in enumerate(people) if other.strip().casefold() == wanted), None)


def _promote(event):
    """Move people up while there is room; how many."""
    count = 0
    while event["waiting"] and len(event["going"]) < event["capacity"]:
        event["going"].append(event["waiting"].pop(0))
        print(f"Promoted: {event['going'][-1]}")
        count += 1
    return count


def join(event, person):
    """Sign a person up."""
    if any(_place(event[name], person) is not None for name in ("going", "waiting")):
        return "already"
    name = "going" if len(event["going"]) < event["capacity"] else "waiting"
    event[name].append(person.strip())
    return name


def cancel(event, person):
    """Sign a person off, and let the next one move up."""
    for name in ("going", "waiting"):
        place = _place(event[name], person)
        if place is not None:
            del event[name][place]
            if name == "going":
                _promote(event)
            return
    raise NotSignedUp(person)


def resize(event, capacity):
    """Change the capacity; how many people that moves."""
    if capacity < 0:
        raise ValueError("capacity must not be negative")
    event["capacity"] = capacity
    moved = event["going"][capacity:]
    if not moved:
        return _promote(event)
    del event["going"][capacity:]
    event["waiting"][:0] = moved
    for person in moved:
        print(f"Back to waiting: {person}")
    return len(moved)
