"""The optional native codec: whatever it does, it does as the generated Python code; the rest it leaves to that."""
