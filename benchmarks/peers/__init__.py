"""The peers: what they are, where they are, and how they are set up below `build/peers`."""
