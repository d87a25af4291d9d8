"""Importers: an API defined elsewhere becomes specs. One package per source, each ending in what `specs/` merges."""
