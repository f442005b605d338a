"""Call something again while it fails for a time."""

import logging

log = logging.getLogger("retry")


class TemporaryError(Exception):
    """A failure that may be gone at the next attempt."""

    def __init__(self, message, retry_after=None):
        super().__init__(message)
        self.retry_after = retry_after


class GaveUp(Exception):
    """All attempts have failed."""

    def __init__(self, attempts, last):
        super().__init__(f"gave up after {attempts} attempts: {last}")
        self.attempts = attempts
        self.last = last


def call_with_retry(action, attempts, first_delay, sleep):
    """The result of the first attempt that succeeds."""
    if attempts < 1:
        raise ValueError("attempts must be at least 1")
    delay = first_delay
    for attempt in range(1, attempts + 1):
        try:
            return action()
        except TemporaryError as error:
            last = attempt == attempts
            log.log(
                logging.ERROR if last else logging.WARNING, "attempt %d of %d failed: %s", attempt, attempts, error
            )
            if last:
                raise GaveUp(attempts, error) from error
            sleep(delay if error.retry_after is None else error.retry_after)
            delay *= 2
