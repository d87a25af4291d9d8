"""Servers over a package that apigen generated."""

__version__ = "0.1.0"
