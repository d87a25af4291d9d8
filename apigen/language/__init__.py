"""The spec language: reads YAML files into a typed model with positions, without resolving names."""
