"""The lenses: two-way mappings between a version and the hub, a module for each kind."""
