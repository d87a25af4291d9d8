"""Documentation of the API, as Markdown and pictures."""
