"""Tests of report."""

import datetime as dt
import io
import random
import time
from typing import Any, Callable

import pytest

import reports
from reports import report


def test_report_all_of_it(
    monkeypatch: pytest.MonkeyPatch, frozen_clock: Callable[[str], None]
) -> None:
    monkeypatch.setenv("GREETING", "Hi")
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(b"Ada\n"), encoding="utf-8")
    )
    frozen_clock("2024-02-29T12:30:00")
    random.seed(7)
    draw = random.Random(7).randint(1, 6)
    expected = f"Hi Ada, 2024-02-29 at 12:30, {draw}"

    assert report() == expected


def test_report_in_another_zone(
    monkeypatch: pytest.MonkeyPatch, frozen_clock: Callable[[str], None]
) -> None:
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(b""), encoding="utf-8")
    )
    frozen_clock("2025-01-01T01:59:00")

    assert report()[-24:-3] == ", 2025-01-01 at 01:59"


@pytest.fixture
def frozen_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that stops the clock at a moment of UTC, also where reports imported it by name."""

    def freeze(text: str) -> None:
        moment = dt.datetime.fromisoformat(text).replace(tzinfo=dt.timezone.utc)
        seconds, gmtime, strftime = moment.timestamp(), time.gmtime, time.strftime

        class Posing(type):
            def __instancecheck__(cls, instance: Any) -> bool:
                return isinstance(instance, cls.__mro__[1])

        class Date(dt.date, metaclass=Posing):
            @classmethod
            def today(cls) -> Any:
                return moment.date()

        class DateTime(dt.datetime, metaclass=Posing):
            @classmethod
            def now(cls, tz: dt.tzinfo | None = None) -> Any:
                return moment.astimezone(tz) if tz else moment.replace(tzinfo=None)

            @classmethod
            def today(cls) -> Any:
                return cls.now()

            @classmethod
            def utcnow(cls) -> Any:
                return cls.now()

        frozen: dict[tuple[Any, str], Any] = {
            (dt, "date"): Date,
            (dt, "datetime"): DateTime,
            (time, "time"): lambda: seconds,
            (time, "time_ns"): lambda: round(seconds * 1_000_000) * 1_000,
            (time, "gmtime"): lambda at=seconds: gmtime(at),
            (time, "localtime"): lambda at=seconds: gmtime(at),
            (time, "strftime"): lambda form, at=gmtime(seconds): strftime(form, at),
        }
        for (owner, name), stand_in in frozen.items():
            original = getattr(owner, name)
            monkeypatch.setattr(owner, name, stand_in)
            for imported, value in list(vars(reports).items()):
                if value is original:
                    monkeypatch.setattr(reports, imported, stand_in)

    return freeze
