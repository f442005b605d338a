"""The developer: one model call an attempt, which sees the contract and the cases that may be shown.

A first attempt knows nothing of others. A repair is made from the best so far and what was observed of it; where that
was not enough, from the line trace of a failing call too. A fresh attempt is told which approaches failed, not how they
were written. A class of more than `LARGE` methods is long: written anew for one of them, it costs the tokens of all,
and what passed may come back wrong. So a repair of it gives the methods that change. Who writes into a user's module
sees what stands there.

Some of what is found in code only objects, until its author, asked, means it so: `eval`, `exec`, and an exception of
the class that a case expects which comes by a slip within rather than by a check. `open_authors.remove(reviewer)`
raises ValueError where the reviewer is no author; a case that expects ValueError for another reason passes by it, and
neither the class nor a mutant tells the two apart. What rejects an input in the field's usual way (`int("x")`, a
missing key, an index out of range, an iterator at its end) is no accident.

The developer may object: tests that contradict the user's words or the contract are named beside the code. An objection
counts where the words that it quotes stand in the instruction or the contract; one to what was planned (the contract,
that of a called function, an assumption) only where they are the user's. It changes no test by itself: the arbiter
decides, and what nobody decides leaves the function undecided rather than red.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial

from tdgen.errors import ReplyError
from tdgen.impl.feedback import NO_EVIDENCE, ClassEvidence, cut, failed_approaches, feedback, trace_text
from tdgen.language import Language, ReadCode
from tdgen.prompts import conversation, render
from tdgen.prompts.cases import cases_section
from tdgen.prompts.context import PromptContext
from tdgen.protocols import Answer, Model, Purpose, Request
from tdgen.source.syntax import (
    class_named,
    definition,
    docstrings_left_out,
    edited,
    first_line,
    methods_of,
    over,
    parse,
    parses,
    statements_of,
)
from tdgen.types import (
    OF_ASSUMPTION,
    OF_CONTRACT,
    OF_DEPENDENCY,
    Attempt,
    Case,
    ExpectedException,
    FunctionSpec,
    Objection,
    Plan,
    Step,
    Suite,
    Verdict,
)


class DeveloperContext(PromptContext):
    """What a developer's prompt shows of a function, in the language of that name, whose rules and reader they are.

    A repair of a large class may come `in_parts`.
    """

    language: str
    rules: Callable[..., str]
    read: Callable[..., ReadCode]
    in_parts: bool = False

    @classmethod
    def of(cls, language: Language, context: PromptContext) -> DeveloperContext:
        """That of a prompt's context."""
        return cls(
            **dict(context),
            language=language.name_of(context.spec),
            rules=partial(language.rules, context.spec, context.plan),
            read=partial(language.read, spec=context.spec, plan=context.plan),
            in_parts="parts" in language.capabilities,
        )


LONGEST_QUOTE, LONGEST_REASON = 500, 400
_LINE = re.compile(
    r"^[\s>*_`#-]*OBJECTION\b[\s`*:]*(?:contract of [`*]*)?(?P<case>\w+)[`*]*\s*:[ \t*]*(?P<said>\S.*)$", re.MULTILINE
)
_OBJECTION_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_CLOSING = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "`": "`"}


def find_objections(text: str, context: PromptContext, shown: Collection[str]) -> tuple[Objection, ...]:
    """The objections of an answer to tests that it was shown, one a test, each with words that do stand there.

    One to the contract has `OF_CONTRACT` in place of a test's name, one to a called function's contract that name after
    `OF_DEPENDENCY`, and one to an assumption `OF_ASSUMPTION`.
    """
    planned = {OF_CONTRACT: OF_CONTRACT, OF_ASSUMPTION: OF_ASSUMPTION, f"{OF_ASSUMPTION}s": OF_ASSUMPTION}
    planned |= {name: f"{OF_DEPENDENCY}{name}" for name in context.spec.dependencies}
    objections: dict[str, Objection] = {}
    for line in _LINE.finditer(_OBJECTION_FENCE.sub("", text)):
        named = line["case"]
        stands = context.says if named in shown else context.is_of_user
        case = named if named in shown else planned.get(named, "")
        for quote, reason in _readings(line["said"].strip()) if case and case not in objections else ():
            if stands(quote):
                objections[case] = Objection(case=case, quote=quote[:LONGEST_QUOTE], reason=reason[:LONGEST_REASON])
                break
    return tuple(objections.values())


