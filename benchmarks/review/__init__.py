"""What a review of changes costs, beside other tools that compare two versions of an API."""
