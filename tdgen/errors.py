"""Every error tdgen raises on purpose, and the exit code each one ends a command with.

TdgenError
├── InputError                 2   the instruction, a file or a setting can't be used
│   ├── Contradicted           2   the instruction demands two things that can't both be
│   ├── MissingExtra           2   what the command needs is not installed; the message has the line that installs it
│   ├── OutOfScope             2   the planner declined: what is asked for is not what tdgen makes
│   └── PlanError              2   no usable plan came of the instruction
├── BudgetSpent                3   a limit the user set was reached first
├── UnreachableError           4   something outside tdgen does not answer
│   ├── ModelError             4   the model's endpoint (down, no key, refused, unknown model)
│   └── SandboxError           4   no sandbox can be enforced here, or it died twice
├── Cancelled                130   the caller ended the work at once
├── ReplyError                 1   the model answered, but nothing usable, after its second chance
└── StoreError                 2   the cache folder can't be used (read-only, corrupt, of a later version)
    ├── LostLock               2   this host stood still for longer than its lock in a shared store
    └── UnansweredStore        2   a shared store is down, lets nobody in, or is too slow

A message is one line that says what is wrong and what to do. Faces print it; nothing else prints.
"""

from __future__ import annotations

from typing import ClassVar


class TdgenError(Exception):
    """What went wrong, in one line a user can act on."""

    exit_code: ClassVar[int] = 1


class InputError(TdgenError):
    """The instruction, a file or a setting can't be used."""

    exit_code = 2


class Contradicted(InputError):
    """The instruction demands two things that can't both be; the message quotes both places, as `quotes` have them."""

    def __init__(self, message: str, *quotes: str) -> None:
        super().__init__(message)
        self.quotes = quotes


class MissingExtra(InputError):
    """A command needs packages that come with one of tdgen's extras, which is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs tdgen's extra {extra}: pip install 'tdgen[{extra}]'")


class OutOfScope(InputError):
    """The planner declined the instruction; the message has its reason."""


class PlanError(InputError):
    """The model's plan stayed unusable after it was told why."""


class BudgetSpent(TdgenError):
    """A limit that the user set was reached before the work was done."""

    exit_code = 3


class Cancelled(TdgenError):
    """The caller ended the work at once; what was paid for by then is kept, and the same call goes on from there."""

    exit_code = 130

    def __init__(self, message: str = "cancelled: the same call goes on from here, nothing is paid twice") -> None:
        super().__init__(message)


class UnreachableError(TdgenError):
    """Something outside tdgen does not answer."""

    exit_code = 4


class ModelError(UnreachableError):
    """The model's endpoint is down, refuses the key, or does not know the model."""


class SandboxError(UnreachableError):
    """No sandbox can be enforced on this machine, or it died twice on one run."""


class ReplyError(TdgenError):
    """The model answered twice, and neither answer could be used; `reasons` says why.

    Of one answer `part` names its items where only those of which the reasons speak need be given again.
    """

    def __init__(self, message: str, reasons: tuple[str, ...] = (), part: str = "") -> None:
        super().__init__(message)
        self.reasons = reasons
        self.part = part


class StoreError(TdgenError):
    """The cache folder can't be used."""

    exit_code = 2


class LostLock(StoreError):
    """Another host may have taken over what this one held in a shared store."""

    def __init__(self) -> None:
        super().__init__("this run lost its lock in the shared store, as it stood still for too long: run it again")


class UnansweredStore(StoreError):
    """A shared store is down, lets nobody in, or is too slow: nothing more need be asked of it for a while."""
