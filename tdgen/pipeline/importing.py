"""Whether a project's module can be imported in the sandbox before anything of it is written."""

from __future__ import annotations

import re

from tdgen.build.draft import Tools
from tdgen.build.module_checks import observed_import
from tdgen.errors import InputError
from tdgen.language import Language
from tdgen.protocols import Sandbox
from tdgen.specs.declarations import declared_by
from tdgen.types import Limits, Plan, Target


def must_be_importable(tools: Tools, target: Target) -> None:
    """InputError where the module can't be imported: nothing could be tested, and nothing is paid for.

    Where something is to be added to it, its project may import just that from it already: ask again once that is
    planned, and a stub stands in its place.
    """
    why = import_fault(tools.sandbox, target, tools.settings.limits, tools.language)
    named = re.escape(f"'{target.module}'")
    missing = (
        rf"cannot import name '\w+' from (partially initialized module )?{named}|module {named} has no attribute '"
    )
    if not why or (target.added_to is not None and re.search(missing, why)):
        return
    raise InputError(
        f"{target.path} can't be imported in the sandbox as it is ({why}), so nothing could be tested: "
        f"{_remedy(why, target)}"
    )


def _remedy(why: str, target: Target) -> str:
    """What makes a module importable, by what importing it ended in."""
    if why.startswith(("SystemExit", "the process ended")):
        return "what ends the process on import belongs under `if __name__ == '__main__':`"
    if why.startswith(("PermissionError", "socket.gaierror", "ConnectionRefusedError", "OSError")):
        return "what it opens on import is closed there: open it in a function, or see --allow-loopback and --allow-run"
    if "circular import" in why:
        return "its imports lead back to it: put one of them into the function that needs it"
    if why.startswith("no result within"):
        return "what takes that long on import belongs in a function"
    called = "name only what is not called on import" if target.existing else "what it calls on import must be written"
    return f"what it imports must be in the project's environment, and {called}"


def import_fault(sandbox: Sandbox, target: Target, limits: Limits, language: Language) -> str:
    """Why a target's module can't be imported before anything of it is written; empty where it can."""
    module = declared_by(language, Plan(module=target.module, functions=(), target=target))
    observation = observed_import(sandbox, target.module, module, limits)
    if observation.status == "returned":
        return ""
    raised = observation.raised
    why = (
        f"{raised.type.removeprefix('builtins.')}: {raised.message}"
        if raised
        else observation.detail or observation.status
    )
    return " ".join(why.split())
