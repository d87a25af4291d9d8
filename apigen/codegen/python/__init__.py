"""Writes Python source: lines and literals, names of modules, conditions and walks over generated objects."""
