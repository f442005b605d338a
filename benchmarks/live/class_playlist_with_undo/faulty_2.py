from contextlib import contextmanager


class EditError(Exception):
    pass


class Playlist:
    def __init__(self, limit=50):
        if limit < 1:
            raise ValueError("limit must be at least 1")
        self._limit = limit
        self._titles = []
        self._undo = []
        self._redo = []
        self._depth = 0

    def __len__(self):
        return len(self._titles)

    def __iter__(self):
        return iter(list(self._titles))

    @property
    def undoable(self):
        return len(self._undo)

    def _record(self, before):
        self._undo.append(before)
        del self._undo[: -self._limit]
        self._redo.clear()

    def _change(self, titles):
        if titles == self._titles:
            return
        before = self._titles
        self._titles = titles
        if self._depth == 0:
            self._record(before)

    def add(self, title, at=None):
        if title in self._titles:
            raise EditError("already there")
        if at is None:
            at = len(self._titles)
        if not 0 <= at <= len(self._titles):
            raise EditError("bad position")
        titles = list(self._titles)
        titles.insert(at, title)
        self._change(titles)

    def remove(self, title):
        if title not in self._titles:
            raise EditError("not there")
        self._change([other for other in self._titles if other != title])

    def move(self, title, to):
        if title not in self._titles:
            raise EditError("not there")
        if not 0 <= to < len(self._titles):
            raise EditError("bad position")
        titles = [other for other in self._titles if other != title]
        titles.insert(to, title)
        self._change(titles)

    def undo(self):
        if self._depth or not self._undo:
            raise EditError("nothing to undo")
        self._redo.append(self._titles)
        self._titles = self._undo.pop()

    def redo(self):
        if self._depth or not self._redo:
            raise EditError("nothing to redo")
        self._undo.append(self._titles)
        self._titles = self._redo.pop()

    @contextmanager
    def group(self):
        before = self._titles
        self._depth += 1
        try:
            yield
        except BaseException:
            raise
        finally:
            self._depth -= 1
        if self._depth == 0 and self._titles != before:
            self._record(before)
