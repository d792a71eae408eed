"""Bids, exchanges, discards, what a player does where, and where its chips come from: against the text of logs."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import eval7
import pytest

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"
LOGS = (
    *("auction/2024-01-30.txt", "swap/2022-01-27.txt", "toss/2026.txt", "bounty/2025-01-30.txt"),
    "permutation/2020-01-29.txt",
)
BIG_BLIND = 2
RANKS = "23456789TJQKA"
STREETS = {"Flop": 1, "Turn": 2, "River": 3}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store of one log of each of five games."""
    folder = tmp_path_factory.mktemp("games")
    ingest([SAMPLES / name for name in LOGS], folder)
    with open_store(folder) as opened:
        yield opened


def rows(store: Store, query: str) -> list[tuple[Any, ...]]:
    return store.execute(query).fetchall()


def rounds(game: str) -> Iterator[list[str]]:
    """The lines of each round of a game's log."""
    name = next(name for name in LOGS if name.startswith(game + "/"))
    for text in (SAMPLES / name).read_text().split("\nRound #")[1:]:
        yield text.splitlines()


def awards(lines: list[str]) -> dict[str, int]:
    return {
        said[1]: int(said[2])
        for line in lines
        if (said := re.fullmatch(r"(\w+)(?: \(swapped\))? awarded (-?\d+)", line))
    }


def test_bids_and_what_they_bought(store: Store) -> None:
    told = defaultdict(list)
    for lines in rounds("auction"):
        bids = {said[1]: int(said[2]) for line in lines if (said := re.fullmatch(r"(\w+) bids (\d+)", line))}
        for name, bid in bids.items():
            other = next(value for key, value in bids.items() if key != name)
            outcome = "won" if bid > other else "tied" if bid == other else "lost"
            told[name, outcome].append((bid, other, awards(lines)[name]))
    found = rows(
        store,
        "select player, outcome, opportunities, successes, bid, price, bb_per_100, bid_low, bid_high from bids",
    )
    assert {row[:2] for row in found} == set(told)
    assert {outcome for _, outcome in told} >= {"won", "lost"}
    for player, outcome, opportunities, successes, bid, price, winnings, low, high in found:
        mine = told[player, outcome]
        assert successes == len(mine)
        assert opportunities == sum(len(some) for (name, _), some in told.items() if name == player)
        assert bid == pytest.approx(fmean(row[0] for row in mine) / BIG_BLIND)
        assert low is None or low <= bid <= high
        assert winnings == pytest.approx(100 * fmean(row[2] for row in mine) / BIG_BLIND)
        if outcome == "lost":
            assert price is None
        else:
            assert price == pytest.approx(fmean(row[1] for row in mine) / BIG_BLIND)


def test_exchanges(store: Store) -> None:
    told: dict[tuple[str, int, bool], list[int]] = defaultdict(list)
    for lines in rounds("swap"):
        held: dict[str, str] = {}
        street = 0
        for line in lines:
            street = STREETS.get(line.split(" ")[0], street)
            if dealt := re.fullmatch(r"(\w+) dealt (\[.*\])", line):
                held[dealt[1]] = dealt[2]
            elif (now := re.fullmatch(r"(\w+)'s hand: (\[.*\])", line)) and street in (1, 2):
                told[now[1], street, now[2] != held[now[1]]].append(awards(lines)[now[1]])
                held[now[1]] = now[2]
    found = {
        row[:3]: row[3:]
        for row in rows(
            store, "select player, street, exchanged, successes, opportunities, bb_per_100 from exchanges"
        )
    }
    assert any(exchanged for *_, exchanged in told)
    assert set(found) == set(told)
    for (player, street, exchanged), (successes, opportunities, winnings) in found.items():
        mine = told[player, street, exchanged]
        assert successes == len(mine)
        assert opportunities == len(mine) + len(told.get((player, street, not exchanged), []))
        assert winnings == pytest.approx(100 * fmean(mine) / BIG_BLIND)


