"""Entry point when the folder itself is run; makes it importable as a package under its own name."""

import importlib
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    importlib.import_module("program.agent").main()
