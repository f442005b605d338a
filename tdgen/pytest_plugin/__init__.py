"""The plugin that pytest finds by its name `tdgen`. PYTEST_DONT_REWRITE.

Loading it imports nothing beside: all that its options need is imported where they are given, and what tells the
command of a failing test where one fails in a project that has a record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the plugin's options."""
    group = parser.getgroup("tdgen", "what tdgen made, and how strong its tests are")
    group.addoption(
        "--tdgen-verify",
        action="store_true",
        help="say which functions and methods are no longer as tdgen left them (tdgen.json); the run fails for it",
    )
    group.addoption(
        "--tdgen-guard",
        action="store_true",
        help="say how many mutants of the code that changed since the last commit these tests kill, in a sandbox",
    )
    group.addoption(
        "--tdgen-diff",
        metavar="REVISION",
        default="HEAD",
        help="with --tdgen-guard: what changed since this commit, branch or tag (default: HEAD)",
    )
    group.addoption("--no-tdgen", action="store_true", help="leave --tdgen-verify and --tdgen-guard out")


def pytest_configure(config: pytest.Config) -> None:
    """Listen where there is something to tell; of a run by several processes, in the first of them alone."""
    if hasattr(config, "workerinput"):
        return
    option = config.option
    verifies, guards = (bool(wanted) and not option.no_tdgen for wanted in (option.tdgen_verify, option.tdgen_guard))
    folders = (config.rootpath, *config.rootpath.parents)
    root = next((folder for folder in folders if (folder / "tdgen.json").is_file()), None)
    if root is not None:
        from tdgen.pytest_plugin.failing import Failing

        config.pluginmanager.register(Failing(config, root), "tdgen-failing")
    if verifies:
        from tdgen.pytest_plugin.verifying import Verifying

        config.pluginmanager.register(Verifying(root or config.rootpath), "tdgen-verifying")
    if guards:
        from tdgen.pytest_plugin.guarding import Guarding

        config.pluginmanager.register(Guarding(config), "tdgen-guarding")
