"""What is asked of code that exists beside its suite."""

from __future__ import annotations

from dataclasses import make_dataclass
from types import SimpleNamespace

from tdgen.build.existing import with_concern


def test_where_nobody_says_what_a_concern_means_a_note_says_so():
    """And nobody is asked again."""
    noted = []
    tools = SimpleNamespace(emit=lambda event: noted.append(event.text))
    target = SimpleNamespace(concern="the last page is lost")
    build = SimpleNamespace(plan=SimpleNamespace(target=target), tools=tools, can_spare=lambda *_: False)

    fields = {"name": "page_count", "near_concern": None, "notes": ()}
    state = with_concern(build, make_dataclass("State", fields)(**fields))
    assert with_concern(build, state) is state
    said = "page_count: your concern steered nothing, as nobody said where it is decided: the budget has nothing left"
    assert [*state.notes] == noted == [f"{said} for it"]
