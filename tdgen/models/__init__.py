"""Who answers, and the wrappers around them: each is a small class that speaks the Model protocol itself.

A live model is put together from the inside out:

    an endpoint's       one streamed try, by a back end that is found by the address (`endpoint.py`)
    ThrottledModel      our own rate limits, for every try
    BudgetedModel       every try reserves its worst case first
    RetryingModel       busy endpoints and dropped connections
    ResumingModel       what an unfinished run has paid for
    TranscribedModel    every prompt and answer as files
    AnnouncingModel     events for whoever looks on

A `ScriptedModel` (`scripted.py`) takes the place of the first: recorded answers are a back end as any other.
"""

from tdgen.models.costs import Price, Prices, Reservation, check_priced, unpriced
from tdgen.models.ledger import BudgetedModel, Ledger
from tdgen.models.retrying import CutShort, RetryingModel, Throttle, ThrottledModel, TryAgain
from tdgen.models.transcript import AnnouncingModel, ResumingModel, TranscribedModel, redact, writing_announced

__all__ = [
    "AnnouncingModel",
    "BudgetedModel",
    "CutShort",
    "Ledger",
    "Price",
    "Prices",
    "Reservation",
    "ResumingModel",
    "RetryingModel",
    "Throttle",
    "ThrottledModel",
    "TranscribedModel",
    "TryAgain",
    "check_priced",
    "redact",
    "unpriced",
    "writing_announced",
]
