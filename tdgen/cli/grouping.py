"""A command's help with its options in groups: what to solve, how thoroughly, by which model, where, what comes out."""

from __future__ import annotations

from typing import Any, Final

from typer.core import TyperCommand

REST: Final = "Other options"
GROUPS: Final = {
    "What to solve": "tests plan follow module ask assume limit only runs replay resume",
    "How thoroughly, and at what cost": "trust budget fresh no_baselines dry_run",
    "Which model": "model planner_model tester_model developer_model trial_model temperature base_url script timeout"
    " rpm concurrency at_once",
    "Where to run": "sandbox python docker_runtime allow allow_loopback allow_run cache_dir sandbox_check",
    "Who may ask": "host port token token_file allow_host waiting",
    "Output": "out layout force overwrite readme no_record folders json html code show.tests transcript verbose quiet",
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
