"""The sentences before the tables of `railbird stats`."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.reports import Format, Show
from railbird.reports.stats import TITLES, print_stats, print_table
from railbird.reports.stats_tables import TABLES
from railbird.reports.table_sentences import (
    FIRST_BET,
    SAID,
    bids_said,
    drift_said,
    exchanges_said,
    folds_said,
    parts_said,
    ranges_said,
    times_said,
    winnings_said,
)


def row(player: str, **cells: Any) -> dict[str, Any]:
    return {"event": "cup", "game": "holdem-mit", "player": player, **cells}


def won(player: str, n: int, chips: int, figure: float, low: float | None, high: float) -> dict[str, Any]:
    return row(player, n=n, chips=chips) | {"bb/100": figure, "95%, bb/100": [low, high]}


def test_winners_come_first_and_chance_is_said() -> None:
    rows = [
        won("Ann", 800, -400, -25.0, -60.0, 10.0),
        won("Bea", 800, 900, 56.25, 20.0, 92.0),
        won("Cat", 1, -500, -25000.0, None, 0.0),
    ]
    assert [*winnings_said(rows)] == [
        "Bea won 900 chips in 800 hands: +56.3 bb/100 (+20.0 to +92.0), more than chance.",
        "Ann lost 400 chips in 800 hands: −25.0 bb/100 (−60.0 to +10.0), which may be luck.",
        "Cat lost 500 chips in 1 hand, too few for an interval.",
    ]
    first, second = won("Ann", 9, 1, 1.0, -1.0, 3.0), won("Ann", 9, 1, 1.0, -1.0, 3.0)
    in_two = [*winnings_said([first, second | {"event": "final"}])]
    assert [said.partition(" won")[0] for said in in_two] == [
        "Ann (holdem-mit, event cup)",
        "Ann (holdem-mit, event final)",
    ]


def test_a_part_is_named_only_where_its_whole_interval_is_a_loss() -> None:
    def part(player: str, name: str, value: str, n: int, chips: int, high: float) -> dict[str, Any]:
        return won(player, n, chips, -9.0, -20.0, high) | {"part": name, "value": value}

    rows = [
        part("Ann", "position", "SB", 400, -300, 1.0),
        part("Ann", "street", "river", 90, -200, -2.0),
        part("Ann", "street", "turn", 29, -900, -2.0),
        # A folded hand is lost by itself.
        part("Ann", "end", "folded", 200, -999, -5.0),
        part("Bea", "street", "river", 90, -200, 2.0),
    ]
    assert [*parts_said(rows)] == [
        "Ann loses most with its last choice on the river: −9.0 bb/100 (−21.6 to −1.0, 95% for all 2 parts together) "
        "in 90 hands.",
        "Bea: no part of 30 hands or more loses beyond chance.",
    ]


def test_a_bluff_is_advised_only_where_it_surely_wins() -> None:
    def fold(player: str, low: float, n: int = 60) -> dict[str, Any]:
        cells = {"street": "turn", "position": "BB", "size": "to 1/2 pot", "answer": "fold", "n": n}
        return row(player, **cells, rate=low + 0.1, MDF=0.75) | {"95% interval": [low, low + 0.2]}

    rows = [fold("Ann", 0.3), fold("Ann", 0.5), fold("Bea", 0.24), fold("Bea", 0.6, n=29)]
    assert [*folds_said(rows)] == [
        "Bluff Ann on the turn in BB: it folds to 60.0% (48.6–71.4%, 95% for all 2 rows together) of 60 bets to 1/2 "
        "pot, and above 25.0% any bluff wins. The same holds in 2 of 2 rows with n 30 or more.",
        "Bea: no fold is surely more frequent than 1 − MDF.",
    ]


def test_the_worst_of_many_rows_needs_more_than_its_own_interval() -> None:
    """Of 40 parts without an effect one is below 0 by itself: that is chance."""
    parts = [won("Ann", 90, -k, -9.0, -17.5, -0.5) | {"part": "kind", "value": str(k)} for k in range(40)]
    assert next(iter(parts_said(parts[:1]))).startswith(
        "Ann loses most with hole cards of the kind 0: −9.0 bb/100 (−17.5 to"
    )
    assert [*parts_said(parts)] == ["Ann: no part of 30 hands or more loses beyond chance."]


def test_times_and_many_players() -> None:
    def time(player: str, street: str, mean: float, worst: float) -> dict[str, Any]:
        return row(player, street=street, n=50, mean=mean, worst=worst) | {"95%, seconds": [0.1, 0.4]}

    rows = [time("Ann", "flop", 0.25, 0.5), time("Ann", "river", 0.125, 2.0)]
    assert [*times_said(rows)] == [
        "Ann takes longest on the flop: 0.25 s (0.1 to 0.4) on average of 50 decisions; its longest took 2 s."
    ]
    many = [*times_said([time(f"P{k}", "flop", 1.0, 1.0) for k in range(9)])]
    assert len(many) == 7 and many[-1] == "3 more players: see the table."


def rated(player: str, rate: float, low: float, high: float, n: int = 400, **cells: Any) -> dict[str, Any]:
    return row(player, n=n, rate=rate, **cells) | {"95% interval": [low, high]}


def test_a_player_without_a_choice_is_not_blamed() -> None:
    """Hands that were all-in from a blind lose by themselves, and another street's loss is said instead."""

    def street(player: str, value: str, n: int, chips: int) -> dict[str, Any]:
        return won(player, n, chips, -9.0, -12.0, -6.0) | {"part": "street", "value": value}

    blinds = won("Ann", 400, -900, -9.0, -12.0, -6.0) | {"part": "position", "value": "BB"}
    assert [*parts_said([blinds, street("Ann", "none", 400, -900)])] == [
        "Ann lost 900 chips in 400 hands and had no choice in any (all-in from a blind, or everybody else folded): "
        "they say nothing of its play."
    ]
    (said,) = parts_said([street("Bea", "none", 400, -900), street("Bea", "turn", 90, -300)])
    assert said == "Bea loses most with its last choice on the turn: −9.0 bb/100 (−12.0 to −6.0) in 90 hands."


