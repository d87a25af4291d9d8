"""Numbers and names on the wire, and files, of protobuf."""
