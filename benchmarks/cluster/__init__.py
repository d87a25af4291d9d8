"""What a conversion webhook of `apigen-server` costs the clients of a real API server."""
