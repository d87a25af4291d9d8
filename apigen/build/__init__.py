"""What a command does with a project: begins one, builds it from its specs, writes it, compares it."""
