import pytest

import solution


def test_example():
    found = solution.member_index(["van der Berg", "Ångström", "adams", "3M", "Bach"])
    assert found == [("A", ["adams", "Ångström"]), ("B", ["Bach", "van der Berg"]), ("#", ["3M"])]


def test_nothing():
    assert solution.member_index([]) == []


def test_sorted_letters():
    found = solution.member_index(["Zorn", "Maier", "Abel"])
    assert found == [("A", ["Abel"]), ("M", ["Maier"]), ("Z", ["Zorn"])]


def test_accents():
    found = solution.member_index(["Émile", "Edel", "Ende", "Éa"])
    assert found == [("E", ["Éa", "Edel", "Émile", "Ende"])]


def test_accents_inside():
    assert solution.member_index(["Mütze", "Muz", "Mut"]) == [("M", ["Mut", "Mütze", "Muz"])]


def test_decomposed_accents():
    assert solution.member_index(["U\u0308ber", "Ulm"]) == [("U", ["U\u0308ber", "Ulm"])]


def test_equal_forms_keep_their_order():
    names = ["Muller", "Müller", "MULLER", "Mull"]
    assert solution.member_index(names) == [("M", ["Mull", "Muller", "Müller", "MULLER"])]
    names = ["MULLER", "van Muller", "Müller", "Muller"]
    assert solution.member_index(names) == [("M", names)]


def test_twice():
    assert solution.member_index(["Abel", "Abel"]) == [("A", ["Abel", "Abel"])]


def test_particles_in_any_case():
    found = solution.member_index(["VAN DEN Bosch", "De Boer", "von Bonn"])
    assert found == [("B", ["De Boer", "von Bonn", "VAN DEN Bosch"])]


def test_particle_alone():
    assert solution.member_index(["De", "Von der", "van"]) == [("D", ["De", "Von der"]), ("V", ["van"])]


def test_particle_within():
    assert solution.member_index(["Ponce de Leon", "Ponce"]) == [("P", ["Ponce", "Ponce de Leon"])]


def test_not_a_particle():
    assert solution.member_index(["Vanders", "Dekker", "la Cour"]) == [("D", ["Dekker"]), ("L", ["la Cour"]), ("V", ["Vanders"])]


def test_other_characters():
    found = solution.member_index(["Øre", "Жук", "3M", "Ost"])
    assert found == [("O", ["Ost"]), ("#", ["3M", "Øre", "Жук"])]


def test_particle_before_another_character():
    assert solution.member_index(["von 9", "Vogt"]) == [("V", ["Vogt"]), ("#", ["von 9"])]


def test_casefold():
    assert solution.member_index(["Straßer", "Strasser", "STRASSER"]) == [("S", ["Straßer", "Strasser", "STRASSER"])]
    assert solution.member_index(["Straßf", "Strassa"]) == [("S", ["Strassa", "Straßf"])]


def test_space_sorts_before_letters():
    assert solution.member_index(["Bergmann", "Berg Zo"]) == [("B", ["Berg Zo", "Bergmann"])]


@pytest.mark.parametrize("name", ["", " ", " Abel", "Abel ", "Abel\n", "\tAbel"])
def test_error(name):
    with pytest.raises(ValueError):
        solution.member_index(["Bach", name])


def test_argument_stays():
    names = ["B", "A"]
    solution.member_index(names)
    assert names == ["B", "A"]
