"""Services of protobuf and their methods."""
