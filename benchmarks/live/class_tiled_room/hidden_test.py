import pytest

import solution


class Supplier:
    """A price_of that counts its calls; a tile of n cm costs n cents."""

    def __init__(self):
        self.asked = []
        self.down = False

    def __call__(self, tile):
        self.asked.append(tile)
        if self.down:
            raise TimeoutError("supplier")
        return tile


@pytest.fixture
def supplier():
    return Supplier()


def sides(room):
    return room.width, room.length, room.tile


def refused(action, text):
    with pytest.raises(ValueError) as caught:
        action()
    assert str(caught.value) == text


def test_example(supplier):
    room = solution.Room(100, 250, 30, supplier)
    assert sides(room) == (100, 250, 30)
    assert room.tiles == 36
    assert supplier.asked == []
    assert room.cost == 36 * 30


@pytest.mark.parametrize(
    ("width", "length", "tile", "tiles"),
    [(90, 60, 30, 6), (91, 60, 30, 8), (30, 30, 30, 1), (59, 31, 30, 4), (7, 5, 1, 35)],
)
def test_tiles(supplier, width, length, tile, tiles):
    assert solution.Room(width, length, tile, supplier).tiles == tiles


def test_setting(supplier):
    room = solution.Room(100, 250, 30, supplier)
    room.width = 60
    room.length = 90
    room.tile = 60
    assert sides(room) == (60, 90, 60)
    assert room.tiles == 2


def test_constructor_refuses(supplier):
    refused(lambda: solution.Room(0, 0, 0, supplier), "width must be at least 1, not 0")
    refused(lambda: solution.Room(5, -2, 0, supplier), "length must be at least 1, not -2")
    refused(lambda: solution.Room(5, 5, 0, supplier), "tile must be at least 1, not 0")
    refused(lambda: solution.Room(50, 200, 60, supplier), "tile 60 does not fit 50 x 200")
    refused(lambda: solution.Room(200, 50, 60, supplier), "tile 60 does not fit 200 x 50")


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("width", 0, "width must be at least 1, not 0"),
        ("length", -1, "length must be at least 1, not -1"),
        ("tile", 0, "tile must be at least 1, not 0"),
        ("tile", 101, "tile 101 does not fit 100 x 250"),
        ("width", 29, "tile 30 does not fit 29 x 250"),
        ("length", 29, "tile 30 does not fit 100 x 29"),
    ],
)
def test_setting_refused_changes_nothing(supplier, name, value, text):
    room = solution.Room(100, 250, 30, supplier)
    refused(lambda: setattr(room, name, value), text)
    assert sides(room) == (100, 250, 30)
    assert room.cost == 1080


def test_read_only(supplier):
    room = solution.Room(100, 250, 30, supplier)
    for name in ("tiles", "cost"):
        with pytest.raises(AttributeError):
            setattr(room, name, 5)


def test_resize(supplier):
    room = solution.Room(100, 250, 30, supplier)
    room.resize(40, 30)
    assert sides(room) == (40, 30, 30)
    assert room.tiles == 2


def test_resize_refused_changes_nothing(supplier):
    room = solution.Room(100, 250, 30, supplier)
    refused(lambda: room.resize(40, 20), "tile 30 does not fit 40 x 20")
    refused(lambda: room.resize(40, 0), "length must be at least 1, not 0")
    refused(lambda: room.resize(10, 0), "length must be at least 1, not 0")
    assert sides(room) == (100, 250, 30)


def test_price_is_remembered(supplier):
    room = solution.Room(100, 250, 30, supplier)
    assert [room.cost, room.cost, room.cost] == [1080, 1080, 1080]
    assert supplier.asked == [30]


def test_other_sides_change_the_cost_without_asking(supplier):
    room = solution.Room(100, 250, 30, supplier)
    assert room.cost == 1080
    room.width = 90
    assert room.cost == 3 * 9 * 30
    room.length = 30
    assert room.cost == 3 * 30
    room.resize(30, 30)
    assert room.cost == 30
    assert supplier.asked == [30]


def test_other_tile_asks_again_when_read(supplier):
    room = solution.Room(100, 100, 50, supplier)
    assert room.cost == 200
    room.tile = 25
    assert supplier.asked == [50]
    assert room.cost == 400
    room.tile = 25
    assert room.cost == 400
    assert supplier.asked == [50, 25]


def test_refused_tile_does_not_ask_again(supplier):
    room = solution.Room(100, 100, 50, supplier)
    assert room.cost == 200
    with pytest.raises(ValueError):
        room.tile = 101
    assert room.cost == 200
    assert supplier.asked == [50]


def test_supplier_that_is_down(supplier):
    room = solution.Room(100, 100, 50, supplier)
    supplier.down = True
    for _ in range(2):
        with pytest.raises(TimeoutError):
            _ = room.cost
    supplier.down = False
    assert room.cost == 200
    assert room.cost == 200
    assert supplier.asked == [50, 50, 50]


def test_free_tiles_are_remembered_too():
    asked = []
    room = solution.Room(10, 10, 5, lambda tile: asked.append(tile) or 0)
    assert [room.cost, room.cost] == [0, 0]
    assert asked == [5]


def test_rooms_are_separate(supplier):
    one, two = solution.Room(10, 10, 5, supplier), solution.Room(20, 20, 10, supplier)
    assert (one.cost, two.cost) == (20, 40)
    one.tile = 10
    assert (one.cost, two.cost) == (10, 40)
    assert supplier.asked == [5, 10, 10]
