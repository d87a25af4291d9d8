"""What a rule says of a change."""
