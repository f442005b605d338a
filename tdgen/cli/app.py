"""All commands by name."""

from __future__ import annotations

from typing import Annotated

from typer import Exit, Option, Typer

from tdgen.cli.batch import batch
from tdgen.cli.demo import demo
from tdgen.cli.doctor import doctor
from tdgen.cli.drafting import cases, plan
from tdgen.cli.evaluating import evaluate
from tdgen.cli.grouping import Command
from tdgen.cli.keeping import cache
from tdgen.cli.sandbox import sandbox
from tdgen.cli.serve import serve
from tdgen.cli.showing import show, verify
from tdgen.cli.solving import solve
from tdgen.cli.speaking import give

app = Typer(
    name="tdgen",
    # Without rich's own help and tracebacks, a command starts in half the time.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(wanted: bool) -> None:  # noqa: FBT001 - typer's callbacks are called so
    if wanted:
        from tdgen import __version__

        give(f"tdgen {__version__}")
        raise Exit


@app.callback()
def tdgen(
    *,
    version: Annotated[
        bool, Option("--version", "-V", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Prose in, tested Python functions out, tests first.

    A model plans functions, writes their cases before any code, and then the code; all code runs in a sandbox, and only
    what every case confirms is green. Settings come from options, from TDGEN_* variables, and from [tool.tdgen] in
    pyproject.toml, in this order; the model's key from OPENAI_API_KEY or TDGEN_API_KEY.

    \b
    tdgen solve "slugify(text): lower case, words joined by single hyphens"
    tdgen solve spec.md -o calendars
    tdgen doctor
    """  # noqa: D301 - \b keeps the lines below it apart


app.command(cls=Command)(solve)
app.command(cls=Command, short_help="Solve many instructions, a line of a file each.")(batch)
app.command("eval", cls=Command, short_help="Measure how far a green can be trusted with your model.")(evaluate)
app.command(cls=Command)(plan)
app.command("tests", cls=Command, short_help="Write an instruction's cases, and stop there.")(cases)
app.command(cls=Command, short_help="Show a solution: what was asked, planned, written.")(show)
app.command(cls=Command, short_help="Run a solution's tests again in the sandbox, offline.")(verify)
app.command(cls=Command, short_help="Try endpoint, sandboxes and cache; say what to do.")(doctor)
app.command(cls=Command, short_help="Solve a recorded instruction: no key, no network.")(demo)
app.command(cls=Command, short_help="Serve a page to ask and to watch on, and HTTP for programs.")(serve)
app.add_typer(cache, short_help="What is kept between runs, and how to be rid of it.")
app.add_typer(sandbox)
