"""Words about the API."""
