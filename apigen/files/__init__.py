"""Reading, writing, hashing and caching of files, for all other packages."""
