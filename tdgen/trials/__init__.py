"""Who is wrong, the case or the code? A separate call that sees contract and case, and never any code."""

from tdgen.trials.trial import Ruling, hold_trial

__all__ = ["Ruling", "hold_trial"]
