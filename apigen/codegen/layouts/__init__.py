"""How objects lie in memory, in JSON and on the wire: what the optional native codec goes by."""
