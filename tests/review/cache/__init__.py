"""What is kept of surfaces and reviews."""
