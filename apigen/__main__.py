"""`python -m apigen`."""

import sys

from apigen.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
