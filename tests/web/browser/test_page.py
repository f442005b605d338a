"""The page as a person uses it."""

from __future__ import annotations

import zipfile

from tdgen.types import FileJob

WRONG = "def double(number: int) -> int:\n    return 2 * number if number < 7 else 0"
RIGHT = "def double(number: int) -> int:\n    return 2 * number"
NAMES = "return [...document.querySelectorAll('.functions .name')].map((one) => one.textContent)"
LISTED = "return [...document.querySelectorAll('.functions li')].filter((one) => one.offsetParent).length"
SEEN = """
const place = (one) => document.querySelector(one)?.getBoundingClientRect();
const [frame, row] = [place(".functions"), place(".functions [aria-current]")];
return Boolean(row && row.height && row.top >= frame.top - 1 && row.bottom <= frame.bottom + 1);
"""
IN_FRAME = """
const frame = document.querySelector(".graph-frame").getBoundingClientRect();
const box = document.querySelector(".graph .picked")?.getBoundingClientRect();
const across = box && box.left >= frame.left && box.right <= frame.right;
return Boolean(across && box.top >= frame.top && box.bottom <= frame.bottom);
"""
WHOLE = """
const frame = document.querySelector(".graph-frame");
return frame.scrollWidth <= frame.clientWidth && frame.scrollHeight <= frame.clientHeight;
"""
LEGENDS = "return [...document.querySelectorAll('.question legend')].map((one) => one.textContent)"
TAKE_THE_FIRST = (
    "document.querySelector('.question input').click(); document.querySelector('.question').requestSubmit()"
)


def test_from_prose_to_a_package(serve, solver, double, gate, page):
    """An instruction is typed, seen red, its wrong attempt looked into, seen green, and its zip's tests pass."""
    gated = gate(solver.model(double(WRONG, RIGHT)), "repair")
    service = serve(gated)
    page.open(service.url)
    page.type("#prose", "Double a number.")
    page.click(".compose button[type=submit]")
    assert gated.waiting.wait(30)
    page.says(".functions .told", "3 of 4 cases pass")
    page.says(".role.busy", "repairs double")
    page.says(".failing", "double(7)")
    cells = [cell.text for cell in page.all(".failing .difference td")]
    assert cells == ["result", "14", "0"]
    assert page.all(".graph .node.work")
    gated.open.set()
    page.says(".run-head .badge", "all green")
    assert page.all(".graph .node.green")
    page.click("[data-key='attempt-0-2'] summary")
    assert "2 * number if number < 7 else 0" in page.text(".diff del")
    assert "2 * number" in page.text(".diff ins")
    page.says(".beside", "def test_double")
    page.click(".actions a.main")
    with zipfile.ZipFile(page.downloaded()) as packed:
        files = {name: packed.read(name).decode() for name in packed.namelist()}
    tests = tuple(name for name in files if name.rpartition("/")[2].startswith("test_"))
    assert solver.sandbox.run_files(FileJob(files=files, tests=tests)).passed


def test_a_reload_loses_nothing(serve, solver, double, gate, page):
    """All that happened is there again, and what happens then is seen."""
    gated = gate(solver.model(double(WRONG, RIGHT)), "repair")
    service = serve(gated)
    identity = service.post("Double a number.")
    page.open(f"{service.url}/#/run/{identity}")
    page.says(".failing", "double(7)")
    before = page.text(".functions")
    page.driver.refresh()
    page.says(".failing", "double(7)")
    assert page.text(".functions") == before
    assert "Double a number." in page.text("blockquote")
    gated.open.set()
    page.says(".run-head .badge", "all green")


def test_a_question_is_answered(serve, halves, page):
    """It is put where it is seen, its options are picked from, and it is gone when it is answered."""
    service = serve(halves)
    page.open(service.url)
    page.type("#prose", "Half a number.")
    page.click("#ask")
    page.click(".compose button[type=submit]")
    while asked := page.until(lambda: page.run(LEGENDS) or page.all(".run-head .badge.green"), "nothing more happened"):
        if not isinstance(asked[0], str):
            break
        page.run(TAKE_THE_FIRST)
        page.until(lambda seen=asked[0]: seen not in page.run(LEGENDS), "still asked")
    assert "You said:" in page.text(".assumed")


