"""Index sets, variables, constraint builders and the `Model` of plain arrays.

Nothing in here knows a puzzle or a solver.
"""
