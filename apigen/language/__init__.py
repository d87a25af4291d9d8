"""The spec language: YAML files to a typed model with positions, and nothing of what the names in it mean."""
