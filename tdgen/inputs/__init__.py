"""Inputs made up from a contract and its cases: on which implementations may be found to differ.

`generated_inputs` gives them with a word on whether they keep what all cases keep, `generated` just the calls in that
order, `searched` all that can be thought of, one by one; `weight` says which of several calls a person reads fastest,
`alike` which two say the same to that person, by `text_pattern`. Nothing is run: an input is a source.

The constants of its modules bound how large inputs grow and how long is searched for them; none of them is tuned.
"""

from tdgen.inputs.drawing import alike, text_pattern, weight
from tdgen.inputs.making import Generated, generated, generated_inputs, neighbours, not_covered, searched

__all__ = [
    "Generated",
    "alike",
    "generated",
    "generated_inputs",
    "neighbours",
    "not_covered",
    "searched",
    "text_pattern",
    "weight",
]
