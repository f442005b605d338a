"""Connections live as long as their workplace: one client for an endpoint and key, which keeps what was learnt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tdgen.cache import Journal
from tdgen.models import Ledger
from tdgen.models.connection import Connections
from tdgen.protocols import Model
from tdgen.runtime import Runtime

SCHEMA = {"json_schema": {"type": "object"}, "schema_name": "x"}


@pytest.fixture
def workplace(chat: Any, tmp_path: Path) -> Iterator[Runtime]:
    """A workplace on the endpoint; no sandbox is opened."""
    made = Runtime(chat.settings(cache_dir=str(tmp_path)))
    vars(made).update(sandbox=None, oracle=None)
    yield made
    made.close()


@pytest.fixture
def solve(workplace: Runtime) -> Iterator[Callable[..., Model]]:
    """The model of another solve, under changed settings if so wished."""
    journals: list[Journal] = []

    def begin(**changes: Any) -> Model:
        settings = workplace.settings.changed(**changes)
        journals.append(Journal.open(workplace.folder, f"sha256:{len(journals):064}"))
        return workplace.tools(journals[-1], Ledger(settings.budget), lambda event: None, settings).model

    yield begin
    for journal in journals:
        journal.close()


@pytest.fixture
def clients(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The openai clients that are made."""
    import tdgen.models.connection as module

    made: list[Any] = []
    connect = module.connect
    monkeypatch.setattr(module, "connect", lambda settings: made.append(connect(settings)) or made[-1])
    return made


def test_what_one_solve_learnt_the_next_one_knows(solve: Callable[..., Model], chat: Any, question: Any) -> None:
    """The refusal of the JSON schema is paid for once."""
    chat.will(chat.refused(400, "json_schema is unknown"), chat.said("{}"))
    solve().ask(question(**SCHEMA))
    solve(timeout=9.0).ask(question(**SCHEMA))
    formats = [body["response_format"]["type"] for body in chat.bodies]
    assert formats == ["json_schema", "json_object", "json_object"]


def test_solves_share_a_client(
    solve: Callable[..., Model], chat: Any, question: Any, clients: list[Any], workplace: Runtime
) -> None:
    """It is closed with the workplace; another key has a client of its own."""
    chat.will(chat.said("{}"))
    solve().ask(question())
    solve(trust="quick").ask(question())
    assert len(clients) == 1
    solve(api_key="another-key-4712").ask(question())
    assert len(clients) == 2
    workplace.close()
    assert all(client.is_closed() for client in clients)


def test_a_connection_is_known_by_endpoint_and_key(chat: Any) -> None:
    """Nothing else tells two apart."""
    connections = Connections()
    first = connections.to(chat.settings())
    assert connections.to(chat.settings(model="b", timeout=1.0)) is first
    assert connections.to(chat.settings(api_key="another")) is not first
    assert connections.to(chat.settings(base_url="http://127.0.0.1:9/v1")) is not first
