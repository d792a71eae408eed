"""Who behaves as if they shared more than a table: evidence with its null, never a verdict."""
