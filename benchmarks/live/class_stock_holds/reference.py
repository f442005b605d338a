class Short(Exception):
    pass


class Cancel(Exception):
    pass


class Stock:
    def __init__(self, counts):
        for count in counts.values():
            if count < 0:
                raise ValueError("negative count")
        self._counts = dict(counts)

    def available(self, name):
        return self._counts.get(name, 0)

    def __iter__(self):
        return iter(sorted(name for name, count in self._counts.items() if count > 0))

    def _move(self, name, n):
        self._counts[name] = self._counts.get(name, 0) + n


class Hold:
    def __init__(self, stock):
        self._stock = stock
        self._held = {}
        self._entered = False
        self._open = False

    def __enter__(self):
        if self._entered:
            raise RuntimeError("a hold enters once only")
        self._entered = True
        self._open = True
        return self

    def __exit__(self, kind, error, trace):
        self._open = False
        if kind is None:
            return False
        for name, count in self._held.items():
            self._stock._move(name, count)
        self._held = {}
        return issubclass(kind, Cancel)

    @property
    def held(self):
        return {name: count for name, count in self._held.items() if count > 0}

    def _check(self, n):
        if not self._open:
            raise RuntimeError("only inside the block")
        if n is not None and n < 1:
            raise ValueError("n must be at least 1")

    def take(self, name, n=1):
        self._check(n)
        if n > self._stock.available(name):
            raise Short(name)
        self._stock._move(name, -n)
        self._held[name] = self._held.get(name, 0) + n

    def put_back(self, name, n=None):
        self._check(n)
        mine = self._held.get(name, 0)
        if n is None:
            n = mine
        if n > mine:
            raise Short(name)
        if n:
            self._stock._move(name, n)
            self._held[name] = mine - n