def _readings(said: str) -> Iterator[tuple[str, str]]:
    """What may be the quote, the longest first, with the reason after it: a quote may hold quotation marks itself."""
    closing = _CLOSING.get(said[0])
    is_quoted = closing is not None and said.rstrip(".*_ ").endswith(closing) and said.count(closing) > 1
    if not is_quoted:
        yield said, ""
    for end in (place for place in range(len(said) - 1, 0, -1) if said[place] == closing):
        if quote := said[1:end].strip():
            yield quote, said[end + 1 :].strip(" \t*_.,;:–—-")


WHOLE, CHANGED = "the whole code as it should be", "what must change of it"
_NONE_SHOWN = "(No test of this {} is shown.)\n"


def implement(model: Model, brief: DeveloperContext, suite: Suite, *, line: int = 0) -> Attempt:
    """A first attempt, not yet run; what can't be used of its answer stands in its findings.

    Each `line` is an attempt of its own: the same is asked, as another sample.
    """
    request = _request("implement", "implement", 1, brief, suite, {}, sample=line)
    return _attempt(model.ask(request), brief, suite, Attempt(function=brief.spec.name, number=1, source="", line=line))


def repair(
    model: Model,
    brief: DeveloperContext,
    suite: Suite,
    best: Attempt,
    history: Sequence[Attempt],
    *,
    patch: str = "",
    class_facts: ClassEvidence = NO_EVIDENCE,
) -> Attempt:
    """The next attempt, made from the best so far and what was observed of it.

    `patch` is an edit of `best` that a search found, in words: evidence for its author, who decides what it is worth.
    `class_facts` are what was observed of a class beside its verdicts.
    """
    evidence = render("tdgen.impl", "patch", edit=patch) if patch else ""
    return _repaired(
        model, brief, suite, best, history, "repair", class_facts, patch=f"{evidence}\n" if evidence else ""
    )


def trace_repair(
    model: Model,
    brief: DeveloperContext,
    suite: Suite,
    best: Attempt,
    history: Sequence[Attempt],
    steps: Sequence[Step],
    *,
    class_facts: ClassEvidence = NO_EVIDENCE,
) -> Attempt:
    """A repair for which the best so far is also shown line by line; the steps' lines are those of its source."""
    return _repaired(model, brief, suite, best, history, "trace", class_facts, trace=trace_text(steps, best.source))


def another(model: Model, brief: DeveloperContext, suite: Suite, history: Sequence[Attempt], *, line: int) -> Attempt:
    """A fresh attempt by another algorithm: it is told how earlier ones went about it and failed, not their code."""
    number = len(history) + 1
    more = {"failed": failed_approaches(history, suite)}
    request = _request("implement", "another", number, brief, suite, more, sample=line)
    begun = Attempt(function=brief.spec.name, number=number, source="", rung="fresh", line=line)
    return _attempt(model.ask(request), brief, suite, begun)


def _repaired(
    model: Model,
    brief: DeveloperContext,
    suite: Suite,
    best: Attempt,
    history: Sequence[Attempt],
    rung: str,
    class_facts: ClassEvidence,
    **more: str,
) -> Attempt:
    number = len(history) + 1
    is_shown = bool(more.get("patch"))  # then the edit's attempt would be told twice
    earlier = [one for one in history if one.number != best.number and not (is_shown and one.is_patch)]
    is_part = brief.in_parts and is_large(brief.spec) and bool(best.source) and not brief.plan.target
    more |= {"source": _written(best.source, brief), "feedback": feedback(best, suite, earlier, class_facts)}
    methods = ""
    if is_part:  # which methods the failing cases speak against, and in which form the answer is wanted
        suspects = "\n".join(f"- `{name}` {suspicion:.2f}" for name, suspicion in class_facts.suspects)
        methods = render("tdgen.impl", "methods", suspects=suspects or "(Nothing tells one from another.)") + "\n"
    more |= {"wanted": CHANGED if is_part else WHOLE, "methods": methods}
    request = _request("repair", rung, number, brief, suite, more)
    begun = Attempt.model_validate(
        {"function": brief.spec.name, "number": number, "source": "", "rung": rung, "line": best.line}
    )
    return _attempt(model.ask(request), brief, suite, begun, written=best.source if is_part else "")


