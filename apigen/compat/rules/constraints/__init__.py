"""What values have to satisfy."""
