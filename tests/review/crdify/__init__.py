"""Agreement with crdify: its cases, run through a review, with a reason for each difference."""
