"""Inputs made up from a contract and its cases: on which implementations may be found to differ.

`made_up` gives them with a word on whether they keep what all cases keep, `generated` just the calls in that order;
`weight` and `simplest` say which of several calls a person reads fastest. Nothing is run: an input is a source.
"""

from tdgen.inputs.making import Generated, generated, made_up
from tdgen.inputs.weights import simplest, weight

__all__ = ["Generated", "generated", "made_up", "simplest", "weight"]
