"""The short form, for CI: ratios to what Python always has, which fail only when they have doubled."""
