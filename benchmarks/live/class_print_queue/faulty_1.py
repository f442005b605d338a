"""A print queue with a limit."""


class QueueFull(Exception):
    """There is no room for a job."""

    def __init__(self, limit):
        super().__init__(f"queue is full ({limit} jobs)")
        self.limit = limit


class PrintQueue:
    """Jobs in printing order, urgent ones first."""

    def __init__(self, limit):
        self.limit = limit
        self.dropped = []
        self._jobs = []

    def __len__(self):
        return len(self._jobs)

    def __contains__(self, name):
        return any(job[0] == name for job in self._jobs)

    def __iter__(self):
        return iter([job[0] for job in self._jobs])

    def submit(self, name, pages, urgent=False):
        """Put in a job; its place."""
        if name in self:
            raise ValueError(f"already waiting: {name}")
        first = sum(job[2] for job in self._jobs)
        if len(self._jobs) >= self.limit:
            if not urgent or first == len(self._jobs):
                raise QueueFull(self.limit)
            self.dropped.append(self._jobs.pop()[0])
        place = 0 if urgent else len(self._jobs)
        self._jobs.insert(place, (name, pages, bool(urgent)))
        return place + 1

    def next_job(self):
        """Remove the next job; its name."""
        return self._jobs.pop(0)[0] if self._jobs else None

    def cancel(self, name):
        """Remove a job; whether it was there."""
        there = name in self
        self._jobs = [job for job in self._jobs if job[0] != name]
        return there

    def pages_before(self, name):
        """The pages of all jobs before one."""
        pages = 0
        for other, count, _ in self._jobs:
            if other == name:
                return pages
            pages += count
        raise LookupError(f"not waiting: {name}")
