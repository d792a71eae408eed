"""The "bets EV" that engines since 2022 print at the end: what they note before a query, and how it adds up."""

from collections.abc import Iterator, Sequence

PREFLOP, FLOP, TURN = range(3)
EVENTS = ("ev_preflop", "ev_flop", "ev_turn")


class Notes:
    """Chips put in by street, by name as in the engine: of players who share one the notes and sums are one."""

    def __init__(self, names: Sequence[str]) -> None:
        """names by seat."""
        self.names = names
        self.sums = {name: [0, 0, 0] for name in names}
        self.clear()

    def clear(self) -> None:
        """Forget the notes, not the sums."""
        self.noted = {name: [0, 0, 0] for name in self.names}

    def note(self, street: int, put: Sequence[int]) -> None:
        """Overwrite the note of a street: the chips so far, less those noted of the streets before it."""
        for name, chips in zip(self.names, put, strict=True):
            noted = self.noted[name]
            noted[street] = chips - sum(noted[:street])

    def add(self, deltas: Sequence[int]) -> None:
        """After a hand: the notes count with the sign of the award."""
        for name, delta in zip(self.names, deltas, strict=True):
            for k, chips in enumerate(self.noted[name]):
                self.sums[name][k] += ((delta > 0) - (delta < 0)) * chips

    def lines(self, seats: Sequence[int]) -> Iterator[tuple[str, str, int]]:
        """The lines after the final one: event, name, sum; players in the order of `seats`."""
        for seat in seats:
            name = self.names[seat]
            for event, total in zip(EVENTS, self.sums[name], strict=True):
                yield event, name, total