def _written(source: str, brief: DeveloperContext) -> str:
    """A source without what stands in the user's file already: other methods of the class, and long docstrings."""
    target, name = brief.plan.target, brief.spec.name
    if target is None or not parses(source):
        return source
    wanted = target.laid_methods.get(name)
    there = method_lines(target.text_of(name), name).keys() - {*wanted} if wanted else ()
    node = definition(parse(source), name)
    methods = methods_of(node)
    edits = [over(one)._replace(line=first_line(one), column=0) for one in methods if one.name in there]
    edits += docstrings_left_out(one for one in (node, *methods) if one and one.name not in there)
    return re.sub(r"\n{3,}", "\n\n", edited(source, edits))


def _request(
    purpose: Purpose,
    prompt: str,
    number: int,
    brief: DeveloperContext,
    suite: Suite,
    more: Mapping[str, str],
    sample: int = 0,
) -> Request:
    return Request(
        purpose=purpose,
        subject=brief.spec.name,
        attempt=number,
        sample=sample,
        messages=conversation(
            "tdgen.impl",
            prompt,
            rules=render("tdgen.impl", "rules", form=brief.rules(is_repair=prompt not in ("implement", "another"))),
            language=brief.language,
            unit=brief.spec.unit,
            function=brief.spec.name,
            context=with_code_there(brief.text, brief.plan, [brief.spec.name]),
            cases=cases_section("some_of_the_tests", [case for case in suite.visible if not case.is_pinned])
            or _NONE_SHOWN.format(brief.spec.unit),
            **more,
        ),
    )


def _attempt(answer: Answer, brief: DeveloperContext, suite: Suite, begun: Attempt, *, written: str = "") -> Attempt:
    """`begun` with what the answer gives; where a class was `written`, an answer may give its changed methods alone."""
    shown = {case.name for case in suite.visible}
    begun = begun.model_copy(update={"objections": find_objections(answer.text, brief, shown)})
    try:
        if answer.finish_reason == "length":
            raise ReplyError(f"the answer was cut off after {answer.usage.completion_tokens} tokens: write less")
        code = brief.read(answer.text, repaired=written)
    except ReplyError as error:
        return begun.model_copy(update={"findings": error.reasons or (str(error),)})
    return begun.model_copy(update={"source": code.source, "findings": code.findings, "mended": code.mended})


LARGE = 8
"""Of how many methods a class is repaired as a whole. Not tuned: below, the methods are about as long as the prompt
around them."""


def is_large(spec: FunctionSpec) -> bool:
    """Whether a unit is a class of which a repair gives the changed methods alone."""
    return spec.interface is not None and len({method.name for method in spec.interface.methods}) > LARGE


def method_lines(source: str, name: str) -> dict[str, range]:
    """The lines of each method's body, by the method's name; a property's setter counts as the property."""
    lines: dict[str, range] = {}
    node = class_named(ast.Module(statements_of(source), []), name)
    for method in methods_of(node):
        first, last = method.body[0].lineno, method.end_lineno or method.lineno
        known = lines.get(method.name)
        start, stop = (min(first, known.start), max(last + 1, known.stop)) if known else (first, last + 1)
        lines[method.name] = range(start, stop)
    return lines


def written_lines(source: str, plan: Plan, name: str) -> tuple[range, ...]:
    """The lines (from 1) of a class's methods that were written here; nothing where all of the unit was."""
    if plan.target is None or not (wanted := plan.target.units.get(name)):
        return ()
    kept = method_lines(plan.target.text_of(name), name).keys() - {*wanted}
    return tuple(lines for method, lines in method_lines(source, name).items() if method not in kept)


