"""What a review of changes costs, next to other tools that compare two versions of an API."""
