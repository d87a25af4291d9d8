"""The resolved model of an API, the input of all later steps."""
