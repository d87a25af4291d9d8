"""Charts as SVG, which documentation shows."""
