"""Draw the winners of a raffle."""

import random


class NotEnoughPeople(Exception):
    """There are more prizes than people."""

    def __init__(self, people, prizes):
        super().__init__(f"only {people} people for {prizes} prizes")
        self.people = people
        self.prizes = prizes


def draw(tickets, count, seed):
    """Draw, print and return the winners."""
    people = len(set(tickets))
    if people < count:
        raise NotEnoughPeople(people, count)
    generator = random.Random(seed)
    left, winners = list(tickets), []
    for _ in range(count):
        winner = generator.choice(left)
        winners.append(winner)
        left = [name for name in left if name != winner]
    width = len(str(len(set(tickets))))
    for place, winner in enumerate(winners, 1):
        print(f"{place:>{width}}. {winner}")
    return winners
