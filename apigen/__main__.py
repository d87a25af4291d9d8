"""`python -m apigen`."""

from apigen.cli.program import program

if __name__ == "__main__":
    program()