def test_a_habit_is_expected_only_above_one_half() -> None:
    cells: dict[str, Any] = {"street": "turn", "position": "BB", "facing": "bet", "action": "call"}
    rows = [
        rated("Ann", 0.9, 0.86, 0.93, **cells),
        rated("Bea", 0.98, 0.96, 0.99, **cells),
        rated("Cat", 0.52, 0.49, 0.55, **cells),
        rated("Dan", 1.0, 0.9, 1.0, n=29, **cells),
    ]
    assert [*SAID[Show.ACTIONS](rows)] == [
        "Expect Bea to call on the turn in BB facing a bet: it does so in 98.0% (96.0–99.0%) of 400 decisions.",
        "Expect Ann to call on the turn in BB facing a bet: it does so in 90.0% (86.0–93.0%) of 400 decisions.",
        "2 players: nothing in 30 decisions or more is surely done more often than not.",
    ]


def test_strength_shows_where_one_action_differs_most() -> None:
    def cell(player: str, action: str, equity: str, rate: float, n: int = 400) -> dict[str, Any]:
        cells: dict[str, Any] = {"street": "river", "facing": "bet", "action": action, "equity": equity}
        return rated(player, rate, max(rate - 0.05, 0.0), rate + 0.05, n=n, **cells)

    rows = [
        cell("Ann", "fold", "10–20%", 0.6),
        cell("Ann", "raise", "10–20%", 0.02),
        cell("Ann", "fold", "90–100%", 0.2),
        cell("Ann", "raise", "90–100%", 0.8),
        cell("Ann", "raise", "0–10%", 0.0, n=29),
        cell("Bea", "call", "10–20%", 0.5),
        cell("Bea", "call", "90–100%", 0.52),
        cell("Bea", "call", "not known", 0.01),
        cell("Cat", "call", "not known", 0.01),
    ]
    assert [*SAID[Show.STRENGTH](rows)] == [
        "Ann shows its strength on the river facing a bet: raise in 80.0% (73.6–86.4%) of 400 decisions with an equity "
        "of 90–100%, in 2.0% (0.0–8.4%) of 400 with 10–20% (95% for all 4 rows together).",
        "Bea: no action surely depends on the strength of the hand.",
        "Cat: the equity of its hands is not known.",
    ]


def test_rows_of_one_player_need_not_stand_together() -> None:
    """A table by opponent is ordered by the street first."""
    cells: dict[str, Any] = {"position": "BB", "facing": "bet", "action": "call"}
    rows = [
        rated("Ann", 0.9, 0.86, 0.93, street=street, opponent=opponent, **cells)
        for street in ("flop", "turn")
        for opponent in ("Bea", "Cat")
    ]
    said = [*SAID[Show.ACTIONS](rows)]
    assert [text.split(" to ")[0] for text in said] == ["Expect Ann against Bea", "Expect Ann against Cat"]
    assert all("95% for all 2 rows together" in text for text in said)


