"""A model for measuring what is around a model: of `times_N(number)` it knows all, at trust quick three answers a line.

It is right at the first try, and answers after a fixed time, so that what a run takes beside it is tdgen's own.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from simulated.prompts import read

_NAME: Final = re.compile(r"times_(\d+)")


def instruction(number: int) -> str:
    """What line `number` asks for."""
    return f"times_{number}(number: int) -> int: the number, {number} times."


def reply(body: dict[str, Any]) -> str:
    """The answer to a chat completion's body."""
    asked = read(body)
    found = _NAME.search(asked.text)
    number = int(found[1]) if found else 0
    if asked.stage == "code":
        return f"```python\ndef times_{number}(number: int) -> int:\n    return {number} * number\n```"
    return json.dumps(_structured(asked.stage, number))


def _structured(stage: str, number: int) -> dict[str, Any]:
    if stage == "plan":
        spec = {
            "name": f"times_{number}",
            "purpose": f"Gives the number, {number} times.",
            "parameters": [{"name": "number", "type": "int"}],
            "returns": "int",
            "raises": [],
            "dependencies": [],
        }
        return {"module": f"times_{number}", "functions": [spec]}
    if stage in ("cases", "suite"):
        return {"cases": [_case(number, value) for value in (1, 2, 7)]}
    return {"answers": [], "rulings": [], "properties": []}


def _case(number: int, value: int) -> dict[str, Any]:
    return {"name": f"of_{value}", "arguments": [str(value)], "expect": "value", "value": str(number * value)}
