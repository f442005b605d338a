"""Inputs made up from a contract and its cases: on which implementations may be found to differ.

`generated_inputs` gives them with a word on whether they keep what all cases keep, `searched` all that can be thought
of, one by one; `weight` says which of several calls a person reads fastest, and two of one `text_pattern` say the same
to that person. Nothing is run: an input is a source.

The constants of its modules bound how large inputs grow and how long is searched for them; none of them is tuned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice, repeat
from random import Random
from typing import Any, NamedTuple

from tdgen.inputs.drawing import text_pattern, weight
from tdgen.inputs.input_model import Candidate, InputModel
from tdgen.inputs.literals import Unreadable
from tdgen.inputs.mutants import more_of, mutants, turns
from tdgen.inputs.sequences import call_sequences
from tdgen.inputs.sources import Sources
from tdgen.inputs.templates import CallTemplate, TemplateReader
from tdgen.types import Call, Case, FunctionSpec, SharedType, World

__all__ = [
    "Generated",
    "generated_inputs",
    "neighbours",
    "not_covered",
    "searched",
    "text_pattern",
    "weight",
]


_TRIES = 4
_MORE = 300
_LEAST_TEXT = 300
_MOST_SEQUENCES = 1000
_PLAIN_WORLD = World()


class Generated(NamedTuple):
    """An input, and whether it keeps what all the cases keep: such a one is likelier inside the contract."""

    call: Call
    keeps: bool


def generated_inputs(
    spec: FunctionSpec,
    cases: Sequence[Case],
    shared: Sequence[SharedType] = (),
    *,
    most: int = 200,
    seed: int = 0,
    hints: Sequence[Any] = (),
) -> tuple[Generated, ...]:
    """At most `most` inputs, those that keep what all cases keep first; the others are a fifth where there are any.

    The same for the same seed; no two do the same, and none does what a case does. Each half takes its sources in
    turn (mutation, crossing, the annotations, constants, several steps at once) and from each the simplest first.
    `hints` are constants beside those of the cases: of an implementation, say. Of a class every second one that keeps
    what the cases do is a random sequence of calls.
    """
    inputs = InputModel(spec, cases, shared, hints)
    singles = _merged(inputs, Sources(inputs, Random(seed)).all(), most)  # noqa: S311 - an order, no secret
    sequences = [Generated(call, keeps=True) for call in call_sequences(spec, cases, most=most // 2, seed=seed)]
    if not sequences:
        return singles
    kept = turns([(one for one in singles if one.keeps), iter(sequences)])
    others = [one for one in singles if not one.keeps]
    return (*islice(kept, most - len(others)), *others)


def _merged(inputs: InputModel, sources: Sequence[Iterator[Candidate]], most: int) -> tuple[Generated, ...]:
    fresh = _Fresh(inputs)
    kept: dict[int, list[Call]] = {}
    others: dict[int, list[Call]] = {}
    for source, candidate, keeps in islice(_judged(inputs, sources), _TRIES * most + _MORE):
        if call := fresh.call(candidate):
            (kept if keeps else others).setdefault(source, []).append(call)
        if sum(map(len, kept.values())) >= most:
            break
    spread = (turns([iter(sorted(calls, key=weight)) for _, calls in sorted(by.items())]) for by in (kept, others))
    first_ones, last_ones = map(list[Call], spread)
    room = max(most - len(first_ones), min(most // 5, len(last_ones)))
    chosen = [Generated(call, keeps=True) for call in first_ones[: most - room]]
    return (*chosen, *(Generated(call, keeps=False) for call in last_ones[:room]))


def neighbours(
    spec: FunctionSpec,
    cases: Sequence[Case],
    near: Sequence[Case],
    shared: Sequence[SharedType] = (),
    *,
    most: int,
) -> tuple[Call, ...]:
    """At most `most` inputs one step from those of `near`: more of what is in them, equal ones, reversed, beside.

    They keep what all `cases` keep, and none does what a case does.
    """
    inputs = InputModel(spec, cases, shared)
    fresh = _Fresh(inputs)
    templates = [template for case in near if (template := inputs.reader.template(case))]
    rng = Random(0)  # noqa: S311 - an order, no secret
    candidates = (c for c in turns([_along(inputs, template, rng) for template in templates]) if inputs.keeps(c))
    return tuple(islice(filter(None, map(fresh.call, candidates)), most))


def _along(inputs: InputModel, template: CallTemplate, rng: Random) -> Iterator[Candidate]:
    """A call with one slot changed along what it holds, the slots in turn."""
    candidate = Candidate(template, template.values)
    ways = []
    for n, slot in enumerate(template.slots):
        steps = chain(more_of(slot.value), mutants(slot.value, slot.shape, inputs.profile(slot.key), rng))
        ways.append(map(partial(candidate.having, n), steps))
    yield from turns(ways)


def not_covered(
    calls: Sequence[Call], spec: FunctionSpec, cases: Sequence[Case], shared: Sequence[SharedType] = ()
) -> tuple[Call, ...]:
    """Those of `calls` that no case makes, in whatever words: by name or by place, set up before or spelled out."""
    reader = TemplateReader(spec, shared)

    def identities(call: Case | Call) -> set[str]:
        template = reader.template(call)
        meaning = reader.meaning(template, template.values) if template else None
        done = call.done if isinstance(call, Case) else call
        return {done.key_by({spec.name: spec.defaults})} | ({meaning} if meaning else set())

    covered = set[str]().union(*map(identities, cases))
    return tuple(call for call in calls if covered.isdisjoint(identities(call)))


def searched(
    spec: FunctionSpec, cases: Sequence[Case], shared: Sequence[SharedType] = (), *, hints: Sequence[Any] = ()
) -> Iterator[Generated]:
    """All inputs that can be thought of, one by one, for a search that ends by time: from every source in turn.

    The sources of `generated_inputs`, relations between parts, each place changed, and two places at once. `hints` are
    the constants of the code that is looked at. No two do the same, and none does what a case does. Of a class every
    other one is a random sequence of calls, as far as these go.
    """
    sequences = (Generated(call, keeps=True) for call in call_sequences(spec, cases, most=_MOST_SEQUENCES))
    yield from turns([_searched(spec, cases, shared, hints), sequences])


def _searched(
    spec: FunctionSpec, cases: Sequence[Case], shared: Sequence[SharedType], hints: Sequence[Any]
) -> Iterator[Generated]:
    from tdgen.inputs.places import Changes

    inputs, rng = InputModel(spec, cases, shared, hints), Random(0)  # noqa: S311 - an order, no secret
    fresh, changed, known = _Fresh(inputs), Changes(inputs, hints, rng), Sources(inputs, rng)
    sources = [*changed.all(), *known.between_parts(), *known.all()]
    for _, candidate, keeps in _judged(inputs, sources):
        if call := fresh.call(candidate):
            yield Generated(call, keeps)


def _judged(inputs: InputModel, sources: Sequence[Iterator[Candidate]]) -> Iterator[tuple[int, Candidate, bool]]:
    """Candidates with their source's number, and whether they keep what the cases keep; mended ones after them."""
    for source, candidate in turns([zip(repeat(n), source) for n, source in enumerate(sources)]):
        keeps = inputs.keeps(candidate)
        yield source, candidate, keeps
        if not keeps:
            mended = inputs.mended(candidate)
            if mended.values != candidate.values and inputs.keeps(mended):
                yield source, mended, True


