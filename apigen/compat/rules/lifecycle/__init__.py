"""Groups, kinds and versions: what comes, goes, and is served or stored."""
