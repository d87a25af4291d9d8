"""A fuzzer of everything that reads documents: with the extension and without it, guided by coverage and by errors.

`python -m tests.fuzz --help` explains the options; `make fuzz` runs a million documents.
"""
