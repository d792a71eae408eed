"""Rules run forward: one file a family of games, each a function from `Order` to `Played`."""
