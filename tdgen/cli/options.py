"""The options of the commands: what they are called, what `--help` says of them, what the Tab key offers.

Options that are settings bear the setting's name and carry text; the settings themselves say what can be used. A
command that takes them is declared with `@settings(...)` and finds those in its parameter `flags`.

At the Tab key only what lies on this machine is looked at, and what goes wrong offers nothing: a shell has no room for
an error.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, get_type_hints

from typer import Argument, Context, Option
from typer.core import TyperCommand

from tdgen.errors import TdgenError

if TYPE_CHECKING:
    from tdgen.cache import Row


Options = Mapping[str, Any]


COMPLETE: Final = "_TDGEN_COMPLETE"
"""The variable by which a shell asks."""
MOST: Final = 200  # keys that a shell offers at the Tab key; a judgement
LONGEST: Final = 60  # characters beside a key, so that a line of a shell has room; a judgement

Complete = Callable[..., list[tuple[str, str]]]
"""Called with the context and what was typed of a word; gives words, each with what it stands for."""


def completed(command: Any, instruction: str) -> int:
    """Answer a shell that asks for words (`complete_bash`) or for its script (`source_bash`); the exit code."""
    from typer._completion_classes import completion_init
    from typer.completion import shell_complete

    completion_init()
    return shell_complete(command, {}, "tdgen", COMPLETE, instruction)


def one_of(*words: str) -> Complete:
    """Always the same words."""
    return lambda incomplete: [(word, "") for word in words if word.startswith(incomplete)]


def keys(ctx: Context, incomplete: str) -> list[tuple[str, str]]:
    """Kept solutions' keys, the newest first, each with its instruction."""
    from tdgen.cli.summary import short
    from tdgen.terminal.output import one_line

    entries = ((short(row.key), one_line(row.instruction, LONGEST)) for row in _rows(ctx))
    return [(key, title) for key, title in entries if key.startswith(incomplete)][:MOST]


def keys_and_folders(ctx: Context, incomplete: str) -> list[tuple[str, str]]:
    """Kept solutions' keys, and the folders here that a solution was written to."""
    names: set[str] = set()
    with suppress(OSError):
        names.update(path.parts[0] for path in Path().glob("*/tdgen.json"))
        names.update(path.parts[0] for path in Path().glob("*/.tdgen/record.json"))
    return keys(ctx, incomplete) + [(name, "folder") for name in sorted(names) if name.startswith(incomplete)]


def models(ctx: Context, incomplete: str) -> list[tuple[str, str]]:
    """The models that solved something before."""
    names = dict.fromkeys(row.model for row in _rows(ctx) if row.model)
    return [(name, "") for name in names if name.startswith(incomplete)][:MOST]


def _rows(ctx: Context) -> list[Row]:
    from tdgen.runtime import Runtime
    from tdgen.settings import load_settings

    with suppress(TdgenError, OSError):
        runtime = Runtime(load_settings({"cache_dir": ctx.params.get("cache_dir")}))
        try:
            return runtime.solutions.rows()
        finally:
            runtime.close()
    return []


def _text(name: str, metavar: str, text: str, *more: str, complete: Complete | None = None) -> Any:
    offered = Option(name, *more, metavar=metavar, help=text, show_default=False, autocompletion=complete)
    return Annotated[str | None, offered]


def _names(name: str, metavar: str, text: str) -> Any:
    return Annotated[list[str] | None, Option(name, metavar=metavar, help=text, show_default=False)]