def test_showdowns_that_secret_ranks_decided(store: Store) -> None:
    """The winner by the printed cards, found by eval7 from the text."""
    told: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for lines in rounds("permutation"):
        text = "\n".join(lines)
        shown = dict(re.findall(r"^(.*) shows (\w\w \w\w) \[", text, re.M))
        river = re.search(r"^River ((?:\w\w ){5})\[", text, re.M)
        if len(shown) < 2 or not river:
            continue
        won = {name: int(chips) for name, chips in re.findall(r"^(.*) awarded (-?\d+)$", text, re.M)}
        strength = {
            name: eval7.evaluate([eval7.Card(card) for card in f"{hole} {river[1]}".split()])
            for name, hole in shown.items()
        }
        # Both put in the same; a tie says how much only where somebody raised.
        put = max(map(int, re.findall(r", .* \((\d+)\), .* \(\d+\)$", text, re.M)[-1:]))
        put = max([put, *(abs(chips) for chips in won.values())])
        for name, other in (list(shown), list(shown)[::-1]):
            printed = (strength[name] > strength[other]) - (strength[name] < strength[other])
            result = (won[name] > 0) - (won[name] < 0)
            outcome = "as printed" if result == printed else "helped" if result > printed else "hurt"
            told[name, outcome].append((won[name], won[name] - printed * put))
    found = rows(
        store,
        "select player, outcome, opportunities, successes, bb_per_100, moved from permuted_showdowns",
    )
    assert {row[:2] for row in found} == set(told)
    assert {outcome for _, outcome in told} == {"as printed", "helped", "hurt"}
    for player, outcome, opportunities, successes, winnings, moved in found:
        mine = told[player, outcome]
        assert (successes, moved) == (len(mine), sum(chips for _, chips in mine))
        assert opportunities == sum(len(some) for (name, _), some in told.items() if name == player)
        assert winnings == pytest.approx(100 * fmean(chips for chips, _ in mine) / BIG_BLIND)


def test_hands_are_ordered_as_the_rules_say(store: Store) -> None:
    """The strength of seven cards, as SQL sees it, beside eval7's, with all nine categories."""
    rng = Random(5)
    deck = [rank + suit for rank in RANKS for suit in "cdhs"]
    short = [card for card in deck if card[0] in "2345A" or card[1] == "s"]
    dealt = [rng.sample(cards, 7) for cards in (deck, short) for _ in range(600)]
    strengths = [
        row[0] for row in rows(store, f"select hand_strength(cards) from (select unnest({dealt}) as cards)")
    ]
    values = [eval7.evaluate([eval7.Card(card) for card in cards]) for cards in dealt]
    assert {strength[0] for strength in strengths} == set(range(9))
    order = sorted(range(len(dealt)), key=strengths.__getitem__)
    for low, high in pairwise(order):
        assert (strengths[low] == strengths[high]) == (values[low] == values[high])
        assert values[low] <= values[high]


def test_discards(store: Store) -> None:
    could: Counter[tuple[str, str]] = Counter()
    did: Counter[tuple[str, str]] = Counter()
    for lines in rounds("toss"):
        dealt = {
            said[1]: said[2].split()
            for line in lines
            if (said := re.fullmatch(r"(\w+) dealt \[(.*)\]", line))
        }
        for line in lines:
            if not (gave := re.fullmatch(r"(\w+) discards (..)", line)):
                continue
            hole = dealt[gave[1]]
            kept = [card for card in hole if card != gave[2]]
            places = [RANKS.index(card[0]) for card in hole]
            for statistic, possible, done in (
                ("keeps_pair", len(set(places)) < 3, kept[0][0] == kept[1][0]),
                ("keeps_suited", len({card[1] for card in hole}) < 3, kept[0][1] == kept[1][1]),
                (
                    "keeps_highest",
                    len(set(places)) > 1,
                    max(RANKS.index(card[0]) for card in kept) == max(places),
                ),
                ("gives_lowest", len(set(places)) > 1, RANKS.index(gave[2][0]) == min(places)),
            ):
                could[gave[1], statistic] += possible
                did[gave[1], statistic] += possible and done
    found = rows(store, "select player, statistic, opportunities, successes from discards")
    assert len(found) == 8
    for player, statistic, opportunities, successes in found:
        assert (opportunities, successes) == (could[player, statistic], did[player, statistic])


def test_what_a_player_does_where(store: Store) -> None:
    told: Counter[tuple[str, int, str]] = Counter()
    for lines in rounds("bounty"):
        street = 0
        for line in lines:
            street = STREETS.get(line.split(" ")[0], street)
            if act := re.fullmatch(r"(\w+) (folds|checks|calls|bets|raises)( to \d+| \d+)?", line):
                told[act[1], street, act[2].removesuffix("s")] += 1
    assert told
    found: Counter[tuple[str, int, str]] = Counter()
    part = "sum(successes) over (partition by player, street, position, facing) = opportunities"
    for player, street, action, successes, whole in rows(
        store, f"select player, street, action, successes, {part} from action_rates where game = 'bounty'"
    ):
        found[player, street, action] += successes
        assert whole
    # After an all-in the engine prints checks that nobody chose.
    for key in set(told) | set(found):
        assert found[key] == told[key] or (key[2] == "check" and found[key] <= told[key])


