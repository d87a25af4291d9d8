"""What reads and writes JSON, for each version."""
