"""Tiled floors."""


class Room:
    """A floor and the tiles to cover it."""

    def __init__(self, width, length, tile, price_of):
        self._price_of = price_of
        self._price = None
        self._set(width, length, tile)

    def _set(self, width, length, tile):
        """Take all three, if they go together."""
        for name, value in (("width", width), ("length", length), ("tile", tile)):
            if value < 1:
                raise ValueError(f"{name} must be at least 1, not {value}")
        if tile > min(width, length):
            raise ValueError(f"tile {tile} does not fit {width} x {length}")
        self._width = width
        self._length = length
        self._tile = tile

    @property
    def width(self):
        return self._width

    @width.setter
    def width(self, width):
        self._set(width, self._length, self._tile)

    @property
    def length(self):
        return self._length

    @length.setter
    def length(self, length):
        self._set(self._width, length, self._tile)

    @property
    def tile(self):
        return self._tile

    @tile.setter
    def tile(self, tile):
        old = self._tile
        self._set(self._width, self._length, tile)
        if tile != old:
            self._price = None

    def resize(self, width, length):
        """Set both sides at once."""
        self.width = width
        self.length = length

    @property
    def tiles(self):
        """How many tiles cover the floor."""
        return -(-self._width // self._tile) * -(-self._length // self._tile)

    @property
    def cost(self):
        """What the tiles cost."""
        if self._price is None:
            self._price = self._price_of(self._tile)
        return self.tiles * self._price
