"""What a contract and its cases tell of a function's inputs.

The calls to start from, what the values at each place have in common, what the places have to do with each other, and
the constants that occur. Two arguments of the same type that take the same several kinds of values (a number or a text,
say) are alike: what was seen at one of them is as likely at the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from tdgen.inputs.drawing import first, observed_shape, weight
from tdgen.inputs.holes import OF_WORLD, Slot
from tdgen.inputs.literals import clocks, written
from tdgen.inputs.profiles import NOTHING, Profile, inside, kind_of, ordered
from tdgen.inputs.relations import relations
from tdgen.inputs.templates import CallTemplate, TemplateReader
from tdgen.types import Call, Case, FunctionSpec, SharedType
from tdgen.values.shapes import ANY, Constructed, Shape, fits, shape_of

_BASES = 12
_NEAR = 10
_MIXED = 2
_MOST_TEXT = 3000
_MOST_AROUND = 20_000
_PATH = re.compile(r"\b(?:Path|open)\(['\"]([^'\"]+)['\"]")


class Candidate(NamedTuple):
    """Values for a template's slots."""

    template: CallTemplate
    values: tuple[Any, ...]

    def having(self, n: int, value: Any) -> Candidate:
        """The same with another value in one slot."""
        return Candidate(self.template, (*self.values[:n], value, *self.values[n + 1 :]))


class InputModel:
    """All that the cases tell: `seen` are their calls, `bases` those to start from, the simplest first.

    Limit cases, large on purpose, tell nothing where there are others. `hints` are constants that somebody else knows.
    """

    def __init__(
        self, spec: FunctionSpec, cases: Sequence[Case], shared: Sequence[SharedType], hints: Sequence[Any] = ()
    ) -> None:
        self.reader = reader = TemplateReader(spec, shared)
        self.made = spec.name if spec.interface else ""
        self.seen = [template for case in cases if (template := reader.template(case))]
        light = _light(self.seen, {case.done.call_key for case in cases if case.kind == "limit"})
        bases = sorted(light, key=lambda template: weight(template.origin))
        with_defaults = []
        if spec.interface is None:  # of a class's own call comes an instance, which tells nothing
            bases = bases or _blank(spec, shared, reader)
            with_defaults = _with_defaults(bases, spec, reader)
        step = max(1.0, len(bases) / _BASES)  # spread over them all, the first among them
        self.bases = [bases[int(n * step)] for n in range(min(_BASES, len(bases)))] + with_defaults
        self.keys = list(dict.fromkeys(slot.key for template in self.bases for slot in template.slots))
        self.profiles = _profiles(light)
        self.relations = relations([by_key(template, template.values) for template in light])
        leaves = (leaf for template in light for slot in template.slots for leaf in _leaves(slot.value))
        self.constants = [*hints, *{(type(leaf).__name__, repr(leaf)): leaf for leaf in leaves}.values()]
        self.numbers = [str(value) for value in self.constants if type(value) in (int, float)]
        # The paths of files and folders that the cases speak of: of their worlds, of what they expect, of their setups.
        paths = {path for case in cases for path in (*case.world.files, *case.files)}
        paths |= {str(parent) for path in paths for parent in PurePosixPath(path).parents if parent.name}
        sources = (source for case in cases for source in (case.setup, *(after.expression for after in case.after)))
        self.paths = frozenset(paths).union(*map(_PATH.findall, sources))
        self.fed: dict[frozenset[str], frozenset[str]] = {}
        for template in light:
            held = frozenset[str]().union(*map(_kinds_held, template.values))
            self.fed[template.codes] = held | self.fed.get(template.codes, frozenset())
        self.bounds = {key: _NEAR * max([10, *map(abs, p.numbers)]) for key, p in self.profiles.items()}

    def keeps(self, candidate: Candidate) -> bool:
        """Whether a candidate's values keep what the cases' do; a function that is passed takes what it took there."""
        template, values = candidate
        for slot, value in zip(template.slots, values, strict=True):
            if value is slot.value:
                continue
            profile = self.profile(slot.key)
            # What the annotation names beside what was seen (None, say) is meant too.
            is_beside = slot.shape.kind == "union" and kind_of(value) not in profile.types
            is_kept = fits(value, slot.shape) if is_beside else profile.keeps(value)
            if not is_kept or (template.codes and not _kinds_held(value) <= self.fed.get(template.codes, frozenset())):
                return False
        named = by_key(template, values)
        return all(relation.kept(named) for relation in self.relations)

    def mended(self, candidate: Candidate) -> Candidate:
        """The candidate brought nearer to what the cases keep."""
        template, values = candidate
        pairs = zip(template.slots, values, strict=True)
        mended = [v if v is s.value else self.profile(s.key).mended(v) for s, v in pairs]
        named = before = by_key(template, mended)
        for relation in self.relations:
            if not relation.kept(named):
                named = relation.mended(named)
        keyed = zip(template.slots, mended, strict=True)
        return Candidate(template, tuple(named[s.key] if v is before[s.key] else v for s, v in keyed))

    def is_sane(self, slot: Slot, value: Any) -> bool:
        """Whether an int is near what was seen (a count of a billion tells little and takes long), a clock a time.

        A path is sane where it was seen at that place: no file answers to another. A dict in a list has the keys that
        all others there have. What a list of a helper's holds nobody says where each that was seen there is empty.
        """
        seen = self.profile(slot.key)
        is_untold = slot.shape.kind == "unknown" and seen.lists and seen.items is None
        if value is not slot.value and not (seen.is_complete(value) and not (is_untold and value)):
            return False
        if slot.key == "clock":
            return value is slot.value or any(value == known for known in clocks(slot.value))
        if value is not slot.value and self.paths and not slot.key.startswith(OF_WORLD):  # a file's own text is no path
            kinds = {slot.shape.kind, *(part.kind for part in slot.shape.parts)}
            if "path" in kinds or not self.paths.isdisjoint(_texts(slot.value)):
                return _texts(value) <= frozenset[str]().union(*map(_texts, seen.seen))
        if not isinstance(value, int) or isinstance(value, bool):
            return True
        if not slot.whole and isinstance(slot.value, int):
            return abs(value) <= 2 * abs(slot.value) + 20
        return abs(value) <= self.bounds.get(slot.key, _NEAR * 10)

    def profile(self, key: str) -> Profile:
        """What was seen at a place."""
        return self.profiles.get(key, NOTHING)

    def shape(self, key: str) -> Shape:
        """A slot's shape: its annotation's, or that of what was seen."""
        shape = next((slot.shape for template in self.bases for slot in template.slots if slot.key == key), ANY)
        if shape.kind in ("any", "unknown") and self.profile(key).seen:
            return observed_shape(self.profile(key))
        return shape


