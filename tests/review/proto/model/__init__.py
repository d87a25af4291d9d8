"""Random pairs of messages: directions that a review reports as safe are tried with python's protobuf."""
