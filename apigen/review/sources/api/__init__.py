"""The IR of specs as a surface."""
