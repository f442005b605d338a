"""A tiny spreadsheet."""

import re


class CycleError(ValueError):
    """A cell would depend on itself."""

    def __init__(self, path):
        super().__init__(" -> ".join(path))
        self.path = path


def _name(text):
    """A cell's name in its one spelling."""
    if not isinstance(text, str) or not re.fullmatch("[A-Za-z][1-9][0-9]?", text):
        raise ValueError(f"bad cell: {text}")
    return text.upper()


def _terms(formula):
    """The signs and terms of a formula."""
    term = " *([A-Za-z][1-9][0-9]?|[0-9]+) *"
    if not re.fullmatch(f"={term}([+-]{term})*", formula):
        raise ValueError(f"bad formula: {formula}")
    return [(sign or "+", found.upper()) for sign, found in re.findall("([+-]?) *([A-Za-z]?[0-9]+)", formula[1:])]


class Sheet:
    """Cells with numbers and formulas."""

    def __init__(self):
        self._cells = {}
        self._formulas = {}

    def _path(self, start, goal, seen):
        """The way from a cell to another by what it needs, or None."""
        if start == goal or start in seen:
            return [goal]
        if start in seen or start not in self._formulas:
            return None
        seen.add(start)
        for _, term in self._cells[start]:
            found = self._path(term, goal, seen)
            if found:
                return [start, *found]
        return None

    def __setitem__(self, name, content):
        name = _name(name)
        if not isinstance(content, str):
            self._cells[name] = content
            self._formulas.pop(name, None)
            return
        terms = _terms(content)
        seen = set()
        for _, term in terms:
            found = self._path(term, name, seen)
            if found:
                raise CycleError([name, *found])
        self._cells[name] = terms
        self._formulas[name] = content

    def __getitem__(self, name):
        name = _name(name)
        content = self._cells.get(name, 0)
        if name not in self._formulas:
            return content
        total = 0
        for sign, term in content:
            value = int(term) if term.isdigit() else self[term]
            total += -value if sign == "-" else value
        return total

    def formula(self, name):
        """A cell's formula as it was typed."""
        return self._formulas.get(_name(name))

    def __delitem__(self, name):
        name = _name(name)
        if name not in self._cells:
            raise KeyError(name)
        del self._cells[name]
        self._formulas.pop(name, None)

    def __len__(self):
        return len(self._cells)

    def __contains__(self, name):
        try:
            return _name(name) in self._cells
        except ValueError:
            return False

    def __iter__(self):
        return iter(sorted(self._cells, key=lambda name: (name[0], int(name[1:]))))
