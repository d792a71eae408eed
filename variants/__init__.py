"""The games, one file a game: only this room names one, every other asks for properties (relation `games`)."""