@pytest.mark.parametrize("suffix", ["", "_by_opponent"])
def test_parts_add_up_to_all_winnings_in_every_game(samples: Store, suffix: str) -> None:
    who = "event, game, player, seat" + suffix.replace("_by_", ", ")
    whole = {
        row[:-4]: row[-4:]
        for row in rows(
            samples, f"select {who}, hands, delta, bb_per_100, bb_per_100_low from winnings{suffix}"
        )
    }
    parts: dict[tuple[Any, ...], set[str]] = defaultdict(set)
    single = 0
    for *key, part, count, hands, delta, share, low in rows(
        samples,
        f"select {who}, part, count(*), sum(hands), sum(delta), sum(bb_of_all), any_value(bb_per_100_low) "
        f"from winnings_by_part{suffix} group by all",
    ):
        expected = whole[tuple(key)]
        assert hands == expected[0], (key, part)
        assert (delta, share) == pytest.approx(expected[1:3], abs=1e-6), (key, part)
        # Of all hands in one row the interval is that of winnings.
        if count == 1 and expected[3] is not None:
            assert low == pytest.approx(expected[3], abs=1e-6), (key, part)
            single += 1
        parts[tuple(key)].add(part)
    assert set(parts) == set(whole)
    assert {*map(len, parts.values())} == {6}
    assert single > 100
    assert len({key[1] for key in whole}) > 20


def test_chips_by_hand_and_last_choice(store: Store) -> None:
    by_hand: Counter[tuple[str, str]] = Counter()
    by_street: Counter[tuple[str, str]] = Counter()
    for lines in rounds("bounty"):
        won = awards(lines)
        last = dict.fromkeys(won, "none")
        street = "preflop"
        for line in lines:
            if line.split(" ")[0] in STREETS:
                street = line.split(" ")[0].lower()
            if act := re.fullmatch(r"(\w+) (folds|calls|bets|raises)( to \d+| \d+)?", line):
                last[act[1]] = street
            # A check counts where both still have chips to bet, which the text does not say: left to the others.
            elif line.endswith(" checks"):
                last[line.split(" ")[0]] = "?"
        for line in lines:
            if dealt := re.fullmatch(r"(\w+) dealt \[(..) (..)\]", line):
                one, two = sorted((dealt[2], dealt[3]), key=lambda card: -RANKS.index(card[0]))
                kind = "" if one[0] == two[0] else "s" if one[1] == two[1] else "o"
                by_hand[dealt[1], one[0] + two[0] + kind] += won[dealt[1]]
        for name, where in last.items():
            by_street[name, where] += won[name]
    found = {
        (player, part, value): delta
        for player, part, value, delta in rows(
            store, "select player, part, value, delta from winnings_by_part where game = 'bounty'"
        )
    }
    for (player, value), chips in by_hand.items():
        assert found[player, "hand", value] == chips
    for player in {player for player, _ in by_street}:
        assert found.get((player, "street", "none"), 0) == by_street[player, "none"]


def test_commands_print_them(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    from railbird.reports import Format, Show
    from railbird.reports.stats import print_stats
    from railbird.reports.stats_tables import TABLES

    for show, word in (
        (Show.ACTIONS, "facing"),
        (Show.STRENGTH, "bet/raise"),
        (Show.TELLS, "bluffs"),
        (Show.RANGES, "plays on"),
        (Show.WHERE, "others folded"),
        (Show.HANDS, "AKo"),
        (Show.BIDS, "price, bb"),
        (Show.EXCHANGES, "Exchanged cards"),
        (Show.DISCARDS, "keeps a pair"),
        (Show.PERMUTED, "as printed"),
    ):
        print_stats(store, None, False, Format.TABLE, show)
        assert word in capsys.readouterr().out
        by_opponent = "by_opponent" in TABLES[show].suffixes
        print_stats(store, None, by_opponent, Format.CSV, show)
        assert ("opponent" in capsys.readouterr().out.splitlines()[0].split(",")) == by_opponent
