"""apigen compiles YAML API definitions into versioned Python packages: types, hub, converters, codecs, strategies."""

__version__ = "0.1.0"
