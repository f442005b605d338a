import logging

_LOGGER = logging.getLogger("callagain")


def call_again(func, waits, sleep, clock, deadline=None, retry_on=(OSError,), never=()):
    waits = list(waits)
    if any(wait < 0 for wait in waits):
        raise ValueError("waits must not be negative")
    begin = clock()
    attempt = 0
    while True:
        attempt += 1
        try:
            value = func()
        except Exception as error:
            wait = None
            if isinstance(error, retry_on) and not isinstance(error, never):
                if attempt <= len(waits):
                    wait = waits[attempt - 1]
            if wait is not None:
                asked = getattr(error, "retry_after", None)
                if asked is not None:
                    wait = max(wait, asked)
                if deadline is not None and clock() - begin + wait > deadline:
                    wait = None
            if wait is None:
                _LOGGER.error("gave up after attempt %d: %s", attempt, error)
                raise
            _LOGGER.warning("attempt %d failed: %s", attempt, error)
        else:
            _LOGGER.info("attempt %d succeeded", attempt)
            return value
        if wait > 0:
            sleep(wait)
