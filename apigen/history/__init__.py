"""What was released: a record for each release and group, from which that release's API can be built again."""
