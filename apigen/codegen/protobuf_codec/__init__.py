"""What reads and writes protobuf, for each version."""
