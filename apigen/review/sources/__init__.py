"""The sources of surfaces: a module or folder for each form of input, and a registry."""
