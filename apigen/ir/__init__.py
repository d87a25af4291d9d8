"""The resolved model of an API: what everything after loading works on."""
