"""Whether all values of one schema are values of another, where that can be decided."""
