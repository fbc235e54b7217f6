"""One suite of checks that every backend runs, on models whose answers were worked out by hand."""