MODEL: Final[Options] = {
    "model": _text(
        "--model", "NAME", "Model to ask, in all roles that have none of their own (gpt-5-mini).", "-m", complete=models
    ),
    "planner_model": _text("--planner-model", "NAME", "Model that plans the functions.", complete=models),
    "tester_model": _text("--tester-model", "NAME", "Model that writes the cases.", complete=models),
    "developer_model": _text("--developer-model", "NAME", "Model that writes the code.", complete=models),
    "trial_model": _text("--trial-model", "NAME", "Model that decides between a case and the code.", complete=models),
    "temperature": _text("--temperature", "0..2", "Temperature to ask with; the model's own unless given."),
    "base_url": _text("--base-url", "URL", "An OpenAI-compatible endpoint, such as http://localhost:11434/v1."),
    "script": _text("--script", "FILE", "Answers recorded from a model, used in place of one."),
    "timeout": _text("--timeout", "SECONDS", "How long to wait for a word from the model (120)."),
    "rpm": _text("--rpm", "N", "At most so many requests a minute."),
    "concurrency": _text("--concurrency", "N", "At most so many requests and runs at once (8)."),
    "transcript": _text("--transcript", "DIR", "Keep every prompt and answer as files here, keys redacted."),
}

BOUNDS: Final[Options] = {
    "budget": _text("--budget", "LIMITS", "Most to spend, such as calls=40,seconds=5m,money=0.50 (30 calls, 10m)."),
    "trust": _text(
        "--trust",
        "LEVEL",
        "quick, standard or strict: how thoroughly a result is checked (standard).",
        complete=one_of("quick", "standard", "strict"),
    ),
}

CODE: Final[Options] = {
    "allow": _names("--allow", "PACKAGE", "A third-party package that the code may import; may be repeated."),
    "allow_loopback": Annotated[
        bool | None,
        Option(
            "--allow-loopback",
            help="Let code and tests talk by sockets on a loopback of their own.",
            show_default=False,
        ),
    ],
    "allow_net": Annotated[list[str] | None, Option("--allow-net", hidden=True)],
    "allow_run": _names("--allow-run", "PROGRAM", "A program that the code may start; may be repeated."),
}

SANDBOX: Final[Options] = {
    "language": _text(
        "--language",
        "NAME",
        "Language to write in: python, c, cpp, fullstack, javascript, page or typescript (python).",
        complete=one_of("c", "cpp", "fullstack", "javascript", "page", "typescript"),
    ),
    "python": _text("--python", "3.X", "Version of Python to write for and run with (this one)."),
    "sandbox": _text(
        "--sandbox",
        "KIND",
        "auto, local, docker or unsafe (auto).",
        complete=one_of("auto", "local", "docker", "unsafe"),
    ),
    "docker_runtime": _text("--docker-runtime", "NAME", "Runtime of docker's to use, such as runsc (docker's own)."),
}

GATE: Final[Options] = {
    "gate_seconds": _text(
        "--gate-seconds", "SECONDS", "How long the project's own tests may take, without the edit and with it (120)."
    ),
}

CACHE: Final[Options] = {
    "cache_dir": _text("--cache-dir", "DIR", "Folder of the cache."),
}

FRESH: Final[Options] = {
    "fresh": Annotated[bool | None, Option("--fresh", help="Use nothing that is cached.", show_default=False)],
    "store_read_only": Annotated[
        bool | None,
        Option(
            "--store-read-only", help="Read the team's store (TDGEN_STORE), write nothing there.", show_default=False
        ),
    ],
}

SOLVING: Final[Options] = {**BOUNDS, **FRESH, **SANDBOX, **CODE, **MODEL, **CACHE}

