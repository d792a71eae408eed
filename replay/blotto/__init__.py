"""Blotto Hold'em: three boards at once, one stack, decisions in triples; a kernel of its own."""
