"""Auction and Toss logs told again line by line: those of the engines, those that teams published."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.short_logs import AUCTION, TOSS

from oracles.retelling import Anaconda, Auction, Retelling, SneakPeek, Toss

FOLDERS: dict[str, type[Retelling]] = {"auction-2024": Auction, "toss-2026": Toss}
KNOWN = {
    "auction-2024": {"logs": 36, "hands": 36_000, "auctions": 12_737, "equal bids": 2_577, "discards": 0},
    "toss-2026": {"logs": 23, "hands": 23_000, "auctions": 0, "equal bids": 0, "discards": 29_174},
}


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_line_of_every_log_is_told_again(folder: str, corpus: Path) -> None:
    seen = dict.fromkeys(KNOWN[folder], 0)
    for path in sorted((corpus / folder).glob("*/*.txt")):
        told = FOLDERS[folder](path.read_bytes().decode()).tell()
        seen["logs"] += 1
        seen["hands"] += len(told.hands)
        for hand in told.hands:
            seen["auctions"] += bool(hand.bids)
            seen["equal bids"] += bool(hand.bids) and hand.bids[0] == hand.bids[1]
            seen["discards"] += sum(card is not None for card in hand.discards)
    assert seen == KNOWN[folder]


@pytest.mark.parametrize(
    ("game", "year"),
    [("auction", Auction), ("toss", Toss), ("sneak-peek", SneakPeek), ("anaconda", Anaconda)],
)
def test_every_line_of_every_sample_is_told_again(
    game: str, year: type[Retelling], sample_logs: Path
) -> None:
    paths = sorted((sample_logs / game).glob("*.txt"))
    assert paths
    for path in paths:
        told = year(path.read_bytes().decode())
        told.written = path.stem == "as-written"
        told.tell()


@pytest.mark.parametrize(
    ("year", "text", "old", "new"),
    [
        (Auction, AUCTION, "B (33)", "B (381)"),
        (Auction, AUCTION, "A bids 31", "A bids 399"),
        (Auction, AUCTION, "A awarded 33", "A awarded 2"),
        (Auction, AUCTION, "bids of 31 and 381", "bids of 381 and 31"),
        (Toss, TOSS, "B discards 3d", "B discards 3c"),
        (Toss, TOSS, "Discard 1 [7c 8d 3d]", "Discard 1 [7c 8d Ks]"),
        (Toss, TOSS, "A discards 5s\nB checks", "A discards 5s"),
        (Toss, TOSS, "Final, B (2)", "Final, B (4)"),
    ],
)
def test_a_line_that_is_not_as_it_must_be_is_an_error(
    year: type[Retelling], text: str, old: str, new: str
) -> None:
    told = year(text).tell()
    assert sum(told.banks) == 0
    assert text.count(old) >= 1
    with pytest.raises((ValueError, AssertionError)):
        year(text.replace(old, new)).tell()
