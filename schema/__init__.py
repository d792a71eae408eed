"""What the store holds: every table, column and vocabulary, each once."""
