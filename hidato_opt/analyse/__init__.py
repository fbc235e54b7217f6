"""Questions about a puzzle beyond its solution: how many there are, whether it is unique."""
