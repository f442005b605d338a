"""What the site of documentation has beside `docs/`: pages from the repository's own files and from the code itself.

The README is its first page. Commands are what `--help` says, the schemas what `tdgen schema` prints: none of them can
be out of step. A link to a file that is no page of the site stays as the file's name, as no copy of it is there.
"""

from __future__ import annotations

import io
import posixpath
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

TOP = Path(__file__).parents[2]
COPIES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security-policy.md",
}
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)")
FENCE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made."""
    made = {page: (TOP / name).read_text(encoding="utf-8") for name, page in COPIES.items()}
    made |= {"reference/commands.md": commands_page(), "reference/schemas.md": schemas_page()}
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Page, files: Files, **_: Any) -> str:
    """Lead links to where their pages are on the site."""
    path = page.file.src_uri
    source = next((name for name, copy in COPIES.items() if copy == path), f"docs/{path}")
    pages = {f"docs/{file.src_uri}": file.src_uri for file in files.documentation_pages()} | COPIES
    return linked(markdown, source, path, pages)


def linked(markdown: str, source: str, path: str, pages: dict[str, str]) -> str:
    """A page's text with its links as the site has them: from `source` in the repository to `path` on the site."""

    def led(found: re.Match[str]) -> str:
        text, target = found.groups()
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        name, _, anchor = target.partition("#")
        named = posixpath.normpath(posixpath.join(posixpath.dirname(source), name))
        if named not in pages:
            return text if (TOP / named).exists() else found[0]
        relative = posixpath.relpath(pages[named], posixpath.dirname(path) or ".")
        return f"[{text}]({relative}{'#' * bool(anchor)}{anchor})"

    parts = FENCE.split(markdown)
    return "".join(part if part.startswith("```") else LINK.sub(led, part) for part in parts)


def commands_page() -> str:
    """What `--help` says of each command."""
    sections = [f"## `tdgen {' '.join(words)}`" for words in commands()]
    parts = [
        f"{title}\n\n```text\n{said(*words, '--help')}\n```" for title, words in zip(sections, commands(), strict=True)
    ]
    top = f"```text\n{said('--help')}\n```"
    return "\n\n".join(["# Commands", "Each command as its `--help` has it.", top, *parts]) + "\n"


def schemas_page() -> str:
    """What `tdgen schema` prints."""
    from tdgen.cli.schema import KINDS

    parts = [f"## `tdgen schema {kind}`\n\n```json\n{said('schema', kind)}\n```" for kind in KINDS]
    return "\n\n".join(["# JSON schemas", "Of what programs are given.", *parts]) + "\n"


def commands() -> list[tuple[str, ...]]:
    """The words of all commands, those of groups too."""
    from typer.main import get_command

    from tdgen.cli.app import app

    def below(command: Any, *words: str) -> Iterator[tuple[str, ...]]:
        for name, one in getattr(command, "commands", {}).items():
            if not one.hidden:
                yield (*words, name)
                yield from below(one, *words, name)

    return list(below(get_command(app)))


def said(*arguments: str) -> str:
    """What a command prints."""
    from tdgen.cli.app import run

    with redirect_stdout(io.StringIO()) as out:
        code = run(arguments)
    if code:
        raise PluginError(f"`tdgen {' '.join(arguments)}` ended with {code}")
    return out.getvalue().rstrip()
