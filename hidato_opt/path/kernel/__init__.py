"""Deduction and search on bit sets; what `deduce`, `search` and `heuristics` are made of."""
