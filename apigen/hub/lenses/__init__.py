"""The lenses: two-way mappings between a version and the hub, one module each."""
