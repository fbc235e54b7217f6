"""Numbers along a path: Hidato, Numbrix and their kin."""
