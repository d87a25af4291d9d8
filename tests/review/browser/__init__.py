"""The page of a review in a real browser, without a window."""
