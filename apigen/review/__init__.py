"""The review of an API change: what two states of an API show, what differs, whom it hurts, and what mends it."""
