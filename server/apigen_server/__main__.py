"""`python -m apigen_server`."""

from .cli import main

if __name__ == "__main__":
    main()
