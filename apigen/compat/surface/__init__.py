"""An API as its users see it, wherever it was loaded from."""
