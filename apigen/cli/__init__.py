"""The command line: one module per command in `commands`, with nothing in them but arguments and printing."""
