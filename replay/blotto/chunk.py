"""Blotto replayed: from the events of some matches to filled sheets, verdicts and tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ...parsers import events
from ...parsers.dialect import MatchText
from ...parsers.reading import Pool, Scanned
from .. import records
from ..games import Game
from ..heads_up import state as s
from ..outcome import NOT_PAID, MatchInfo, Outcome, Rejected, Tables
from ..records import Sheets
from . import state as t
from .assemble import BlottoAssembler
from .game import BOARD_CARDS, BOARDS, DEALT_CARDS, prints_of
from .state import Engines, Table
from .walk import walk

_FINDINGS_PER_EVENT = 10
_CARD_EVENTS = 20


@dataclass(frozen=True)
class BlottoReplayed:
    """Matches of Blotto that were replayed together (`outcome.Replayed`).

    sheets and table belong to the pool; notes is one a line event (`walk`).
    """

    game: Game
    sheets: Sheets
    table: Table
    notes: NDArray[np.uint8]

    def outcome(self, place: int) -> Outcome:
        """What was found of a match."""
        game, record = self.game, self.sheets.matches[place]
        finals = [float(record["final_0"]), float(record["final_1"])]
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
                "logged_final": finals if record["final"] else None,
            },
            rejected=rejected,
        )

    def tables(self, scanned: Scanned, infos: Sequence[MatchInfo]) -> Tables:
        """The rows of the matches, with an info a match."""
        return BlottoAssembler(scanned, self.game, self.sheets, self.table, infos).all()


@cache
def _engines(game: Game) -> Engines:
    return Engines(
        np.array([game.mask(p.deviations) for p in game.profiles], np.int64),
        np.array([prints_of(p) for p in game.profiles], np.int64),
    )


def _settings(game: Game, matches: Sequence[MatchText]) -> NDArray[np.int64]:
    one = np.zeros(t.MATCH_SIZE, np.int64)
    one[s.STACK] = int(game.stack)
    one[s.SMALL_BLIND], one[s.BIG_BLIND] = (int(blind) for blind in game.blinds)
    for place, deviation in enumerate(game.deviations):
        one[t.EXPLAINS + place] = game.explained_by(deviation.name)
    settings = np.tile(one, (len(matches), 1))
    settings[:, s.NUMBER] = np.arange(len(matches))
    settings[:, s.SAME_NAMES] = [m.names[0] == m.names[1] for m in matches]
    settings[:, s.HEADER_FITS] = [m.header_fits for m in matches]
    settings[:, s.CUT] = [m.cut_short for m in matches]
    return settings


def replay_blotto(scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool) -> BlottoReplayed:
    """Re-execute the hands of matches that were scanned together; the arrays belong to the pool."""
    first, last = scanned.first_event, int(scanned.first_event[-1])
    counts = scanned.tally
    hands = int(counts[events.ROUND])
    acts = int(counts[events.FOLD : events.RAISE + 1].sum() + counts[events.ASSIGN])
    acts += BOARDS * int(counts[events.BLIND] + counts[events.BLINDS])
    faults = int(counts[events.FIRST_FAULT : events.LAST_FAULT + 1].sum())
    sheets = records.no_sheets(len(matches))._replace(
        hands=np.zeros(max(hands, 1), records.HAND),
        seats=np.zeros(2 * max(hands, 1), records.SEAT),
        actions=pool.take("actions", acts, t.ACTION),
        faults=pool.take("faults", faults, records.FAULT),
        findings=pool.take("findings", _FINDINGS_PER_EVENT * last + 64, records.FINDING),
        holes=pool.take("six holes", 2 * DEALT_CARDS * hands, np.int8),
        card_lines=pool.take("card_lines", _CARD_EVENTS * hands, np.int16),
    )
    boards = BOARDS * hands
    cards = pool.take("board cards", BOARD_CARDS * boards, np.int8)[: BOARD_CARDS * boards]
    holes = pool.take("board holes", 2 * DEALT_CARDS * boards, np.int8)[: 2 * DEALT_CARDS * boards]
    table = t.new_table(
        sheets,
        pool.take("boards", boards, t.BOARD),
        cards.reshape(boards, BOARD_CARDS),
        holes.reshape(boards, 2, DEALT_CARDS),
    )
    notes = pool.take("notes", last, np.uint8)
    walk(scanned.events, first, _settings(game, matches), _engines(game), table, sheets, notes)
    records.check_room(sheets.used, records.POOLS, game.name)
    return BlottoReplayed(game, sheets, table, notes)