Instruction = Annotated[
    str | None, Argument(metavar="TEXT|FILE|-", help="The instruction, a file that holds it, or - for stdin.")
]
Kept = Annotated[
    str,
    Argument(
        metavar="HASH|FOLDER",
        help="A solution's or a run's key (`tdgen cache list`), or the folder it was written to.",
        autocompletion=keys_and_folders,
    ),
]
Stubs = Annotated[
    list[str],
    Argument(
        metavar="PATH[::NAME]...", help="A module of a project, and in it a function, class or method; or a folder."
    ),
]
Place = Annotated[
    str, Argument(metavar="PATH[::CLASS]", help="A module of a project, or a class in it that gets methods.")
]
Changed = Annotated[
    str, Argument(metavar="PATH::NAME", help="A function or class of a module, or a method as Class.method.")
]
Wanted = Annotated[
    str, Argument(metavar="TEXT|FILE|-", help="What is wanted, in prose: a text, a file that holds it, or - for stdin.")
]
Guarded = Annotated[
    list[str] | None,
    Argument(
        metavar="PATH[::NAME]...",
        help="A module of a project, and in it a function, class or method; a folder; without, the whole project.",
    ),
]
Watched = Annotated[
    list[str], Argument(metavar="PATH...", help="Texts, plans and modules, and folders with modules of a project.")
]
Sarif = Annotated[
    str | None,
    Option(
        "--sarif", metavar="FILE", help="Write what is found as SARIF 2.1.0, which code hosts read.", show_default=False
    ),
]
Markdown = Annotated[
    str | None,
    Option("--markdown", metavar="FILE", help="Add a table of it to FILE, in Markdown.", show_default=False),
]
Diff = Annotated[
    str | None, Option("--diff", metavar="REV", help="Only what changed since this revision in git (HEAD, main, …).")
]
Concern = Annotated[
    str | None, Option("--concern", metavar="TEXT", help="What you worry about: tests and mutants look there first.")
]
FailingTests = Annotated[
    list[str] | None, Argument(metavar="NODE_ID...", help="Tests, by file or pytest id; without, all that fail now.")
]
Made = Annotated[
    list[str] | None,
    Argument(metavar="PATH[::NAME]...", help="Modules, folders or units; without, all that is recorded."),
]
AskSides = Annotated[
    bool, Option("--ask", help="Be asked which side holds, where docs and also code or tests changed; with --apply.")
]
Apply = Annotated[bool, Option("--apply", help="Make the changes in the project, where all is green.")]
Seen = Annotated[bool, Option("--context", help="Print the instruction and what prompts would see; ask no model.")]
Out = Annotated[
    str | None, Option("--out", "-o", metavar="PATH", help="Folder to write everything to; PATH.py: the module alone.")
]
PlanOut = Annotated[
    str | None, Option("--out", "-o", metavar="FILE", help="File to write, to edit and hand back by `solve --plan`.")
]
TestsOut = Annotated[
    str | None,
    Option("--out", "-o", metavar="PATH", help="FILE.json to edit and hand back; or a folder, for pytest files too."),
]
Force = Annotated[bool, Option("--force", "-f", help="Write beside what others put there, of which nothing changes.")]
Overwrite = Annotated[bool, Option("--overwrite", help="Replace what tdgen wrote there and somebody changed since.")]
Layout = Annotated[
    str | None,
    Option(
        "--layout",
        metavar="LAYOUT",
        help="package, flat, src or single: how the folder is laid out (a package, where it can be one).",
        autocompletion=one_of("package", "flat", "src", "single"),
    ),
]
Readme = Annotated[bool, Option("--readme", help="Write a README too.")]
NoRecord = Annotated[
    bool, Option("--no-record", help="Keep the record, by which the folder is verified, in the cache instead.")
]
Json = Annotated[bool, Option("--json", help="Print one JSON document on stdout, and nothing else there.")]
DryRun = Annotated[bool, Option("--dry-run", help="Estimate calls and tokens; ask no model.")]
Tests = Annotated[
    list[str] | None,
    Option("--tests", metavar="FILE", help="Your own pytest file: what it asserts is pinned; may be repeated."),
]
PlanFile = Annotated[
    str | None, Option("--plan", metavar="FILE", help="A plan from `tdgen plan` or `tdgen tests`, perhaps edited.")
]
Follow = Annotated[
    str | None,
    Option(
        "--follow",
        metavar="HASH|FOLDER",
        help="Go on from a kept or written solution: the instruction says what changes.",
        autocompletion=keys_and_folders,
    ),
]
Module = Annotated[
    str | None,
    Option("--module", metavar="NAME", help="The module's name; PACKAGE.NAME puts it into a package."),
]
ShowTests = Annotated[bool, Option("--tests", help="Print the pytest files.")]
ShowCode = Annotated[bool, Option("--code", help="Print the module's source alone.")]
Html = Annotated[
    str | None,
    Option("--html", metavar="FILE", help="Write its story as one HTML file; - for stdout.", show_default=False),
]
Ask = Annotated[bool, Option("--ask", help="Be asked what the instruction leaves open; your answers are pinned.")]
Assume = Annotated[bool, Option("--assume", help="Look for what is left open, take the likeliest, and record it.")]
Verbose = Annotated[bool, Option("--verbose", "-v", help="Tell each model call, and where tdgen itself fails.")]
Quiet = Annotated[bool, Option("--quiet", "-q", help="Tell nothing but the result and what fails.")]


