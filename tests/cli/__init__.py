"""Tests of the command line, as its users run it."""
