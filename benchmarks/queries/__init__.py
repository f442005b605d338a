"""Plans and cases for tasks of `live/`: what a run needs to see which questions tdgen would ask."""
