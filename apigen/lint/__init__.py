"""Rules of style and policy: what a spec may say, but a maintainer of a long-lived API would not."""
