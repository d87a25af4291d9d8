"""What each side makes of a value, as the generated code does it."""