def test_a_run_is_cancelled(serve, solver, double, gate, page):
    """With what it had by then to take home."""
    gated = gate(solver.model(double(WRONG, WRONG.replace("0", "1"))), "repair")
    service = serve(gated)
    page.open(f"{service.url}/#/run/{service.post()}")
    page.says(".failing", "double(7)")
    page.click(".actions .danger")
    page.says(".run-head .badge", "stopping")
    gated.open.set()
    page.says(".run-head .badge", "cancelled")
    assert "package" in page.text(".actions")


def test_a_kept_solution_is_followed_up(serve, solver, double, page):
    """What the cache holds is looked at as a run is, and gone on from."""
    solver.solve(double(), text="Double a number.")
    service = serve(solver.model(double()))
    page.open(service.url)
    page.click("#runs a")
    page.says(".run-head .badge", "all green")
    page.type("#follow", "why does double(7) give that?")
    page.click(".follow button[type=submit]")
    page.says(".answers", "double, double_7: `double(7)` returns `14`")
    page.type("#follow", "why double?")
    page.click(".follow button[type=submit]")
    page.says(".answers", "double: green")
    page.says(".answers", "why does double(7) give that?")
    page.type("#follow", "And be quick.")
    page.click(".follow button[type=submit]")
    page.says("blockquote", "And be quick.")
    page.says(".run-head .badge", "all green")
    page.says(".touched", "untouched double: contract, cases and code as before")


def test_helpers_are_seen_as_they_come(serve, divided, gate, page):
    """In the list and in the graph, before the function that needs them; what is not kept goes again."""
    gated = gate(divided("def total(text: str) -> int:\n    return sum(_total_parts(text))"), "implement _total_parts")
    service = serve(gated, trust="standard", budget="calls=60,iterations=1")
    page.open(f"{service.url}/#/run/{service.post('Sum up.')}")
    page.until(lambda: page.run(NAMES) == ["_total_parts", "_total_count", "total"], "the helpers are not listed")
    page.until(lambda: len(page.all(".graph .node")) == 3, "the helpers are not drawn")
    assert len(page.all(".graph .edge")) == 2
    page.click(".functions li:first-child button")
    page.says(".detail", "A helper of total, which resisted")
    gated.open.set()
    page.says(".run-head .badge", "all green")
    page.until(lambda: page.run(NAMES) == ["_total_parts", "total"], "what is not kept is still listed")
    page.until(lambda: len(page.all(".graph .node.green")) == 2, "it is not drawn anew")
    page.says(".figures", "2 of 2")


def test_text_stays_text(serve, solver, write, page):
    """What looks like markup in instruction, contract, values and exceptions is shown, and never run."""
    bad = "<script>window.hit=1</script><img src=x onerror='window.hit=1'>"
    echo = write.function(
        "echo(text: str) -> str",
        f"Give the text back. {bad}",
        cases=[write.returns(f"echo({bad!r})", repr(bad)), write.returns("echo('a')", "'a'", why=bad)],
        tries=[f"def echo(text: str) -> str:\n    raise ValueError({bad!r} + text)"],
        raises=["ValueError"],
    )
    question = {"question": f"Why? {bad}", "assumption": bad}
    service = serve(solver.model(echo, questions=[question], summary=bad), budget="iterations=1")
    identity = service.post(f"Echo. {bad}")
    service.ended(identity)
    page.open(f"{service.url}/#/run/{identity}")
    page.says(".run-head .badge", "not all green")
    for place in ("blockquote", ".contract", ".failing", ".assumed", ".cases"):
        assert "<script>window.hit=1" in page.text(place), place
    page.click(".timeline summary")
    assert page.run("return window.hit") is None
    assert page.run("return document.querySelectorAll('main script, main img').length") == 0


def test_what_a_service_refuses_is_said(serve, solver, page):
    """Beside the box, which keeps what was typed."""
    service = serve(solver.model())
    page.open(service.url)
    page.type("#prose", "Do something.")
    page.type("#budget", "calls=99")
    page.click(".compose button[type=submit]")
    page.says(".compose .wrong", "at most calls=30")
    assert page.run("return document.getElementById('prose').value") == "Do something."
    page.driver.get_log("browser")  # the refusal itself is in the console


