"""What differs between two surfaces."""
