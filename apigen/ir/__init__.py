"""The resolved model of an API, the input of all later steps, and its surface, which clients depend on."""
