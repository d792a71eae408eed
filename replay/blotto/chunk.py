"""Blotto replayed: from the events of some matches to filled sheets, verdicts and tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ...jit.records import new_record
from ...parsers import events
from ...parsers.dialect import MatchText
from ...parsers.reading import Pool, Scanned
from .. import records
from ..games import Game
from ..heads_up import state as s
from ..heads_up.chunk import assembled
from ..outcome import NOT_PAID, MatchInfo, Outcome, Rejected, Tables
from ..records import Sheets
from . import state as t
from .game import BOARD_CARDS, BOARDS, DEALT_CARDS, prints_of
from .state import Engines
from .walk import walk

_FINDINGS_PER_EVENT = 10
_CARD_EVENTS = 20


@dataclass(frozen=True)
class BlottoReplayed:
    """Matches of Blotto that were replayed together (`outcome.Replayed`).

    sheets belong to the pool; notes is one a line event (`walk`).
    """

    game: Game
    sheets: Sheets
    notes: NDArray[np.uint8]

    def outcome(self, place: int) -> Outcome:
        """What was found of a match."""
        game, record = self.game, self.sheets.matches[place]
        rejected = (Rejected(int(record["reject_line"]), NOT_PAID),) if record["rejected"] else ()
        return Outcome(
            hands=int(record["hands"]),
            last_event=int(record["end"]),
            complete=bool(record["final"]),
            profile=game.profiles[record["profile"]].name,
            profiles=tuple(p.name for k, p in enumerate(game.profiles) if int(record["ties"]) >> k & 1),
            columns={
                "starting_stacks": [game.stack] * 2,
                "blinds": list(game.blinds),
                "unit": game.blinds[-1],
                "logged_final": record["finals"][:2].tolist() if record["final"] else None,
            },
            rejected=rejected,
        )

    def tables(self, scanned: Scanned, infos: Sequence[MatchInfo]) -> Tables:
        """The rows of the matches, with an info a match."""
        return assembled(scanned, self.game, self.sheets, infos, pots_of_two=False)


@cache
def _engines(game: Game) -> Engines:
    return Engines(
        np.array([game.mask(p.deviations) for p in game.profiles], np.int64),
        np.array([prints_of(p) for p in game.profiles], np.int64),
    )


def _settings(game: Game, matches: Sequence[MatchText]) -> NDArray[np.int64]:
    one = new_record(s.MATCH)
    one["stack"] = int(game.stack)
    one["small_blind"], one["big_blind"] = (int(blind) for blind in game.blinds)
    settings = np.full(len(matches), one)
    settings["number"] = np.arange(len(matches))
    settings["same_names"] = [m.names[0] == m.names[1] for m in matches]
    settings["header_fits"] = [m.header_fits for m in matches]
    settings["cut"] = [m.cut_short for m in matches]
    return settings.view(np.int64).reshape(len(matches), -1)


def replay_blotto(scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool) -> BlottoReplayed:
    """Re-execute the hands of matches that were scanned together; the arrays belong to the pool."""
    first, last = scanned.first_event, int(scanned.first_event[-1])
    counts = scanned.tally
    hands = int(counts[events.ROUND])
    acts = int(counts[events.FOLD : events.RAISE + 1].sum() + counts[events.ASSIGN])
    acts += BOARDS * int(counts[events.BLIND] + counts[events.BLINDS])
    sheets = records.new_sheets(
        pool,
        len(matches),
        hands=hands,
        seats=2 * hands,
        actions=acts,
        limits=acts,
        faults=int(counts[events.FIRST_FAULT : events.LAST_FAULT + 1].sum()),
        findings=_FINDINGS_PER_EVENT * last + 64,
        holes=2 * DEALT_CARDS * hands,
        card_lines=_CARD_EVENTS * hands,
        pots=BOARDS * hands,
        pot_cards=BOARDS * BOARD_CARDS * hands,
        pot_holes=BOARDS * 2 * DEALT_CARDS * hands,
    )
    table = t.new_table(sheets, [game.explained_by(deviation.name) for deviation in game.deviations])
    notes = pool.take("notes", last, np.uint8)
    walk(scanned.events, first, _settings(game, matches), _engines(game), table, sheets, notes)
    records.check_room(sheets.used, game.name)
    return BlottoReplayed(game, sheets, notes)