class _Fresh:
    """Calls that have not been met, neither among the cases nor before."""

    def __init__(self, inputs: InputModel) -> None:
        self.inputs = inputs
        self.met: set[Any] = {_identity(template, template.originals) for template in inputs.seen}
        self.met |= {inputs.reader.meaning(template, template.values) for template in inputs.seen} - {None}
        self.met |= {
            _text_of(call)
            for template in inputs.seen
            for call in (template.origin, template.called(template.originals))
        }
        longest = max((len(template.origin.expression) for template in inputs.seen), default=0)
        self.most_text = max(_LEAST_TEXT, 4 * longest)

    def call(self, candidate: Candidate) -> Call | None:
        """The candidate as a call, where it has not been met and is of a sane size."""
        if not all(map(self.inputs.is_sane, candidate.template.slots, candidate.values)):
            return None
        try:
            texts = candidate.template.texts(candidate.values)
        except (Unreadable, ValueError, RecursionError):  # an int too long to be told is a ValueError
            return None
        if self._was_met(_identity(candidate.template, texts)):  # most were: the meaning takes far longer to find
            return None
        meaning = self.inputs.reader.meaning(*candidate)
        if meaning is not None and self._was_met(meaning):
            return None
        call = candidate.template.called(texts)
        if len(call.expression) > self.most_text or self._was_met(_text_of(call)):
            return None
        # of an instance that a constructor makes it can be told that there is one
        name = self.inputs.made
        if not name or call.call:
            return call
        return call.model_copy(update={"arguments": (), "call": f"type({call.expression}) is {name}"})

    def _was_met(self, identity: Any) -> bool:
        """Whether it was met before; from now on it was."""
        is_known = identity in self.met
        self.met.add(identity)
        return is_known


def _identity(template: CallTemplate, texts: tuple[str, ...]) -> Any:
    return (
        template.setup.pieces,
        tuple([argument.pieces for argument in template.arguments]),
        template.call.pieces,
        texts,
    )


def _text_of(call: Call) -> tuple[str, str, str]:
    """All that is done, as text: cheaper than the call key, which reads it as Python."""
    return call.setup, call.expression, "" if call.world == _PLAIN_WORLD else call.world.model_dump_json()
