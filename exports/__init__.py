"""Hands of a store as text in the formats that other programs read: a hand in, its text or the reason why not out."""
