"""Text to events: grammars, the scanner, and one file for each log dialect."""
