"""Check CEL rules of specs: syntax, types, and restrictions of the location of a rule."""
