"""Decide whether all values of one schema are values of another; the result may be that this is not proven."""
