"""What a call logs, heard at the root logger; and logging as it was before a candidate set it up.

Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import sys
from typing import Any

_MOST = 1_000


class Log:
    """Hears each record that reaches the root logger, of whatever level, from when it is made to `ended`."""

    def __init__(self) -> None:
        import logging

        records: list[Any] = []

        class Handler(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                try:
                    message = record.getMessage()
                except Exception:  # noqa: BLE001 - arguments that do not fit
                    message = str(record.msg)
                if len(records) < _MOST:
                    records.append((record.name, record.levelname, message))

        self._root, self._records, self._handler = logging.getLogger(), records, Handler()
        self._level = self._root.level
        self._root.addHandler(self._handler)
        self._root.setLevel(logging.DEBUG)

    def ended(self, room: int) -> list[list[str]]:
        """Logger, level and message of each record, as many as `room` characters hold."""
        with contextlib.suppress(Exception):
            self._root.removeHandler(self._handler)
            self._root.setLevel(self._level)
        told: list[list[str]] = []
        for record in self._records:
            texts = [str(text) for text in record]
            room -= sum(map(len, texts))
            if room < 0:
                break
            told.append(texts)
        return told


def restore() -> None:
    """Take away what a candidate set up: handlers, levels, filters and loggers of its own."""
    logging: Any = sys.modules.get("logging")
    if logging is None:
        return
    with contextlib.suppress(Exception):
        logging.disable(logging.NOTSET)
        root = logging.getLogger()
        root.handlers.clear()
        root.filters.clear()
        root.setLevel(logging.WARNING)
        root.manager.loggerDict.clear()
        logging.setLoggerClass(logging.Logger)
        logging.captureWarnings(capture=False)
