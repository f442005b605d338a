"""What a user opens in a sandbox by name: hosts on the network, and programs that may be started."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from tdgen.sandbox.hosts import Host

CERTIFICATES = (
    *("/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/openssl.cnf", "/usr/share/ca-certificates"),
    *("/usr/local/share/ca-certificates", "/etc/ca-certificates/extracted"),
    *("/etc/pki/tls/certs", "/etc/pki/tls/cert.pem", "/etc/pki/ca-trust/extracted"),
)
"""Where systems keep the authorities that they trust: public, and needed to talk to any host by TLS."""


class Opened(BaseModel):
    """Nothing, unless the user names it."""

    model_config = ConfigDict(frozen=True)

    hosts: tuple[Host, ...] = ()
    programs: tuple[str, ...] = ()

    @property
    def visible(self) -> tuple[str, ...]:
        """Paths to read besides."""
        return CERTIFICATES if self.hosts else ()

    def request(self) -> dict[str, Any]:
        """What a request tells a child of it."""
        return {"hosts": [host.name for host in self.hosts]} if self.hosts else {}

    def __str__(self) -> str:
        """It in words, as the end of a sandbox's description: `network off`, `network off but for example.org`."""
        network = "network off" + (f" but for {', '.join(map(str, self.hosts))}" if self.hosts else "")
        return network + (f"; may start {', '.join(self.programs)}" if self.programs else "")


NOTHING = Opened()
