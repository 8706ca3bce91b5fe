"""`python -m study` is the command `study`."""

from study.cli import main

if __name__ == "__main__":
    main()
