"""`python -m study.notebooks execute` stores the outputs afresh; `check` fails if they are not fresh."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from study.notebooks import NOTEBOOKS, check_all, execute_all
from study.schema import StudyError


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0: all is fresh; 1: something differs or failed, as printed."""
    parser = argparse.ArgumentParser(prog="python -m study.notebooks", description=__doc__)
    parser.add_argument("action", choices=["execute", "check"])
    parser.add_argument("--notebooks", type=Path, default=NOTEBOOKS)
    parser.add_argument("--figures", type=Path, help="folder of the figures: written, or checked too")
    options = parser.parse_args(arguments)
    try:
        if options.action == "execute":
            execute_all(None, options.notebooks, options.figures, options.notebooks)
            return 0
        found = check_all(options.notebooks, options.figures)
    except StudyError as error:
        found = [str(error)]
    for text in found:
        print(text, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
