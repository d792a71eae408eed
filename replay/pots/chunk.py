"""Matches of games whose logs print whole pots: from events to filled sheets, verdicts and tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.records import new_record
from ...parsers import events
from ...parsers.dialect import MatchText
from ...parsers.mit_jar import JarMatch
from ...parsers.reading import Pool, Scanned
from ...schema.words import DEALER_FIRST
from .. import records
from ..flags import flag_seats
from ..games import MOST_HOLE_CARDS, Game
from ..outcome import NOT_PAID, MatchInfo, Outcome, Rejected, Tables
from ..records import Sheets
from ..rows import Assembler, MatchFacts
from ..stakes import Stakes
from . import state
from .walk import walk

_FINDINGS_PER_EVENT: Final = 12
_OF_THREE: Final = ("SB", "BB", "BTN")
AFTER: Final = "after"
"""In `Profile.prints`: a hand's first lines have the bankrolls after the hand."""
SEATS: Final = "seats"
"""In `Profile.prints`: each player stands on a line of its own, and streets are printed without chips."""


@dataclass(frozen=True)
class PotsReplayed:
    """Matches that were replayed together (`outcome.Replayed`).

    sheets belong to the pool; notes is one a line event; matches are their texts.
    """

    game: Game
    sheets: Sheets
    notes: NDArray[np.uint8]
    matches: Sequence[MatchText]

    def outcome(self, place: int) -> Outcome:
        """What was found of a match."""
        record, players = self.sheets.matches[place], len(self.matches[place].names)
        game = self.game
        stacks = [float(record["stack"])] * players
        if game.carries and record["hands"]:
            stacks = self._first_stacks(int(record["first_hand"]), players)
        return Outcome(
            hands=int(record["hands"]),
            last_event=int(record["end"]),
            complete=bool(record["final"]) or self._is_won(place),
            profile=game.profiles[record["profile"]].name,
            profiles=tuple(p.name for k, p in enumerate(game.profiles) if record["ties"] >> k & 1),
            columns={
                "starting_stacks": stacks,
                "blinds": [float(record["small_blind"]), float(record["big_blind"])],
                "unit": float(record["big_blind"]),
                "logged_final": record["finals"][:players].tolist() if record["final"] else None,
            },
            rejected=(Rejected(int(record["reject_line"]), NOT_PAID),) if record["rejected"] else (),
        )

    def _seats(self, hand: int) -> NDArray[np.void]:
        """The rows of a hand's players."""
        row = self.sheets.hands[hand]
        return self.sheets.seats[row["first_seat"] : row["first_seat"] + row["players"]]

    def _first_stacks(self, hand: int, players: int) -> list[float]:
        """The stacks of a match's first hand, 0 for players who are out."""
        stacks, rows = [0.0] * players, self._seats(hand)
        for seat, stack in zip(rows["seat"].tolist(), rows["stack"].tolist(), strict=True):
            stacks[seat] = stack
        return stacks

    def _is_won(self, place: int) -> bool:
        """True where stacks are carried and one player has all of them."""
        record = self.sheets.matches[place]
        if not self.game.carries or not record["hands"]:
            return False
        rows = self._seats(int(record["first_hand"] + record["hands"]) - 1)
        return int(np.count_nonzero(rows["stack"] + rows["delta"])) == 1

    def tables(self, scanned: Scanned, infos: Sequence[MatchInfo]) -> Tables:
        """The rows of the matches, with an info a match."""
        game = self.game
        facts = [
            MatchFacts(
                game.name,
                DEALER_FIRST if len(info.players) == len(DEALER_FIRST) else _OF_THREE,
                float(stack),
                len(info.players) == len(DEALER_FIRST) and not game.carries,
            )
            for info, stack in zip(infos, self.sheets.matches["stack"].tolist(), strict=True)
        ]
        return Assembler(game, self.sheets, infos, facts, scanned).all()


def _settings(game: Game, matches: Sequence[MatchText], given: Stakes) -> NDArray[np.int64]:
    one = new_record(state.MATCH)
    seats = any(SEATS in profile.prints for profile in game.profiles)
    one["hole_cards"], one["holes_used"] = game.hole_cards, game.holes_used
    one["pot_limit"], one["drops_after"] = game.pot_limit, game.drops_after
    one["replaces"] = sum(1 << street for street in game.replaces)
    one["returns_always"], one["carries"] = game.returns == "always", game.carries
    one["deals_from"], one["prints_pots"] = game.deals_from, not seats
    one["last_street"] = len(game.boards) - 1
    one["boards"][: len(game.boards)] = game.boards
    one["explains"] = [game.explained_by(f"{game.name}.{name}") for name in state.KNOWN]
    settings = np.full(len(matches), one)
    settings["number"] = np.arange(len(matches))
    for row, match in zip(settings, matches, strict=True):
        stack, big = (match.stack, match.big_blind) if isinstance(match, JarMatch) else (0, 0)
        row["players"] = len(match.names)
        row["names_first"] = 0 if seats else len(match.names)
        row["same_names"] = len(set(match.names)) < len(match.names)
        row["header_fits"], row["cut"] = match.header_fits, match.cut_short
        row["stack"] = given.stack or stack or int(game.stack)
        blinds = (big // 2, big) if big else (int(game.blinds[0]), int(game.blinds[-1]))
        row["small_blind"], row["big_blind"] = given.blinds or blinds
    return settings.view(np.int64).reshape(len(matches), -1)


def _sheets(scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool) -> Sheets:
    """Tables large enough for the matches of a chunk."""
    last, count = int(scanned.first_event[-1]), scanned.tally
    hands = int(count[events.ROUND])
    seats = max(len(match.names) for match in matches) * hands
    acts = int(count[events.BLIND] + count[events.FOLD : events.RAISE + 1].sum())
    acts += int(count[[events.CALL_TO, events.DISCARD, events.EXCHANGE]].sum())
    changes = int(count[[events.DISCARD, events.EXCHANGE]].sum())
    return records.new_sheets(
        pool,
        len(matches),
        hands=hands,
        seats=seats,
        actions=acts,
        limits=acts,
        faults=int(count[events.FIRST_FAULT :].sum()),
        findings=_FINDINGS_PER_EVENT * last + 64,
        holes=game.hole_cards * seats,
        board=game.boards[-1] * hands,
        card_lines=16 * hands,
        finals=game.hole_cards * seats if changes else 0,
        changes=changes,
        changed=MOST_HOLE_CARDS * changes,
    )


def replay_pots(
    scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool, given: Stakes
) -> PotsReplayed:
    """Re-execute the hands of matches that were scanned together; the arrays belong to the pool.

    given: the stakes that the user says they have.
    """
    sheets = _sheets(scanned, matches, game, pool)
    notes = pool.take("notes", int(scanned.first_event[-1]), np.uint8)
    prints = np.array([AFTER in profile.prints for profile in game.profiles], np.int64)
    settings = _settings(game, matches, given)
    walk(scanned.events, scanned.first_event, settings, prints, state.new_play(sheets), sheets, notes)
    records.check_room(sheets.used, game.name)
    flag_seats(
        sheets.hands[: sheets.used[records.HANDS]],
        sheets.seats,
        sheets.actions[: sheets.used[records.ACTS]],
        np.ones(len(matches), np.bool_),
    )
    return PotsReplayed(game, sheets, notes, matches)
