"""Cache of surfaces and reviews, with a hash of all their inputs as key."""
