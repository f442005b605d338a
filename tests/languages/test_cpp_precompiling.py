"""Headers that a compiler has read are kept for this compiler with these flags alone."""

from __future__ import annotations

from tdgen.language import Surroundings
from tdgen.languages.cpp import Cpp
from tdgen.languages.gcc.toolchain import Precompiled


def test_what_is_no_longer_current_goes(tmp_path):
    """Other flags have them read anew, and what was read by the earlier ones is removed; what is being made stays."""
    compiler = tmp_path / "compiler"
    compiler.write_text("#!/bin/sh\necho read > read\n")
    compiler.chmod(0o755)
    earlier, now = (Precompiled(tmp_path, str(compiler), (flag,), "#include <vector>\n") for flag in ("-O0", "-O1"))
    assert earlier.is_there()
    (tmp_path / "headers" / "tmpabc").mkdir()
    assert now.is_there()
    assert {one.name for one in (tmp_path / "headers").iterdir()} == {now.path.parent.name, "tmpabc"}
    assert now.path.read_text() == "#include <vector>\n"


def test_they_are_kept_where_the_cache_is(tmp_path):
    """A cache of another place has headers of its own."""
    assert Cpp(Surroundings(folder=tmp_path)).precompiled.startswith(f"{tmp_path}/headers/")