def test_sizes_streets_and_boards() -> None:
    size: dict[str, Any] = {"street": "flop", "position": "SB", "action": "bet", "size": "to 1/4 pot"}
    assert [*SAID[Show.MADE]([rated("Ann", 0.9, 0.86, 0.93, **size)])] == [
        "When Ann bets on the flop in SB, expect to 1/4 pot: 90.0% (86.0–93.0%) of 400 bets."
    ]
    streets = [
        rated("Ann", 0.7, 0.66, 0.74, street="flop", statistic="fold to c-bet"),
        rated("Ann", 0.01, 0.0, 0.03, street="turn", statistic="check-raise"),
    ]
    assert [*SAID[Show.STREETS](streets)] == [
        "Bluff Ann on the flop: it folds to 70.0% (66.0–74.0%) of 400 c-bets, and one up to the size of the pot wins "
        "above 50%.",
        "Count on Ann: check-raise on the turn 1.0% (0.0–3.0%) of 400 chances.",
    ]
    boards = [
        rated("Ann", rate, rate - 0.05, rate + 0.05, board=board, statistic="VPIP")
        for board, rate in ((1, 0.2), (2, 0.25), (3, 0.8))
    ]
    assert [*SAID[Show.BOARDS](boards)] == [
        "Ann does not play its boards alike: VPIP 80.0% (73.9–86.1%) of 400 on board 3, 20.0% (13.9–26.1%) of 400 on "
        "board 1 (95% for all 3 rows together)."
    ]
    assert [*SAID[Show.BOARDS](boards[:2])] == ["Ann: no statistic differs between boards beyond chance."]
    assert next(iter(SAID[Show.ALLOCATION](boards))).startswith(
        "Expect the strongest pair of Ann on board 3: 80.0%"
    )


def test_ranges_are_compared_where_playing_on_has_a_price() -> None:
    def hand(position: str, cards: str, n: int, folds: int, checks: int = 0) -> dict[str, Any]:
        return row("Ann", position=position, faced=1, cards=cards, n=n, folds=folds, checks=checks)

    rows = [
        hand("BB", "AKo", 300, 0, 100),
        hand("BTN", "AKo", 150, 0),
        hand("BTN", "72o", 150, 60),
        hand("SB", "72o", 300, 240),
    ]
    assert [*ranges_said(rows)] == [
        "Give Ann a wide range in BTN and a narrow one in SB: it plays on with 80.0% (74.4–84.7%) of 300 hands in BTN "
        "facing the blinds, and with 20.0% (15.3–25.6%) of 300 hands in SB facing the blinds (95% for all 2 spots "
        "together)."
    ]
    assert [*ranges_said(rows[:3])] == [
        "Ann: the share of hands it plays on with differs nowhere beyond chance."
    ]


def test_a_live_bounty_and_auctions() -> None:
    def shift(player: str, low: float, high: float) -> dict[str, Any]:
        cells = {"n live": 300, "n": 700, "live": 0.6, "else": 0.4, "shift": 0.2, "95% interval": [low, high]}
        return row(player, street="river", answer="raise", **cells)

    assert [*SAID[Show.SHIFT]([shift("Ann", 0.1, 0.3), shift("Bea", -0.1, 0.5)])] == [
        "Ann shows a live bounty on the river: its answer is raise in 60.0% of 300 decisions with one, 40.0% of 700 "
        "without (shift 10.0–30.0%).",
        "Bea: no answer shifts with a live bounty beyond chance.",
    ]

    def bid(outcome: str, figure: float) -> dict[str, Any]:
        return won("Ann", 500, 0, figure, figure - 50, figure + 50) | {"outcome": outcome, "rate": 0.4}

    assert [*SAID[Show.BIDS]([bid("won", -200.0), bid("lost", 100.0)])] == [
        "Do not outbid Ann: after an auction it lost it makes +100 bb/100 (+42.8 to +157) in 40.0% of 500 hands, after "
        "an auction it won −200 (−257 to −143) in 40.0% of 500 hands, prices included (95% for all 2 outcomes "
        "together)."
    ]
    assert [*SAID[Show.BIDS]([bid("won", 20.0), bid("lost", 0.0)])] == [
        "Ann: whether auctions won pay more than auctions lost is open."
    ]