def settings(*groups: Options) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Let a command take these groups of options besides its own; what was given arrives in `flags`, by setting.

    The fields of a parameter that is a NamedTuple are options too: several commands have them in common.
    """
    shared = {name: annotation for group in groups for name, annotation in group.items()}

    def decorated(command: Callable[..., int]) -> Callable[..., int]:
        own = [p for p in inspect.signature(command, eval_str=True).parameters.values() if p.name != "flags"]
        bundles = {p.name: p.annotation for p in own if hasattr(p.annotation, "_fields")}

        @functools.wraps(command)
        def called(**given: Any) -> int:
            # a repeated option that was never given is an empty list
            flags = {name: value if (value := given.pop(name)) != [] else None for name in shared}
            for name, kind in bundles.items():
                given[name] = kind(*(given.pop(field) for field in kind._fields))
            return command(**given, flags=flags)

        keyword, parameters = inspect.Parameter.KEYWORD_ONLY, list[inspect.Parameter]()
        for one in own:
            if one.name not in bundles:
                parameters.append(one)
                continue
            types, defaults = get_type_hints(one.annotation, include_extras=True), one.annotation._field_defaults
            for name in one.annotation._fields:
                parameters.append(inspect.Parameter(name, keyword, default=defaults[name], annotation=types[name]))
        parameters += [inspect.Parameter(name, keyword, default=None, annotation=shared[name]) for name in shared]
        called.__dict__["__signature__"] = inspect.Signature(parameters, return_annotation=int)
        called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return called

    return decorated


REST: Final = "Other options"
GROUPS: Final = {
    "What to solve": "tests plan follow module diff concern ask assume limit only runs replay resume",
    "How thoroughly, and at what cost": "trust budget gate_seconds fresh no_baselines dry_run",
    "Which model": "model planner_model tester_model developer_model trial_model temperature base_url script timeout"
    " rpm concurrency at_once cluster",
    "Where to run": "sandbox python language docker_runtime allow allow_loopback allow_run cache_dir store_read_only"
    " sandbox_check",
    "Who may ask": "host port token token_file allow_host waiting",
    "Output": "apply context out layout force overwrite readme no_record folders json sarif markdown html code"
    " show.tests transcript"
    " verbose quiet",
}
"""Each group's options by parameter, in the order in which groups are shown; `show.tests` is that of one command."""
_GROUP_OF: Final = {name: title for title, names in GROUPS.items() for name in names.split()}


class Command(TyperCommand):
    """A command whose help shows its options in groups."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The arguments, then the groups that have an option here."""
        titles = ("Arguments", *GROUPS, REST)
        sections: dict[str, list[tuple[str, str]]] = {title: [] for title in titles}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            name = parameter.name or ""
            group = _GROUP_OF.get(f"{self.name}.{name}") or _GROUP_OF.get(name, REST)
            if parameter.param_type_name == "argument":
                sections["Arguments"].append(
                    (record[0].partition(" <")[0], record[1])
                )  # without typer's word on its type
            else:
                sections[group].append(record)
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
