"""Reading, writing, hashing and caching of files: what every other package may use."""
