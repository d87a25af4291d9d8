"""Random pairs of schemas: what a review calls safe is tried with the generated code of both sides."""
