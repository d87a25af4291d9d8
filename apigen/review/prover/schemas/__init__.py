"""Whether every value of one JSON Schema is a value of another: decided over whole schemas, however they are written."""
