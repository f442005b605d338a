import pytest

import solution

STEPS = [(100, 30), (250, 25), (None, 20)]


def test_base_class_is_abstract():
    with pytest.raises(TypeError):
        solution.Tariff("x", 100)


def test_subclass_without_energy_is_abstract():
    class Broken(solution.Tariff):
        pass

    with pytest.raises(TypeError):
        Broken("x", 100)


def test_flat():
    tariff = solution.Flat("Easy", 500, 31)
    assert isinstance(tariff, solution.Tariff)
    assert (tariff.name, tariff.standing) == ("Easy", 500)
    assert tariff.energy([(3, 2), (14, 5)]) == 217
    assert tariff.bill([(3, 2), (14, 5)]) == 717


def test_minimum():
    tariff = solution.Flat("Easy", 100, 10)
    assert tariff.minimum == 300
    assert tariff.bill([(1, 19)]) == 300
    assert tariff.bill([(1, 20)]) == 300
    assert tariff.bill([(1, 21)]) == 310


def test_nothing_used_is_the_standing_charge():
    tariff = solution.Flat("Easy", 100, 10)
    assert tariff.bill([]) == 100
    assert tariff.bill([(1, 0), (5, 0)]) == 100


@pytest.mark.parametrize(
    ("kwh", "cents"),
    [(0, 0), (1, 30), (100, 3000), (101, 3025), (250, 6750), (251, 6770), (1000, 21750)],
)
def test_steps(kwh, cents):
    assert solution.Steps("Stairs", 0, STEPS).energy([(12, kwh)]) == cents


def test_steps_count_all_readings_together():
    tariff = solution.Steps("Stairs", 200, STEPS)
    assert tariff.bill([(1, 60), (13, 60), (23, 140)]) == 200 + 3000 + 3750 + 200


def test_hours_of_the_night():
    tariff = solution.DayNight("Owl", 0, 1000, 1)
    night = [hour for hour in range(24) if tariff.energy([(hour, 1)]) == 1]
    assert night == [0, 1, 2, 3, 4, 5, 22, 23]
    assert tariff.energy([(5, 2), (6, 2), (21, 1), (22, 1)]) == 3003


@pytest.mark.parametrize("bad", [(24, 3), (-1, 3), (7, -1)])
def test_bad_reading(bad):
    calls = []

    class Spy(solution.Tariff):
        def energy(self, readings):
            calls.append(readings)
            return 0

    with pytest.raises(ValueError) as caught:
        Spy("s", 1).bill([(0, 1), bad, (99, 99)])
    assert str(caught.value) == f"bad reading: {bad}"
    assert calls == []


def test_own_subclass():
    class Odd(solution.Tariff):
        minimum = 50

        def energy(self, readings):
            return 7 * len(readings)

    tariff = Odd("odd", 10)
    assert tariff.bill([(1, 1)]) == 50
    assert tariff.bill([(1, 1)] * 6) == 52
    assert solution.Flat("f", 0, 1).bill([(1, 1)]) == 300


def test_cheapest_depends_on_the_readings():
    flat = solution.Flat("Flat", 500, 25)
    owl = solution.DayNight("Owl", 500, 30, 10)
    stairs = solution.Steps("Stairs", 400, STEPS)
    tariffs = [flat, owl, stairs]
    assert solution.cheapest(tariffs, [(12, 10)]) is stairs
    assert solution.cheapest(tariffs, [(12, 50)]) is flat
    assert solution.cheapest(tariffs, [(23, 50)]) is owl


def test_cheapest_of_equals_by_name():
    b, a, c = (solution.Flat(name, 10, 1) for name in "bac")
    assert solution.cheapest([b, a, c], [(1, 5)]) is a


def test_cheapest_of_none():
    with pytest.raises(ValueError) as caught:
        solution.cheapest([], [(1, 1)])
    assert str(caught.value) == "no tariffs"
