"""Hosts that are opened by name: how they are given, and where a connection may lead."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable, Iterator

import pytest

from tdgen.errors import InputError
from tdgen.sandbox.hosts import PORTS, Host, Undialled, dial, is_public, read_hosts


class TestReading:
    """HOST or HOST:PORT, in one spelling."""

    @pytest.mark.parametrize(
        ("text", "host"),
        [
            ("example.org", Host("example.org", PORTS)),
            ("Example.ORG.", Host("example.org", PORTS)),
            ("example.org:8080", Host("example.org", (8080,))),
            ("bücher.example", Host("xn--bcher-kva.example", PORTS)),
            ("10.0.0.5:22", Host("10.0.0.5", (22,))),
            ("::1", Host("::1", PORTS)),
            ("[2001:DB8::1]:8443", Host("2001:db8::1", (8443,))),
            ("localhost:8000", Host("localhost", (8000,))),
        ],
    )
    def test_forms(self, text: str, host: Host) -> None:
        """Names as the network spells them, addresses as they are shortest."""
        assert read_hosts([text]) == (host,)

    @pytest.mark.parametrize(
        "text",
        [
            *(
                "https://example.org",
                "example.org/path",
                "*.example.org",
                "a b",
                "",
                "example.org:0",
                "a.org:99999",
                ".",
            ),
            *("example.org:http", "-x.org", "1.2.3", "user@example.org", "[::1", "x" * 70 + ".org", "exa\0mple.org"),
        ],
    )
    def test_nothing_else(self, text: str) -> None:
        """No address of a page, no pattern: one line says what a host looks like."""
        with pytest.raises(InputError, match="that is no host: name one such as"):
            read_hosts([text])

    def test_each_once_and_as_it_was_given(self) -> None:
        """Ports are told where they were."""
        hosts = read_hosts(["a.org", "A.org", "b.org:1", "[::1]:2"])
        assert [str(host) for host in hosts] == ["a.org", "b.org:1", "[::1]:2"]


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "10.1.2.3",
            "192.168.0.1",
            "172.16.0.1",
            "169.254.169.254",
            "0.0.0.0",
            "224.0.0.1",
            "100.64.0.1",
        ),
        *("::1", "fe80::1%eth0", "fc00::1", "::ffff:127.0.0.1", "2002:7f00:1::", "::", "ff02::1", "198.18.0.1", "x"),
    ],
)
def test_private_addresses(address: str) -> None:
    """This machine, its network, a cloud's own services, and all that only looks like another address."""
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.215.14", "2606:4700:4700::1111", "::ffff:1.1.1.1"])
def test_public_addresses(address: str) -> None:
    """The internet's."""
    assert is_public(address)


class TestDialling:
    """What was opened, and nothing else, whatever is asked for."""

    @pytest.fixture
    def port(self) -> Iterator[int]:
        """Where somebody listens on this machine."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            yield server.getsockname()[1]

    @pytest.fixture
    def names(self, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
        """Has names lead to these addresses."""

        def lead(**places: str) -> None:
            def found(name: str, port: int, **options: object) -> list[tuple[object, ...]]:
                if name not in places:
                    raise socket.gaierror(socket.EAI_NONAME, "unknown")
                return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (places[name], port))]

            monkeypatch.setattr(socket, "getaddrinfo", found)

        return lead

    def test_an_address_that_was_named_is_connected_to(self, port: int) -> None:
        """A private one too: whoever names it means it."""
        with dial(read_hosts([f"127.0.0.1:{port}"]), "127.0.0.1", port) as connection:
            assert connection.getpeername() == ("127.0.0.1", port)

    @pytest.mark.parametrize("asked", ["127.0.0.2", "localhost", "example.org", "127.0.0.1\0", "127.1", "2130706433"])
    def test_another_host_is_refused(self, port: int, asked: str) -> None:
        """Even one that leads to the same place."""
        with pytest.raises(Undialled, match="is not opened: the sandbox opens only") as refused:
            dial(read_hosts([f"127.0.0.1:{port}"]), asked, port)
        assert refused.value.number == errno.EPERM

    def test_another_port_is_refused(self, port: int) -> None:
        """Without one it is 443 and 80."""
        with pytest.raises(Undialled, match="is not opened"):
            dial(read_hosts(["127.0.0.1"]), "127.0.0.1", port)

    @pytest.mark.parametrize("private", ["127.0.0.1", "10.0.0.1", "169.254.169.254"])
    def test_a_name_that_leads_to_a_private_address_is_refused(self, names, port: int, private: str) -> None:
        """Whoever runs the name's server could make it lead anywhere; the line says what to name instead."""
        names(**{"evil.example": private})
        with pytest.raises(Undialled, match=f"leads to {private}, which is private: .* name the address itself"):
            dial(read_hosts([f"evil.example:{port}"]), "evil.example", port)

    def test_the_machine_itself_may_be_named_as_people_do(self, port: int) -> None:
        """`localhost` is no name that somebody else could turn elsewhere."""
        with dial(read_hosts([f"localhost:{port}"]), "LOCALHOST", port) as connection:
            assert connection.getpeername()[1] == port

    def test_a_name_that_nobody_knows(self, names) -> None:
        """No error of the system's: the inside says so as a failed look-up."""
        names()
        with pytest.raises(Undialled, match="is not known") as unknown:
            dial(read_hosts(["nobody.example"]), "nobody.example", 443)
        assert unknown.value.number == 0

    def test_nobody_listens(self, port: int) -> None:
        """The system's own error goes on to the inside."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            free = server.getsockname()[1]
        with pytest.raises(Undialled) as refused:
            dial(read_hosts([f"127.0.0.1:{free}"]), "127.0.0.1", free)
        assert refused.value.number == errno.ECONNREFUSED
