"""Other types of values."""
