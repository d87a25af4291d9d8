"""The layouts of objects in memory, in JSON and on the wire, for the optional native codec."""