def test_times_say_where_a_player_is_slow_what_the_bank_lost_and_whether_it_costs() -> None:
    def timed(player: str, low: float, high: float, bank: float | None, n: int = 40) -> dict[str, Any]:
        cells = {"street": "turn", "n": 400, "mean": 0.5, "worst": 2.0, "of bank": bank, "slow over, s": 1.25}
        cells |= {"n slow": n, "slow, bb/100": -150.0, "n others": 360, "others, bb/100": 50.0}
        ends = {"95%, seconds": (0.4, 0.6), "95%, difference": (low, high)}
        return row(player, **cells) | ends | {"slow − others": (low + high) / 2}

    rows = [
        timed("Ann", -300.0, -100.0, 0.25),
        timed("Bea", -300.0, 100.0, None),
        timed("Cat", -300.0, -100.0, None, 29),
    ]
    assert [*SAID[Show.TIMES](rows)] == [
        "Ann takes longest on the turn: 0.5 s (0.4 to 0.6) on average of 400 decisions; its longest took 2 s, and "
        "25.0% of its time bank was used.",
        "Bea takes longest on the turn: 0.5 s (0.4 to 0.6) on average of 400 decisions; its longest took 2 s.",
        "Cat takes longest on the turn: 0.5 s (0.4 to 0.6) on average of 400 decisions; its longest took 2 s.",
        "Ann does worse in hands with a slow decision on the turn (over 1.25 s): −150 bb/100 in 40 hands, +50.0 in the "
        "360 others (difference −300 to −100), luck included.",
        "2 players: whether slow decisions lose is open: on no street with 30 such hands or more is the difference "
        "beyond chance.",
    ]


def test_claims() -> None:
    def spoken(player: str, rate: float, low: float | None, high: float | None, kind: str) -> dict[str, Any]:
        return row(player, n=60, rate=rate, kind=kind) | {"95% interval": [low, high]}

    rows = [
        spoken("Ann", 0.1, 0.05, 0.2, "all kinds"),
        spoken("Ann", 0.9, 0.8, 0.95, "pair"),
        spoken("Bea", 0.4, 0.3, 0.6, "all kinds"),
        spoken("Cat", 0.0, None, None, "all kinds"),
    ]
    assert [*SAID[Show.CLAIMS](rows)] == [
        "Bea: 40.0% (30.0–60.0%) of 60 statements about its own cards are wrong; it is open whether they can be "
        "believed.",
        "Ann: 10.0% (5.0–20.0%) of 60 statements about its own cards are wrong; more often true than not.",
        "Cat: 0.0% of 60 statements about its own cards are wrong; it is open whether they can be believed.",
    ]


def test_a_mean_of_few_hands_is_not_said() -> None:
    """Two hands that won the same have an interval without width; n is that of both outcomes."""

    def outcome(name: str, done: str, share: float, low: float, high: float) -> dict[str, Any]:
        cells = {"outcome": name, "street": "turn", "kind": "redraw", "done": done, "n": 200, "rate": share}
        return row("Ann", **cells) | {"bb/100": (low + high) / 2, "95%, bb/100": (low, high)}

    for said, nothing in (
        (exchanges_said, "Ann: what an exchange brings or costs is not beyond chance."),
        (bids_said, "Ann: whether auctions won pay more than auctions lost is open."),
    ):
        rare = [outcome("won", "yes", 0.01, 9600.0, 9600.0), outcome("lost", "no", 0.99, -300.0, -100.0)]
        assert [*said(rare)] == [nothing]
        often = [outcome("won", "yes", 0.15, 9500.0, 9700.0), outcome("lost", "no", 0.85, -300.0, -100.0)]
        assert "in 15.0% of 200 hands" in next(said(often))


def test_a_few_hands_won_are_not_more_than_chance() -> None:
    assert [*winnings_said([won("Ann", 3, 6, 100.0, 100.0, 100.0)])] == [
        "Ann won 6 chips in 3 hands: +100 bb/100 (+100 to +100), of fewer than 30 hands an interval says little."
    ]


def test_drift_is_said_where_p_holds_for_all_rows_and_the_interval_is_without_0() -> None:
    def moved(player: str, p: float, low: float) -> dict[str, Any]:
        cells = {
            "match": 7,
            "statistic": "VPIP",
            "first": 0.3,
            "second": 0.5,
            "n": 90,
            "p": p,
            "95%": (low, 0.3),
        }
        return row(player, **cells)

    rows = [
        moved("Ann", 0.001, 0.1),
        moved("Ann", 0.5, -0.1),
        moved("Bea", 0.001, -0.1),
        moved("Cat", 0.06, 0.1),
    ]
    assert [*drift_said(rows)] == [
        "Ann changed in match 7: VPIP 30.0% in its first half, 50.0% in its second, n 90, difference 10.0–30.0% (p "
        "0.002 for all 2 rows together).",
        "2 players: nothing changed within a match beyond chance.",
    ]


