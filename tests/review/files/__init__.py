"""The files that API repositories copy, or use from here: what they run is run."""