def with_code_there(text: str, plan: Plan, units: Sequence[str]) -> str:
    """A prompt's text with what who writes code, and nobody else, sees of a target: its units, and other code.

    Each stands once: the project's part of the text tells no more of their classes.
    """
    target = plan.target
    if target is None:
        return text
    before, tag, project = text.partition("<project>\n")
    project, end, after = project.partition("</project>")
    for name in units:
        entry = rf"^(class {name}\b.*:)\n(?:[ \t].*\n|\n(?=\n*[ \t]))+"
        project = re.sub(entry, r"\1 ...  # as it stands below\n", project, count=1, flags=re.MULTILINE)
    text = f"{before}{tag}{project}{end}{after}"
    there = "\n\n".join((target.standing.get(name) or target.text_of(name)).strip() for name in units)
    code = target.coded_beside
    beside = f"<code_beside_it>\n{code}\n</code_beside_it>\n" if code else ""
    return f"{text}\n<stands_there>\n{there}\n</stands_there>\n{beside}"


def target_rules(specs: Sequence[FunctionSpec]) -> str:
    """What code must hold to that goes into a user's file."""
    of_class = render("tdgen.impl", "target_class") if any(spec.interface for spec in specs) else ""
    return render("tdgen.impl", "target", of_class=f"\n  {of_class.strip()}" if of_class else "")


OBJECTIONS = {
    "S102": "exec is not allowed",
    "S307": "eval is not allowed: parse the text instead",
}
ACCIDENT = "raised by accident"
_ANY = re.compile("")
_ABOUT_INTERNALS: Mapping[str, re.Pattern[str]] = {
    "ValueError": re.compile(
        r"not in (list|tuple|deque)\b|sub(string|section) not found|values? to unpack|closed file"
    ),
    "TypeError": re.compile(r"NoneType|required positional|unexpected keyword|positional arguments? but|not callable"),
    "AttributeError": _ANY,
    "NameError": _ANY,
    "UnboundLocalError": _ANY,
    "RecursionError": _ANY,
    "RuntimeError": re.compile(r"changed size during iteration|StopIteration"),
}


def accidents(cases: Sequence[Case], verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """What to say of the first passing case whose expected exception came by accident; nothing where none did."""
    expecting = {}
    for case in cases:
        nodes = (node for statement in statements_of(case.setup) for node in ast.walk(statement))
        # Where a setup raises, what it passes in may raise, and the code lets it through.
        if isinstance(case.expectation, ExpectedException) and not any(isinstance(node, ast.Raise) for node in nodes):
            expecting[case.name] = case
    for verdict in verdicts:
        raised = verdict.raised
        if verdict.case not in expecting or not verdict.passed or raised is None or not raised.frames:
            continue
        line = raised.frames[-1].text
        module, _, name = raised.type.rpartition(".")
        about = _ABOUT_INTERNALS.get(name) if module == "builtins" else None
        is_raised = line.startswith(("raise ", "raise\n", "assert "))
        # No `raise` of the code made it, and its message speaks of the code's own data.
        if about is not None and not is_raised and about.search(raised.message):
            return (
                f"`{cut(expecting[verdict.case].done.text, 200)}`: {name} is {ACCIDENT}, not by a check: "
                f"`{cut(line, 120)}` gives {cut(raised.message, 120)!r}. Where the contract asks for {name}, test its "
                f"condition and raise it; if this line is that test, answer with the same code again",
            )
    return ()


def objected(finding: str) -> str:
    """What a finding objects to: `eval`, `exec`, or an exception by accident; empty where it is no objection."""
    text = finding.partition(": ")[2]
    if text in OBJECTIONS.values():
        return text.split()[0]
    return ACCIDENT if f" {ACCIDENT}, " in text else ""


def insistence(objection: str) -> str:
    """What the user is told of an author who was objected to and came back with the same."""
    if objection == ACCIDENT:
        return "an exception that its cases expect comes of no check; its author was asked, and means it so"
    return f"it calls {objection}, and did so again when told not to: never give it text that others wrote"