def head_of(show: Show, shown: str) -> str:
    """What is printed before the title of the first table."""
    if show is Show.OVERVIEW:
        return re.split(r"(?m)^[^ ]+, event [^ ]+$", shown, maxsplit=1)[0]
    title = TABLES[show].title if show in TABLES else TITLES[show]
    head, found, _ = shown.partition(title[:30])
    assert found
    return head


@pytest.mark.parametrize("show", sorted({*Show} - {Show.TIMES, Show.CLAIMS, Show.BELIEFS}))
def test_every_table_begins_with_sentences(
    show: Show, sample_store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """But for those of which the samples have no row."""
    print_stats(sample_store, None, False, Format.TABLE, show)
    head = head_of(show, capsys.readouterr().out).rstrip()
    said = head.partition("--player NAME shows one player's.")[2] or head
    assert said.endswith(".") and "  " not in said.replace("\n  ", "")


def test_the_bet_of_the_first_round_is_named_as_in_its_view(sample_store: Store) -> None:
    (found,) = sample_store.execute(
        "select count(*) from koper_tendencies where label = $label", label=FIRST_BET
    ).fetchall()
    assert found[0] > 0


@pytest.mark.parametrize("show", [Show.WINNINGS, Show.WHERE, Show.HANDS, Show.FACED])
@pytest.mark.parametrize("by_opponent", [False, True])
def test_tables_begin_with_their_sentences(
    sample_store: Store, show: Show, by_opponent: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    assert show in SAID
    print_table(sample_store, show, None, by_opponent, False, Format.TABLE, game="bounty")
    shown = capsys.readouterr().out
    sentence = r"chips in [\d,]+ hands?[:,]|loses? most with|loses beyond chance|any bluff wins|1 − MDF"
    head = " ".join(shown.split(" ──")[0].split())
    assert re.search(sentence, head)
    assert not by_opponent or " against " in head or "players:" in head


class Screen(io.StringIO):
    """A terminal, as wide as COLUMNS says."""

    def isatty(self) -> bool:
        return True


def test_tables_of_players_with_long_names_fit_80_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a second table stands there only if it has a row."""
    logs = tmp_path / "logs"
    logs.mkdir()
    blinds = {"small": 1, "big": 2}
    long_names = ("claude-opus-4-20250514-thinking", "gemini-2.5-pro-preview-06-05")
    seats = [{"seat": seat, "name": name, "stack_start": 50} for seat, name in enumerate(long_names)]
    for number, took in enumerate([40.0] * 9 + [12_345.678], 1):
        acts = [("raise", 6, took), ("fold", 0, 40.0)]
        made = {
            "hand_number": number, "blind_level": 1, "button_seat": 0, "blinds": blinds, "players": seats,
            "hole_cards": {"0": ["Ah", "Kd"], "1": ["2c", "7d"]}, "community_cards": [], "showdown": {},
            "actions": [
                {
                    "street": "preflop", "seat": seat, "action": act, "amount": amount, "thinking_time_ms": took_ms,
                    "retries": 0,
                }
                for seat, (act, amount, took_ms) in enumerate(acts)
            ],
            "winners": [0], "pot": 8, "pots_awarded": {"0": 8},
        }  # fmt: skip
        (logs / f"hand_{number:03}.json").write_text(json.dumps(made))
    ingest([logs], tmp_path / "store")
    monkeypatch.setenv("COLUMNS", "80")
    with open_store(tmp_path / "store") as store:
        for show in (Show.TIMES, Show.STRENGTH, Show.ACTIONS, Show.WINNINGS, Show.RANGES):
            for by_opponent in (False, True) if "by_opponent" in TABLES[show].suffixes else (False,):
                screen = Screen()
                monkeypatch.setattr("sys.stdout", screen)
                print_table(store, show, None, by_opponent, False, Format.TABLE)
                text = re.sub(r"\x1b\[\d*m", "", screen.getvalue())
                assert max(len(line.rstrip()) for line in text.splitlines()) <= 80, text
                assert ("Do slow decisions lose?" in text) == (show is Show.TIMES)
        screen = Screen()
        monkeypatch.setattr("sys.stdout", screen)
        print_table(store, Show.TIMES, long_names[1], False, False, Format.TABLE)
        assert "Do slow decisions lose?" not in screen.getvalue()
