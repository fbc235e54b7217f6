"""Models of puzzles, and the pipeline that solves them."""
