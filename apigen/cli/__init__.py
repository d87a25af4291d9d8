"""The command line: one module per command in `commands`, which only have arguments and printing."""
