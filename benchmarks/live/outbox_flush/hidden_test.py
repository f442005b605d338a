import pytest

import solution


@pytest.fixture
def box(tmp_path):
    return tmp_path / "outbox.jsonl"


def line(to, text="hi"):
    return f'{{"to": "{to}", "text": "{text}"}}\n'


def sender(problems=None):
    """A send function that raises for some receivers, and the list of what it was called with."""
    calls = []

    def send(to, text):
        calls.append((to, text))
        if to in (problems or {}):
            raise problems[to]

    return send, calls


def dead(box):
    path = box.with_name("outbox.jsonl.dead")
    return path.read_text(encoding="utf-8") if path.exists() else None


def test_enqueue(tmp_path):
    path = tmp_path / "a" / "b" / "out.txt"
    assert solution.enqueue(str(path), "zoë", "Grüße\n!") is None
    solution.enqueue(path, "bo", "x")
    assert path.read_bytes().decode() == '{"to": "zoë", "text": "Grüße\\n!"}\n{"to": "bo", "text": "x"}\n'


def test_all_sent(box):
    for to in ("ada", "bo", "cy"):
        solution.enqueue(box, to, f"hi {to}")
    send, calls = sender()
    assert solution.flush(str(box), send) == (3, 0)
    assert calls == [("ada", "hi ada"), ("bo", "hi bo"), ("cy", "hi cy")]
    assert not box.exists()
    assert dead(box) is None


def test_result_of_send_does_not_matter(box):
    box.write_text(line("ada") + line("bo"))
    assert solution.flush(box, lambda to, text: False) == (2, 0)
    assert not box.exists()


def test_missing_file(box):
    assert solution.flush(box, sender()[0]) == (0, 0)
    assert not box.exists()


def test_connection_error_stops(box):
    box.write_text(line("ada") + line("bo") + line("cy"))
    send, calls = sender({"bo": ConnectionError("down")})
    assert solution.flush(box, send) == (1, 2)
    assert [to for to, _ in calls] == ["ada", "bo"]
    assert box.read_text() == line("bo") + line("cy")


def test_kinds_of_connection_error(box):
    box.write_text(line("ada"))
    assert solution.flush(box, sender({"ada": ConnectionResetError()})[0]) == (0, 1)
    assert box.read_text() == line("ada")


def test_lines_stay_byte_for_byte(box):
    odd = '{ "text":"caf\\u00e9",   "to" : "bo"}  \n'
    box.write_text(line("ada") + odd + line("cy"))
    send, calls = sender({"bo": ConnectionError()})
    assert solution.flush(box, send) == (1, 2)
    assert calls[1] == ("bo", "café")
    assert box.read_text() == odd + line("cy")


def test_value_error_goes_to_dead(box):
    odd = '{"text": "hi", "to":"bo"}\n'
    box.write_text(line("ada") + odd + line("cy"))
    send, calls = sender({"bo": ValueError("no such address")})
    assert solution.flush(box, send) == (2, 0)
    assert [to for to, _ in calls] == ["ada", "bo", "cy"]
    assert dead(box) == odd
    assert not box.exists()


def test_dead_is_appended_to(box):
    box.with_name("outbox.jsonl.dead").write_text("old\n")
    box.write_text(line("bo"))
    assert solution.flush(box, sender({"bo": ValueError()})[0]) == (0, 0)
    assert dead(box) == "old\n" + line("bo")


def test_dead_and_then_down(box):
    box.write_text(line("ada") + line("bo") + line("cy"))
    send, _ = sender({"ada": ValueError(), "bo": ConnectionError()})
    assert solution.flush(box, send) == (0, 2)
    assert dead(box) == line("ada")
    assert box.read_text() == line("bo") + line("cy")


def test_other_exception(box):
    problem = RuntimeError("bug")
    box.write_text(line("ada") + line("bo") + line("cy") + line("di"))
    send, calls = sender({"bo": ValueError(), "cy": problem})
    with pytest.raises(RuntimeError) as caught:
        solution.flush(box, send)
    assert caught.value is problem
    assert [to for to, _ in calls] == ["ada", "bo", "cy"]
    assert box.read_text() == line("cy") + line("di")
    assert dead(box) == line("bo")


def test_key_error_of_send_is_another_exception(box):
    box.write_text(line("ada"))
    with pytest.raises(KeyError):
        solution.flush(box, sender({"ada": KeyError("x")})[0])
    assert box.read_text() == line("ada")
    assert dead(box) is None


def test_broken_lines_and_blank_lines(box):
    box.write_text("\n" + line("ada") + "oops {\n   \n" + line("bo") + "\n")
    send, calls = sender()
    assert solution.flush(box, send) == (2, 0)
    assert [to for to, _ in calls] == ["ada", "bo"]
    assert dead(box) == "oops {\n"
    assert not box.exists()


def test_only_blank_lines(box):
    box.write_text("\n\n")
    assert solution.flush(box, sender()[0]) == (0, 0)
    assert not box.exists()


def test_second_flush(box):
    box.write_text(line("ada") + line("bo"))
    solution.flush(box, sender({"ada": ConnectionError()})[0])
    send, calls = sender()
    assert solution.flush(box, send) == (2, 0)
    assert [to for to, _ in calls] == ["ada", "bo"]
