"""Deduction and search on bit sets; everything here is behind `deduce`, `search` and `heuristics`."""
