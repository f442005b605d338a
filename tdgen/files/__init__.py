"""Files written whole or not at all, over what tdgen wrote and nothing else, and how they are formatted."""
