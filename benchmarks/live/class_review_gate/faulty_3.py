class ReviewError(Exception):
    pass


def _clean(text, what):
    cleaned = text.strip()
    if not cleaned:
        raise ValueError(what + " must not be blank")
    return cleaned


class ReviewGate:
    def __init__(self, author, needed=2):
        self._author = _clean(author, "author").lower()
        if needed < 1:
            raise ValueError("needed must be at least 1")
        self._needed = needed
        self._approvals = set()
        self._blockers = {}
        self._merged = False

    def _check_open(self):
        if self._merged:
            raise ReviewError("already merged")

    @property
    def approvals(self):
        return sorted(self._approvals)

    @property
    def blockers(self):
        return dict(self._blockers)

    def approve(self, who):
        self._check_open()
        name = _clean(who, "name").lower()
        if name == self._author:
            raise ReviewError("the author can not approve")
        self._blockers.pop(name, None)
        self._approvals.add(name)

    def block(self, who, reason):
        self._check_open()
        name = _clean(who, "name").lower()
        reason = _clean(reason, "reason")
        self._approvals.discard(name)
        self._blockers[name] = reason

    def withdraw(self, who):
        self._check_open()
        name = _clean(who, "name").lower()
        if name not in self._approvals and name not in self._blockers:
            raise ReviewError("no opinion of " + name)
        self._approvals.discard(name)
        self._blockers.pop(name, None)

    def push(self):
        self._check_open()
        self._approvals.clear()

    def merge(self):
        self._check_open()
        if len(self._approvals) < self._needed:
            raise ReviewError("not ready to merge")
        self._merged = True
