"""Messages as text for protoc."""
