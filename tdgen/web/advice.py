"""What a user of the page can do about a run that did not end all green: messages of errors speak to a command line."""

from __future__ import annotations

from typing import Final

from tdgen.errors import (
    BudgetSpent,
    InputError,
    ModelError,
    PlanError,
    ReplyError,
    SandboxError,
    StoreError,
    TdgenError,
)

NOT_GREEN: Final = (
    "Each function that is not green shows the case that fails. Where the case is wrong, say in the instruction what "
    "is right, best by an example; where the code is wrong, try again with more to spend or a more thorough check."
)
BUDGET: Final = "Press Try again and raise “Spend at most”; what was best by then can be downloaded."
BUG: Final = "Try again. Where it comes again, report it with the instruction and this line."
_FURTHER: Final[tuple[tuple[type[TdgenError], str], ...]] = (
    (BudgetSpent, BUDGET),
    (
        ModelError,
        "The model can't be used, which only whoever runs this service can mend. The instruction is kept: "
        "press Try again once it answers.",
    ),
    (
        SandboxError,
        "Code can't be run safely on the service's machine. Whoever runs it finds the cause with `tdgen doctor`.",
    ),
    (
        PlanError,
        "Say more exactly what each function takes and gives, with an example or two, and press Try again.",
    ),
    (ReplyError, "The model gave no answer that can be used. Try again, or say it in shorter sentences."),
    (StoreError, "The service can't write to its disk, which only whoever runs it can mend."),
    (InputError, "Press Try again, change the instruction or the tests as the line above says, and send it anew."),
)


def advice(error: Exception) -> str:
    """What to do about what ended a run."""
    return next((told for kind, told in _FURTHER if isinstance(error, kind)), BUG)
