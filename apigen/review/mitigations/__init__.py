"""What makes a change milder, and how that is verified."""