def test_the_token_is_asked_for(serve, solver, double, page):
    """Once; a wrong one is said to be wrong."""
    from tdgen.web.callers import only_caller
    from tdgen.web.listening import Address

    service = serve(solver.model(double()), address=Address(port=0, callers=(only_caller("a-token-of-some-length"),)))
    page.open(service.url)
    page.type("dialog input", "wrong")
    page.click("dialog button")
    page.says("dialog .wrong", "not the token")
    page.type("dialog input", "a-token-of-some-length")
    page.click("dialog button")
    page.until(lambda: not page.all("dialog"), "still asked")
    page.says("#runs", "Nothing yet")
    page.driver.get_log("browser")  # the refusals are in the console


def test_two_hundred_functions(serve, solver, double, page):
    """All are listed and drawn; what is not looked at is not built; one is found by its name, and in the graph."""
    solution = many(solver.solve(double(), text="Double a number.").solution, 200)
    solver.generator()._runtime.solutions.put(solution)
    service = serve(solver.model())
    page.open(f"{service.url}/#/kept/{solution.key.removeprefix('sha256:')[:16]}")
    page.says(".figures", "200 of 200")
    assert len(page.all(".functions li")) == len(page.all(".graph .node")) == 200
    assert len(page.all(".detail")) == 1
    assert page.run("return scrollY") == 0, "the page moved by itself"
    page.type("#filter", "double_137")
    page.until(lambda: page.run(LISTED) == 1, "not sifted")
    page.click(".functions li:not([hidden]) button")
    page.says(".detail h2", "double_137")
    assert page.driver.current_url.endswith("/double_137")
    page.driver.refresh()
    page.until(lambda: page.run(SEEN), "the list does not show it")
    page.until(lambda: page.run(IN_FRAME), "the picked box is out of sight")
    _graph_is_zoomed_and_shows_neighbours(page)


def _graph_is_zoomed_and_shows_neighbours(page):
    """Buttons change its size, and what the focused box is joined to stands out."""
    from selenium.webdriver.common.keys import Keys

    width = "return document.querySelector('.graph').getBoundingClientRect().width"
    before = page.run(width)
    page.click("[aria-label='Zoom in']")
    assert page.run(width) > 1.2 * before
    page.click("[aria-label='Show the whole graph']")
    assert page.run(WHOLE), "the graph is larger than its frame"
    page.one(".graph .picked").send_keys(Keys.ARROW_LEFT)
    near = "return [...document.querySelectorAll('.node.near')].map((one) => one.dataset.name).sort()"
    assert page.run(near) == sorted(["double_68", "double_34", "double_136", "double_137"])
    assert len(page.all(".graph [tabindex='0']")) == 1, "Tab must not stop at each of 200"


def test_it_is_used_by_keyboard(serve, solver, write, page):
    """Tab reaches all, arrows walk the list, Enter picks a function in the graph, and the focus is seen."""
    from selenium.webdriver.common.keys import Keys

    names = ("one", "two", "three")
    functions = [
        write.function(
            f"{name}(number: int) -> int",
            cases=[write.returns(f"{name}({n})", str(n + 1)) for n in (1, 2, 3)],
            tries=[f"def {name}(number: int) -> int:\n    return number + 1"],
        )
        for name in names
    ]
    service = serve(solver.model(*functions))
    identity = service.post()
    service.ended(identity)
    page.open(f"{service.url}/#/run/{identity}")
    page.says(".run-head .badge", "all green")
    page.one(".functions button").send_keys(Keys.ARROW_DOWN)
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    page.says(".detail h2", "two")
    page.all(".graph .node")[2].send_keys(Keys.ENTER)
    page.says(".detail h2", "three")
    assert "detail" in page.run("return document.activeElement.className")
    page.one("body").send_keys(Keys.TAB)
    assert page.run("return document.activeElement !== document.body")


