"""An iterator with lookahead."""

from collections import deque


class EndOfItems(LookupError):
    """There are not that many items."""


class Unexpected(Exception):
    """Another item, or none, where one was expected."""

    def __init__(self, position, wanted, found, text):
        super().__init__(f"at {position}: wanted {wanted!r}, found {text}")
        self.position = position
        self.wanted = wanted
        self.found = found


class Reader:
    """Items of an iterable, one by one."""

    def __init__(self, items):
        self._items = iter(items)
        self._ahead = deque()
        self.position = 0

    def _fill(self, number):
        """Pull items until so many are ahead; whether there are."""
        while len(self._ahead) < number:
            try:
                self._ahead.append(next(self._items))
            except StopIteration:
                return False
        return True

    @property
    def at_end(self):
        """Whether nothing is left."""
        return not self._fill(1)

    def __iter__(self):
        return self

    def __next__(self):
        if not self._fill(1):
            raise StopIteration
        self.position += 1
        return self._ahead.popleft()

    def peek(self, n=0):
        """The item n places ahead."""
        if not self._fill(n + 1):
            raise EndOfItems(f"no item {n} places ahead")
        return self._ahead[n]

    def push_back(self, item):
        """Put an item in front."""
        if self.position == 0:
            raise ValueError("nothing consumed")
        self.position -= 1
        self._ahead.appendleft(item)

    def take_while(self, test):
        """Consume items as long as they pass the test."""
        taken = []
        while self._fill(1) and test(self._ahead[0]):
            taken.append(next(self))
        return taken

    def expect(self, item):
        """Consume the next item if it is this one."""
        if self.at_end:
            raise Unexpected(self.position, item, None, "nothing")
        found = next(self)
        if found != item:
            self._ahead.appendleft(found)
            raise Unexpected(self.position, item, found, repr(found))
        return found
