"""``python -m hidato_opt``: the command line."""

from hidato_opt.cli import main

main()
