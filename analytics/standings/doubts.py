"""What to know before an order is believed: too little data, cards dealt twice, an uneven schedule."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from .bootstrap import HELD, SCARCE, held_share
from .table import Table

_PARTS_OF_A_CHIP: Final = 0.01


@dataclass(frozen=True)
class Doubt:
    """One reason for doubt.

    kind  final line, another game, scarce, reset once, repeated cards, common seeds, different cards, schedule,
          unfinished, blinds or leak
    text  one sentence for the reader
    """

    kind: str
    text: str


def _plural(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def doubts(table: Table, views: Mapping[str, pl.DataFrame]) -> list[Doubt]:
    """The reasons for doubt about a competition, the gravest first.

    views: by name, of this competition the rows of entrants, card_reuse, duplicate_deals, matches and final_gaps.
    """
    return [
        *_final(views["final_gaps"]),
        *_unsure(views["matches"]),
        *_scarce(table, views["entrants"]),
        *_cards(table, views),
        *_schedule(table, views["matches"]),
    ]


def _final(gaps: pl.DataFrame) -> list[Doubt]:
    found = []
    for is_whole, why in (
        (False, "awards of some hands are missing, and only the others count (view final_gaps)"),
        (True, "no hand is missing, so that line is wrong, and the hands count (railbird verify)"),
    ):
        some = gaps.filter(gaps["is_whole"] == is_whole)
        if len(some):
            most = float(np.max(some["chips"].to_numpy()))
            said = _plural(some["match_id"].n_unique(), "match says", "matches say")
            text = f"{said} another result in the final line, by up to {most:,.10g} chips: {why}"
            found.append(Doubt("final line", text))
    return found


def _unsure(matches: pl.DataFrame) -> list[Doubt]:
    count = int(matches["unsure"].sum())
    if not count:
        return []
    text = (
        f"{_plural(count, 'match is', 'matches are')} of a log that may be of another game, which then has standings "
        "of its own (its reason in files): ingest --game tells which, in a new store"
    )
    return [Doubt("another game", text)]


def _scarce(table: Table, entrants: pl.DataFrame) -> list[Doubt]:
    what = " or ".join(sorted(entrants["reset"].unique()))
    share, fewest = held_share(table), int(table.resets.min())
    once = f"some players met over one {what} only"
    if share > HELD:
        text = f"{once}: one unit shows no spread, so no probabilities are given"
        return [Doubt("reset once", text)]
    found = []
    if share:
        text = (
            f"{once}, in {100 * share:.1f}% of all hands: these are the same in every draw, so probabilities look "
            "that much surer"
        )
        found.append(Doubt("reset once", text))
    if fewest < SCARCE:
        text = (
            f"the fewest independent units of a player (each a {what}) are {fewest}: a bootstrap of so few looks "
            f"surer than the data are; with fewer than {SCARCE} units probabilities and rank intervals are only a hint"
        )
        found.append(Doubt("scarce", text))
    return found


def _cards(table: Table, views: Mapping[str, pl.DataFrame]) -> list[Doubt]:
    found = []
    reuse = views["card_reuse"]
    repeated, common = int(reuse["repeated"].sum()), int((reuse["lineups"] > 1).sum())
    if repeated:
        text = (
            f"{_plural(repeated, 'match repeats', 'matches repeat')} the cards of another with the same players in "
            "the same seats: no new evidence, but counted in the totals (view card_reuse)"
        )
        found.append(Doubt("repeated cards", text))
    if common:
        allowed = any(len(stratum.lineups) > 1 for stratum in table.strata)
        text = (
            f"{_plural(common, 'sequence of cards was', 'sequences of cards were')} dealt to several groups of "
            f"players: "
        ) + (
            "they are resampled over the whole table"
            if allowed
            else "results that share them are taken as independent"
        )
        found.append(Doubt("common seeds", text))
    wrong = int(views["duplicate_deals"]["hands_differing"].sum())
    if wrong:
        text = f"{_plural(wrong, 'hand', 'hands')} of duplicate matches differ in their cards (view duplicate_deals)"
        found.append(Doubt("different cards", text))
    return found


def _schedule(table: Table, matches: pl.DataFrame) -> list[Doubt]:
    found = []
    holds = table.holds()
    met = (holds.T.astype(int) @ holds.astype(int)) > 0
    size = len(table.players)
    apart = (size * size - int(met.sum())) // 2
    if apart:
        text = (
            f"{_plural(apart, 'pair of players', 'pairs of players')} never met: total bankroll compares different "
            "schedules"
        )
        found.append(Doubt("schedule", text))
    elif table.hands.min() != table.hands.max():
        text = (
            f"some players met over {int(table.hands.min()):,} hands, others over {int(table.hands.max()):,}: total "
            "bankroll weighs the latter more"
        )
        found.append(Doubt("schedule", text))
    unfinished, units = int((~matches["complete"].fill_null(False)).sum()), matches["unit"].n_unique()
    if unfinished:
        text = (
            f"{_plural(unfinished, 'match ends', 'matches end')} before the end; the hands played are counted"
        )
        found.append(Doubt("unfinished", text))
    if units > 1:
        found.append(
            Doubt("blinds", "matches differ in the size of a bb: chips of several sizes are added up")
        )
    lost = float(table.chips.sum())
    if abs(lost) > _PARTS_OF_A_CHIP * max(1, len(table.members)):
        did = "won" if lost > 0 else "lost"
        text = f"the players together {did} {round(abs(lost), 2):,.10g} chips: winnings and losses do not add up to 0"
        found.append(Doubt("leak", text))
    return found
