"""Go packages that define an API."""
