"""The classes of each version and hub."""
