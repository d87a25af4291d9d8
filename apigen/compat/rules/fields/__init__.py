"""Fields that come, go, or move."""