def test_runs_are_named_by_their_functions_and_searched(serve, solver, double, write, page):
    """Each once, though the cache holds it too, with its age; a search goes by functions and by words."""
    half = write.function(
        "half(number: int) -> int",
        cases=[write.returns(f"half({n})", str(n // 2)) for n in (0, 2, 8)],
        tries=["def half(number: int) -> int:\n    return number // 2"],
    )
    solver.solve(half, text="Halve a number.")
    service = serve(solver.model(double()))
    for _ in range(2):
        service.ended(service.post("Double a number."))
    page.open(service.url)
    page.until(lambda: len(page.all("#runs a")) == 2, "not each once")
    assert [row.text.split("\n")[1:] for row in page.all("#runs li")] == [
        ["double", "green · just now"],
        ["half", "green · just now"],
    ]
    page.type("#search", "halve")
    page.until(lambda: [row.text.split("\n")[1] for row in page.all("#runs li")] == ["half"], "not found by a word")
    page.type("#search", "nothing such")
    page.says("#runs", "Nothing of that name")


def test_a_failure_says_what_can_be_done_here(serve, solver, page):
    """In words of the page, and to try again keeps the instruction and its options."""
    service = serve(solver.model())
    identity = service.post("Do something.", trust="standard", budget="calls=9")
    service.ended(identity)
    page.open(f"{service.url}/#/run/{identity}")
    page.says(".trouble", "press Try again")
    assert "not reached" in page.text(".stages")
    page.click(".actions button")
    values = page.run("return ['prose', 'trust', 'budget'].map((id) => document.getElementById(id).value)")
    assert values == ["Do something.", "standard", "calls=9"]


def test_what_a_follow_up_goes_on_from_is_a_link(serve, solver, double, page):
    """To the solution that it changes; the model is named beside it, and the follow-up form stays in sight."""
    service = serve(solver.model(double()))
    first = service.ended(service.post("Double a number."))
    second = service.http.post(f"/runs/{first['id']}/follow", json={"instruction": "And be quick."}).json()["id"]
    service.ended(second)
    page.open(f"{service.url}/#/run/{second}")
    page.says(".lines", "Follows up Double a number.")
    page.says(".lines", " · trust quick · ")
    bottom = "return document.querySelector('.follow').getBoundingClientRect().bottom"
    page.until(lambda: 0 < page.run(bottom) <= page.run("return innerHeight"), "the form is out of sight")
    page.click(".lines a")
    page.says("blockquote", "Double a number.")


def test_the_whole_module_is_seen_and_copied(serve, solver, double, page):
    """As the package has it; what is copied is the source, nothing else."""
    service = serve(solver.model(double()))
    identity = service.post("Double a number.")
    service.ended(identity)
    page.open(f"{service.url}/#/run/{identity}")
    page.click(".whole")
    page.says(".detail h2", "kit.py")
    page.run("navigator.clipboard.writeText = (text) => ((window.copied = text), Promise.resolve())")
    page.click(".detail .copy")
    page.says(".detail .copy", "Copied")
    solution = service.http.get(f"/runs/{identity}/solution").json()
    assert page.run("return window.copied") == solution["module_source"]
    page.driver.refresh()
    page.says(".detail h2", "kit.py")


def test_steps_that_had_nothing_to_do_show_no_time(serve, solver, double, gate, page):
    """And none of them appears, goes or moves when the run ends."""
    gated = gate(solver.model(double(WRONG, RIGHT)), "repair")
    service = serve(gated)
    page.open(f"{service.url}/#/run/{service.post('Double a number.')}")
    page.says(".failing", "double(7)")
    places = "return [...document.querySelectorAll('.stages li, .role')].map((e) => [e.offsetLeft, e.offsetWidth])"
    before = page.run(places)
    gated.open.set()
    page.says(".run-head .badge", "all green")
    assert page.run(places) == before
    told = {stage.text.split("\n")[0]: stage.text.split("\n")[-1] for stage in page.all(".stages li")}
    assert [told[name] for name in ("Weigh", "Confirm", "Properties")] == ["not needed"] * 3
    assert page.text(".roles").startswith("Planner\n1 answer")


def many(solution, number: int):
    """The same function so many times under other names, each needing one before it."""
    spec, result = solution.plan.functions[0], solution.results[0]
    names = [f"double_{n}" for n in range(number)]
    specs = [
        spec.model_copy(update={"name": name, "dependencies": (names[n // 2],) if n > 3 else ()})
        for n, name in enumerate(names)
    ]
    results = [
        result.model_copy(
            update={"function": name, "history": tuple(a.model_copy(update={"function": name}) for a in result.history)}
        )
        for name in names
    ]
    return solution.model_copy(
        update={
            "key": "sha256:" + "7" * 64,
            "plan": solution.plan.model_copy(update={"functions": tuple(specs)}),
            "results": tuple(results),
        }
    )
