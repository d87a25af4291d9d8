"""Names and numbers that never return, and deprecations."""
