"""Import a roster, all or nothing."""

SHIFTS = ("early", "late", "night")


class Roster:
    """Who works which shift, and how long."""

    class Error(Exception):
        """What a roster complains of."""

    class BadRow(Error):
        """Something is wrong with a row."""

        def __init__(self, row, field, text):
            super().__init__(f"row {row}: {text}")
            self.row = row
            self.field = field

    class Duplicate(BadRow):
        """The person is there already."""

    class ImportFailed(Error):
        """There were bad rows."""

        def __init__(self, errors):
            rows = ", ".join(str(error.row) for error in errors)
            super().__init__(f"{len(errors)} bad row{'s' if len(errors) > 1 else ''}: {rows}")
            self.errors = errors

    class Unknown(Error):
        """There is no such person."""

    def __init__(self):
        self._people = {}

    def __len__(self):
        return len(self._people)

    def _read(self, number, row, taken):
        """A row's key and its person."""
        name, shift, hours = (str(row.get(field) or "") for field in ("name", "shift", "hours"))
        if not name.strip():
            raise self.BadRow(number, "name", "name is missing")
        if not shift.strip():
            raise self.BadRow(number, "shift", "shift is missing")
        if shift not in SHIFTS:
            raise self.BadRow(number, "shift", f"bad shift {shift!r}")
        if not hours.strip():
            raise self.BadRow(number, "hours", "hours is missing")
        try:
            count = int(hours)
        except ValueError as error:
            raise self.BadRow(number, "hours", f"bad hours {hours!r}") from error
        if not 1 <= count <= 12:
            raise self.BadRow(number, "hours", f"bad hours {hours!r}")
        name = name.strip()
        if name.casefold() in taken:
            raise self.Duplicate(number, "name", f"duplicate {name!r}")
        return name.casefold(), (name, shift, count)

    def load(self, rows):
        """Add all rows, or none; how many."""
        people = self._people
        errors = []
        for number, row in enumerate(rows, 1):
            try:
                key, person = self._read(number, row, people)
            except self.BadRow as error:
                errors.append(error)
            else:
                people[key] = person
        if errors:
            raise self.ImportFailed(errors)
        return len(rows)

    def hours(self, name):
        """Someone's hours."""
        person = self._people.get(name.strip().casefold())
        if person is None:
            raise self.Unknown(f"unknown: {name}")
        return person[2]

    def names(self, shift):
        """Who works a shift."""
        return [name for name, other, _ in self._people.values() if other == shift]
