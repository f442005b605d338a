"""What a user opens in a sandbox: the loopback of a run's own network, and programs that may be started."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Opened(BaseModel):
    """Nothing, unless the user names it."""

    model_config = ConfigDict(frozen=True)

    loopback: bool = False
    programs: tuple[str, ...] = ()

    def __str__(self) -> str:
        """It in words, as the end of a sandbox's description: `network off`, `network off but for its own loopback`."""
        network = "network off but for its own loopback" if self.loopback else "network off"
        return network + (f"; may start {', '.join(self.programs)}" if self.programs else "")


NOTHING = Opened()
