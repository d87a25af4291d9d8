"""Where surfaces are loaded from: a module or folder for each form of input, and a registry."""
