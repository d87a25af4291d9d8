"""The extension under sanitizers: documents and objects that are bent at random, for as long as one likes."""
