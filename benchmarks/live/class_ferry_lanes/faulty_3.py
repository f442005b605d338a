"""Loading a ferry."""

GAP = 5


class LaneFull(Exception):
    """The vehicle does not fit the lane."""


class NoRoom(Exception):
    """The vehicle fits no lane."""

    def __init__(self, plate, missing):
        super().__init__(f"{plate} is {missing} too long")
        self.plate = plate
        self.missing = missing


class Vehicle:
    """What is loaded."""

    def __init__(self, plate, length):
        if length < 1:
            raise ValueError(f"bad length: {length}")
        self.plate = plate
        self.length = length


class Lane:
    """A lane on the deck."""

    def __init__(self, name, length):
        self.name = name
        self.length = length
        self._vehicles = []

    @property
    def free(self):
        """The longest vehicle that still fits."""
        taken = sum(vehicle.length + GAP for vehicle in self._vehicles)
        return max(0, self.length - taken)

    @property
    def plates(self):
        """The plates from the bow on."""
        return [vehicle.plate for vehicle in self._vehicles]

    def load(self, vehicle):
        """Put a vehicle behind the others."""
        if vehicle.length > self.free:
            raise LaneFull(self.name)
        self._vehicles.append(vehicle)

    def clear(self):
        """Let everything drive off."""
        self._vehicles.clear()


class Ferry:
    """A deck of lanes."""

    def __init__(self, lanes):
        self._lanes = list(lanes)

    def __len__(self):
        return sum(len(lane.plates) for lane in self._lanes)

    def __contains__(self, plate):
        return any(plate in lane.plates for lane in self._lanes)

    def load(self, vehicle):
        """Put a vehicle where it fits most tightly; the lane's name."""
        if vehicle.plate in self:
            raise ValueError(f"already on board: {vehicle.plate}")
        fitting = [lane for lane in self._lanes if lane.free >= vehicle.length]
        if not fitting:
            raise NoRoom(vehicle.plate, vehicle.length - max(lane.free for lane in self._lanes))
        best = min(fitting, key=lambda lane: lane.free)
        best.load(vehicle)
        return best.name

    def unload(self):
        """Empty all lanes; the plates as they drive off."""
        rows = list(zip(*[lane.plates for lane in self._lanes]))
        for lane in self._lanes:
            lane.clear()
        return [plate for row in rows for plate in row if plate is not None]
