"""Conversion functions: between each version and its hub."""
