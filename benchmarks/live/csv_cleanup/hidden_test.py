import pytest

import solution

HEADER = "name,email,amount\n"


@pytest.fixture
def run(tmp_path):
    def runner(body):
        source = tmp_path / "in.csv"
        source.write_bytes((HEADER + body).encode())
        counts = solution.clean(source, tmp_path / "out.csv", tmp_path / "bad.txt")
        assert source.read_bytes() == (HEADER + body).encode()
        bad = tmp_path / "bad.txt"
        return counts, (tmp_path / "out.csv").read_bytes().decode(), bad.read_bytes().decode() if bad.exists() else None

    return runner


def test_good_rows(run):
    counts, out, bad = run("Ada,ada@x.org,10\nBo,bo@x.org,-5\n")
    assert counts == {"kept": 2, "duplicates": 0, "rejected": 0}
    assert out == HEADER + "Ada,ada@x.org,10\nBo,bo@x.org,-5\n"
    assert bad is None


def test_strips_and_lowers(run):
    _, out, _ = run("  Ada B ,  ADA@X.org ,  007 \n")
    assert out == HEADER + "Ada B,ada@x.org,007\n"


def test_duplicates_keep_the_first(run):
    counts, out, bad = run("Ada,ada@x.org,1\nAda2,ADA@x.org,2\nAda3, ada@x.org,3\n")
    assert counts == {"kept": 1, "duplicates": 2, "rejected": 0}
    assert out == HEADER + "Ada,ada@x.org,1\n"
    assert bad is None


def test_rejects(run):
    counts, out, bad = run("Ada,ada@x.org\nBo, ,5\nCy,cy@x.org,12.5\nDi,di@x.org,4\nEd,ed@x.org,1,2\n")
    assert counts == {"kept": 1, "duplicates": 0, "rejected": 4}
    assert out == HEADER + "Di,di@x.org,4\n"
    assert bad == (
        "line 2: 2 cells instead of 3\nline 3: no email\nline 4: bad amount '12.5'\nline 6: 4 cells instead of 3\n"
    )


def test_blank_lines_count_as_lines(run):
    counts, out, bad = run("\nAda,ada@x.org,1\n   \n\nBo,,1\n")
    assert counts == {"kept": 1, "duplicates": 0, "rejected": 1}
    assert out == HEADER + "Ada,ada@x.org,1\n"
    assert bad == "line 6: no email\n"


def test_rejected_email_is_not_seen(run):
    counts, out, _ = run("Ada,ada@x.org,x\nAda,ada@x.org,5\n")
    assert counts == {"kept": 1, "duplicates": 0, "rejected": 1}
    assert out == HEADER + "Ada,ada@x.org,5\n"


def test_rejected_before_duplicate(run):
    counts, _, bad = run("Ada,ada@x.org,5\nAda,ada@x.org,five\n")
    assert counts == {"kept": 1, "duplicates": 0, "rejected": 1}
    assert bad == "line 3: bad amount 'five'\n"


@pytest.mark.parametrize("amount", ["", "+5", "1_000", "--5", "- 5", "-", "1e3"])
def test_bad_amounts(run, amount):
    counts, out, bad = run(f"Ada,ada@x.org, {amount} \n")
    assert counts["rejected"] == 1
    assert out == HEADER
    assert bad == f"line 2: bad amount '{amount}'\n"


def test_no_email_before_bad_amount(run):
    assert run("Ada,,x\n")[2] == "line 2: no email\n"


def test_quotes(run):
    _, out, _ = run('"Lee, Ann",ann@x.org,1\n"The ""Duke""",duke@x.org,2\n"Bo",bo@x.org,"3"\n')
    assert out == HEADER + '"Lee, Ann",ann@x.org,1\n"The ""Duke""",duke@x.org,2\nBo,bo@x.org,3\n'


def test_old_rejects_file_is_deleted(run, tmp_path):
    (tmp_path / "bad.txt").write_text("old\n")
    assert run("Ada,ada@x.org,1\n")[2] is None


def test_old_content_is_replaced(run, tmp_path):
    (tmp_path / "bad.txt").write_text("old\n")
    (tmp_path / "out.csv").write_text("old\n")
    _, out, bad = run("Ada,,1\n")
    assert out == HEADER
    assert bad == "line 2: no email\n"


def test_only_a_header(run):
    counts, out, bad = run("")
    assert counts == {"kept": 0, "duplicates": 0, "rejected": 0}
    assert out == HEADER
    assert bad is None