def _leaves(value: Any) -> Iterator[Any]:
    """What a value holds that holds nothing else, keys among it; itself where it is no container."""
    parts = value.items() if isinstance(value, dict) else inside(value) if isinstance(value, Constructed) else value
    if isinstance(value, list | tuple | set | frozenset | dict | Constructed):
        for part in ordered(parts):
            yield from _leaves(part)
    else:
        yield value


def _texts(value: Any) -> frozenset[str]:
    """The strings and paths in a value."""
    return frozenset(str(leaf) for leaf in _leaves(value) if isinstance(leaf, str | PurePosixPath))


def _kinds_held(value: Any) -> frozenset[str]:
    """The kinds of what a container holds; nothing of what is none."""
    return frozenset(kind_of(leaf) for leaf in _leaves(value) if leaf is not value)


def _light(templates: Sequence[CallTemplate], limits: set[str]) -> list[CallTemplate]:
    """The templates to learn from: limit cases only where there are no others, and huge ones never."""
    sizes = [(template, weight(template.origin)) for template in templates]
    fit = [template for template, (around, length, *_) in sizes if length <= _MOST_TEXT and around <= _MOST_AROUND]
    return [template for template in fit if template.origin.call_key not in limits] or fit


def by_key(template: CallTemplate, values: Sequence[Any]) -> dict[str, Any]:
    """The values by their slots' keys, the first of each."""
    keyed: dict[str, Any] = {}
    for slot, value in zip(template.slots, values, strict=True):
        keyed.setdefault(slot.key, value)
    return keyed


def _profiles(templates: Sequence[CallTemplate]) -> dict[str, Profile]:
    """What was seen at each place, and at the places that are like it."""
    values: dict[str, list[Any]] = {}
    shapes: dict[str, Shape] = {}
    for template in templates:
        for slot in template.slots:
            values.setdefault(slot.key, []).append(slot.value)
            if slot.whole:
                shapes[slot.key] = slot.shape
    kinds = {key: frozenset(map(kind_of, values[key])) for key in shapes}

    profiles: dict[str, Profile] = {}
    for key, own in values.items():
        kind = kinds.get(key, frozenset())
        mixed = (other for other in shapes if other != key and len(kinds[other] & kind) >= _MIXED)
        alike = [other for other in mixed if shapes[other] == shapes[key]]
        profiles[key] = Profile([*own, *(value for other in alike for value in values[other])])
    return profiles


def is_number(text: str) -> bool:
    """Whether a text is a decimal number."""
    return re.fullmatch(r"[+-]?[0-9]+(\.[0-9]+)?", text) is not None


def _blank(spec: FunctionSpec, shared: Sequence[SharedType], reader: TemplateReader) -> list[CallTemplate]:
    """A call made from the annotations alone; none where a parameter's type tells too little."""
    arguments, named_only = [], False
    for parameter in spec.parameters:
        named_only = named_only or parameter.keyword_only or parameter.name.startswith("*")
        if parameter.name.startswith("*") or parameter.default is not None:
            continue
        value = next(first(shape_of(parameter.type, shared)), None)
        if value is None and parameter.type != "None":
            return []
        arguments.append(f"{parameter.name}=" * named_only + written(value))
    call = f"asyncio.run({spec.name}({', '.join(arguments)}))" if spec.is_async else ""
    template = reader.template(Call(function=spec.name, arguments=() if call else tuple(arguments), call=call))
    return [template] if template else []


def _with_defaults(bases: Sequence[CallTemplate], spec: FunctionSpec, reader: TemplateReader) -> list[CallTemplate]:
    """The simplest plain call with each parameter that no call gives, at its default."""
    plain = next((template for template in bases if not template.origin.call), None)
    if plain is None:
        return []
    given = {slot.key for template in bases for slot in template.slots}
    more = [f"{one.name}={one.default}" for one in spec.parameters if one.default is not None and one.name not in given]
    calls = [plain.origin.model_copy(update={"arguments": (*plain.origin.arguments, one)}) for one in more]
    return [template for call in calls if (template := reader.template(call))]
