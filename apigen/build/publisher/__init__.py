"""What becomes of generated text: formatting, caching, comparing with what is on disk, and writing it all or not at all."""
