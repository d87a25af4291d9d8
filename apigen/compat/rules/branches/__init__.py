"""Keywords of schemas that no value is judged by."""
