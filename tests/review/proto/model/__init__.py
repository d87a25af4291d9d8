"""Made-up pairs of messages: what a review calls safe is tried with python's protobuf."""
