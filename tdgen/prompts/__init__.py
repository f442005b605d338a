"""What a prompt is made of: the templates of the stages, and what every prompt about a function begins with.

Prompts are Markdown files beside the stage that uses them, filled strictly: nothing missing, nothing left over.

A template is a `string.Template`: `$name` or `${name}` is filled, `$$` is a dollar. Values go in word for word; a
dollar inside a value is only a dollar. A line `---user---` parts what the system says from what the user says.
"""

from __future__ import annotations

from importlib import resources
from string import Template

from tdgen.protocols import Message

USER_PART = "---user---"


def render(package: str, name: str, /, **variables: str) -> str:
    """The template `prompts/<name>.md` of `package`, filled; ValueError where template and variables don't match."""
    template = _read(package, name)
    _must_match([template], variables, f"{package}/prompts/{name}.md")
    return template.substitute(variables).strip()


def conversation(package: str, name: str, /, **variables: str) -> tuple[Message, ...]:
    """A system and a user message from a template that `---user---` parts; one user message where nothing does.

    ValueError where template and variables don't match. The parting line counts in the file alone, not in a value.
    """
    system, parted, user = _part(_read(package, name).template)
    templates = [Template(system), Template(user)]
    _must_match(templates, variables, f"{package}/prompts/{name}.md")
    first, second = (template.substitute(variables).strip() for template in templates)
    if not parted:
        return (Message(role="user", content=first),)
    return (Message(role="system", content=first), Message(role="user", content=second))


def _read(package: str, name: str) -> Template:
    path = resources.files(package).joinpath("prompts", f"{name}.md")
    try:
        return Template(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"there is no prompt {package}/prompts/{name}.md") from None


def _part(text: str) -> tuple[str, bool, str]:
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.strip() == USER_PART:
            return "".join(lines[:number]), True, "".join(lines[number + 1 :])
    if USER_PART in text:
        raise ValueError(f"{USER_PART} parts a prompt only on a line of its own")
    return text, False, ""


def _must_match(templates: list[Template], variables: dict[str, str], where: str) -> None:
    """ValueError unless the templates name exactly these variables, and nothing that only looks like one."""
    for template in templates:
        if not template.is_valid():
            raise ValueError(f"{where}: a literal dollar is written $$")
    named = {name for template in templates for name in template.get_identifiers()}
    if missing := named - variables.keys():
        raise ValueError(f"{where} wants a value for: {', '.join(sorted(missing))}")
    if unused := variables.keys() - named:
        raise ValueError(f"{where} has no place for: {', '.join(sorted(unused))}")
