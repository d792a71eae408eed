"""Hands found by conditions: against hands walked in plain Python, as tables, JSON and a page that replays them."""

import csv
import io
import json
import re
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conftest import Run
from support.browser import Tab
from support.pages import unpacked

from railbird.analytics.found_hands import (
    MOVES,
    SITUATIONS,
    Conditions,
    checked,
    comparison,
    found_hands,
    known_moves,
)
from railbird.analytics.settings import HandOrder
from railbird.analytics.store import Store
from railbird.analytics.views import all_views
from railbird.reports.hands import _won
from railbird.reports.matches import all_matches, ids, one_match, short_names

Key = tuple[int, int]
LOG = """6.9630 MIT Pokerbots - alpha vs beta

Round #1, alpha (0), beta (0)
alpha posts the blind of 1
beta posts the blind of 2
alpha dealt [Tc 3s]
beta dealt [8d 9h]
alpha raises to 400
beta folds
alpha awarded 2
beta awarded -2

Round #2, beta (-2), alpha (2)
beta posts the blind of 1
alpha posts the blind of 2
beta dealt [6c 5c]
alpha dealt [Tc 6h]
beta raises to 30
alpha calls
Flop [8c Td Jc], beta (30), alpha (30)
alpha checks
beta checks
Turn [8c Td Jc 3s], beta (30), alpha (30)
alpha checks
beta checks
River [8c Td Jc 3s 7s], beta (30), alpha (30)
alpha checks
beta checks
beta shows [6c 5c]
alpha shows [Tc 6h]
beta awarded -30
alpha awarded 30

Final, alpha (32), beta (-32)
"""


class Act(NamedTuple):
    """A row of `actions`, as far as the tests look."""

    seat: int
    street: int
    action: str
    origin: str
    bet_level: int
    seq: int


class Walked:
    """Every hand of a store, with its actions board by board."""

    def __init__(self, store: Store) -> None:
        """Read it."""
        self.rules: dict[Key, dict[str, Any]] = {}
        self.actions: dict[Key, dict[int, list[Act]]] = defaultdict(lambda: defaultdict(list))
        names = ("game", "streets", "forced", "simultaneous", "boards", "reached")
        for match, index, *row in store.execute(
            "select match_id, hand_index, h.game, g.streets, g.forced, g.simultaneous, g.boards, h.streets"
            " from hands h join games g on g.game = h.game"
        ).fetchall():
            self.rules[match, index] = dict(zip(names, row, strict=True))
        for match, index, board, *act in store.execute(
            "select match_id, hand_index, coalesce(board_no, 0), seat, street, action, origin, bet_level, seq"
            " from actions order by seq"
        ).fetchall():
            self.actions[match, index][board].append(Act(*act))

    def hands(self, holds: Any) -> set[Key]:
        """The hands with a board whose actions and rules a function accepts."""
        return {
            key
            for key, boards in self.actions.items()
            if any(holds(acts, self.rules[key]) for acts in boards.values())
        }


@pytest.fixture(scope="module")
def walked(sample_store: Store) -> Walked:
    return Walked(sample_store)


def keys(store: Store, **wanted: Any) -> set[Key]:
    rows = found_hands(store, checked(store, Conditions(**wanted)), ids(all_matches(store)))
    found = [(row["match_id"], row["hand_index"]) for row in rows]
    assert len(set(found)) == len(found)
    assert all(row["total"] == len(rows) for row in rows)
    return set(found)


def chosen(acts: list[Act]) -> list[Act]:
    return [act for act in acts if act.origin == "choice"]


def test_every_action_is_found_on_its_street(sample_store: Store, walked: Walked) -> None:
    own = set(known_moves(sample_store)) - {"check-raise", "3bet", "limp", "cbet"}
    counts = {
        move: sum(
            any(act.action == move for acts in boards.values() for act in chosen(acts)) for boards in hands
        )
        for move in own
        for hands in [walked.actions.values()]
    }
    listed = sample_store.execute(
        "select move, count(distinct (match_id, hand_index)) from moves group by all"
    )
    assert {move: count for move, count in listed.fetchall() if move in own} == counts
    assert all(counts.values())
    bids = walked.hands(lambda acts, _: any(act.action == "bid" for act in chosen(acts)))
    assert keys(sample_store, did="bid") == bids
    turns = walked.hands(
        lambda acts, rules: (
            "turn" in rules["streets"]
            and any(
                act.action == "bet" and act.street == rules["streets"].index("turn") for act in chosen(acts)
            )
        )
    )
    assert keys(sample_store, did="bet", street="turn") == turns
    runs = walked.hands(lambda acts, rules: any(act.street >= len(rules["streets"]) for act in chosen(acts)))
    assert keys(sample_store, did="check", street="run") <= runs


def test_a_check_raise_is_a_raise_after_a_check(sample_store: Store, walked: Walked) -> None:
    def holds(acts: list[Act], _: Any) -> bool:
        return any(
            one.action == "check"
            and (two.action, two.origin) == ("raise", "choice")
            and (one.seat, one.street) == (two.seat, two.street)
            for one, two in combinations(acts, 2)
        )

    found = keys(sample_store, did="check-raise")
    assert found == walked.hands(holds)
    flagged = sample_store.execute("select match_id, hand_index from seats where check_raise").fetchall()
    assert {*flagged} <= found


def test_limps_3bets_and_cbets_are_those_of_the_statistics(sample_store: Store, walked: Walked) -> None:
    limps = walked.hands(
        lambda acts, rules: (
            rules["forced"] == "blinds"
            and any(act.action == "call" and act.street == 0 and act.bet_level == 1 for act in chosen(acts))
        )
    )
    assert keys(sample_store, did="limp") == limps
    for move, street, flag in (
        ("limp", None, "limp"),
        ("3bet", "preflop", "threebet"),
        ("cbet", "flop", "cbet_flop"),
        ("cbet", "turn", "cbet_turn"),
        ("cbet", "river", "cbet_river"),
    ):
        flagged = sample_store.execute(f"select match_id, hand_index from seats where {flag}").fetchall()
        boards = sample_store.execute(
            f"select match_id, hand_index from blotto_flags where flags & flag_bit('{flag}') <> 0"
        ).fetchall()
        found = keys(sample_store, did=move, street=street)
        # Some games have other names for the streets.
        counted = {key for key in (*flagged, *boards) if street in (None, *walked.rules[key]["streets"])}
        # Of more than two players the statistic counts the small blind's limps alone.
        assert counted <= found if move == "limp" else counted == found
        assert found


def test_situations_of_the_betting(sample_store: Store, walked: Walked) -> None:
    boards = {
        (match, index, board): len(cards)
        for match, index, board, cards in sample_store.execute(
            "select match_id, hand_index, board_no, cards from boards"
        ).fetchall()
    }
    pots: dict[str, set[Key]] = defaultdict(set)
    for key, by_board in walked.actions.items():
        rules = walked.rules[key]
        for board, acts in by_board.items():
            raises = sum(act.action == "raise" and act.street == 0 for act in acts)
            flop = boards[(*key, board)] > 0 if board else rules["reached"] > 1
            if flop and rules["forced"] == "blinds":
                pots[("limped-pot", "raised-pot", "3bet-pot", "4bet-pot")[min(raises, 3)]].add(key)
    for situation, expected in pots.items():
        assert keys(sample_store, situation=situation) == expected, situation
    assert len(pots) == 4

    def squeezed(acts: list[Act], _: Any) -> bool:
        first = [act for act in acts if act.street == 0 and act.action in ("call", "raise")]
        for k, act in enumerate(first):
            before = Counter(one.action for one in first[:k] if one.bet_level == 2 or one.action == "raise")
            if act.action == "raise" and act.origin == "choice" and before["raise"] == 1 and before["call"]:
                return True
        return False

    assert keys(sample_store, situation="squeezed") == walked.hands(squeezed)


def test_all_in_before_the_river(sample_store: Store, walked: Walked) -> None:
    stacks: dict[Key, list[bool]] = defaultdict(list)
    for match, index, put, had in sample_store.execute(
        "select match_id, hand_index, contribution, stack_start from seats"
    ).fetchall():
        stacks[match, index].append(put is not None and had is not None and put >= had)
    expected = set()
    for key, boards in walked.actions.items():
        rules, acts = walked.rules[key], [act for one in boards.values() for act in one]
        if rules["simultaneous"] or "river" not in rules["streets"]:
            continue
        last = max((act.street for act in chosen(acts)), default=None)
        nobody_folds = all(act.action != "fold" for act in acts)
        early = last is not None and last < rules["streets"].index("river")
        if nobody_folds and early and sum(stacks[key]) >= max(len(stacks[key]) - 1, 2):
            expected.add(key)
    assert keys(sample_store, situation="all-in-before-river") == expected
    # Of two players both are all-in: after an auction its price may leave one of them chips.
    assert all(all(stacks[key]) for key in expected if len(stacks[key]) == 2)
    assert any(len(stacks[key]) > 2 and not all(stacks[key]) for key in expected)


def test_the_best_folded_and_the_worst_called_or_bet(sample_store: Store, walked: Walked) -> None:
    equities: dict[tuple[int, int, int], dict[int, dict[int, float | None]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for match, index, board, street, seat, equity in sample_store.execute(
        "select match_id, hand_index, coalesce(board_no, 0), street, seat, equity_actual from equities"
    ).fetchall():
        equities[match, index, board][street][seat] = equity
    words = {
        "fold": "folded-the-best",
        "call": "called-the-worst",
        "bet": "bet-the-worst",
        "raise": "bet-the-worst",
    }
    expected: dict[str, set[Key]] = {word: set() for word in words.values()}
    for key, boards in walked.actions.items():
        for board, acts in boards.items():
            folded: set[int] = set()
            for act in acts:
                at = equities[(*key, board)][act.street]
                others = [at[seat] for seat in at if seat not in folded and seat != act.seat]
                mine = at.get(act.seat)
                if act.origin == "choice" and act.action in words and mine is not None and others:
                    known = [one for one in others if one is not None]
                    if len(known) == len(others):
                        beaten = mine > max(known) if act.action == "fold" else mine < min(known)
                        expected[words[act.action]].update([key] * beaten)
                if act.action == "fold":
                    folded.add(act.seat)
    for situation, hands in expected.items():
        assert keys(sample_store, situation=situation) == hands, situation
        assert hands


def is_straight(cards: list[str]) -> bool:
    ranks = {"23456789TJQKA".index(card[0]) for card in cards}
    ranks |= {-1} if 12 in ranks else set()
    return any({low + k for k in range(5)} <= ranks for low in range(-1, 9))


def has_draw(hole: list[str], board: list[str]) -> bool:
    suits = Counter(card[1] for card in [*hole, *board])
    flush = any(suits[card[1]] == 4 for card in hole)
    outs = [
        rank
        for rank in "23456789TJQKA"
        if is_straight([*hole, *board, f"{rank}x"]) and not is_straight([*board, f"{rank}x"])
    ]
    return flush or len(outs) >= 2


def test_missed_draws(sample_store: Store, walked: Walked) -> None:
    expected = set()
    games = ("holdem-mit", "bounty", "acpc/holdem.nolimit.6p")
    for match, index, seat, hole, board in sample_store.execute(
        "select match_id, hand_index, seat, hole, board from seats join hands using (match_id, hand_index)"
        " where list_contains($games, game) and len(hole) = 2 and len(board) = 5",
        games=games,
    ).fetchall():
        acts = walked.actions[match, index][0]
        made = is_straight(hole + board) or max(Counter(card[1] for card in hole + board).values()) >= 5
        folded = any(act.seat == seat and act.action == "fold" for act in acts)
        if not made and not folded and (has_draw(hole, board[:3]) or has_draw(hole, board[:4])):
            expected.add((match, index))
    found = {key for key in keys(sample_store, situation="missed-draw") if walked.rules[key]["game"] in games}
    assert found == expected
    assert expected


def test_each_situation_is_in_its_view(sample_store: Store) -> None:
    listed = {
        view.name: column.meaning.split()
        for view in all_views()
        for column in view.columns
        if column.name == "situation"
    }
    assert {word: name for name, words in listed.items() for word in words} == dict(SITUATIONS)
    for situation in SITUATIONS:
        assert keys(sample_store, situation=situation), situation


def test_a_player_did_it_and_another_was_there(sample_store: Store) -> None:
    rows = sample_store.execute(
        "select distinct a.match_id, a.hand_index from actions a join seats s using (match_id, hand_index)"
        " where a.player = 'Heron' and a.action = 'raise' and a.origin = 'choice' and s.player = 'Otter'"
    ).fetchall()
    assert rows
    assert keys(sample_store, player="Heron", against="Otter", did="raise") == {*rows}
    assert keys(sample_store, player="Heron", against="Heron") == {
        *sample_store.execute(
            "select match_id, hand_index from seats where player = 'Heron' group by all having count(*) > 1"
        ).fetchall()
    }


def test_pots_are_compared_and_sorted_without_what_nobody_called(sample_store: Store) -> None:
    matches = ids(all_matches(sample_store))
    wanted = Conditions(pots=(comparison(">100"), comparison("<=20bb")), showdown=True)
    rows = found_hands(sample_store, wanted, matches, HandOrder.POT)
    expected = sample_store.execute(
        "select p.match_id, p.hand_index from pots p join hands h using (match_id, hand_index)"
        " join matches m on m.match_id = p.match_id where p.played_for > 100 and p.played_for / m.unit <= 20"
        " and h.ended_by in ('showdown', 'mixed')"
    ).fetchall()
    assert {(row["match_id"], row["hand_index"]) for row in rows} == {*expected}
    assert [row["pot"] for row in rows] == sorted((row["pot"] for row in rows), reverse=True)
    lost = found_hands(sample_store, Conditions(player="Heron"), matches, HandOrder.LOST, 5)
    mine = [dict(zip(row["players"], row["deltas"], strict=True))["Heron"] for row in lost]
    assert mine == sorted(mine)
    assert (len(lost), mine[0] < 0, lost[0]["total"] > 5) == (5, True, True)


def test_hands_come_in_the_order_of_play(sample_store: Store) -> None:
    matches = ids(all_matches(sample_store))[::-1]
    rows = found_hands(sample_store, Conditions(), matches, most=40)
    places = [(matches.index(row["match_id"]), row["hand_index"]) for row in rows]
    assert places == sorted(places)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from railbird.ingest import ingest

    folder = tmp_path_factory.mktemp("small")
    (folder / "pots.txt").write_text(LOG)
    ingest([folder / "pots.txt"], folder / "store", event="cup")
    return folder / "store"


def test_sql_has_the_pot_with_and_without_a_push_that_nobody_called(run: Run, small: Path) -> None:
    """`hands.pot` has all chips that were put in; its description names the other."""
    query = "select h.pot, p.played_for from hands as h join pots as p using (match_id, hand_index) order by hand_index"
    _, out, _ = run("sql", query, "--store", small, "--format", "json")
    assert json.loads(out)[:2] == [{"pot": 402, "played_for": 4}, {"pot": 60, "played_for": 60}]
    _, out, _ = run("hands", "--store", small, "--format", "json")
    assert [row["pot"] for row in json.loads(out)][:2] == [4, 60]
    (view,) = (view for view in all_views() if view.name == "hands")
    (meaning,) = (column.meaning for column in view.columns if column.name == "pot")
    assert "pots.played_for" in meaning
    assert "pots.played_for" in run("sql", "--help")[1]


def test_a_push_that_nobody_calls_is_a_small_pot(run: Run, small: Path) -> None:
    code, out, err = run("hands", "--store", small, "--sort", "pot", "--format", "json")
    assert (code, err) == (0, "")
    first, second = json.loads(out)
    keep = {
        "hand_index": 1,
        "hand": f"{first['match_id']}#1",
        "pot": 60.0,
        "game": "holdem-mit",
        "players": ["alpha", "beta"],
        "verdict": "ok",
        "event": "cup",
    }
    assert keep.items() <= first.items()
    assert isinstance(first["match_id"], str)
    assert (second["hand_index"], second["pot"]) == (0, 4.0)
    _, out, _ = run("hands", "--store", small, "--pot", ">4", "--pot", "<60.5", "--format", "csv")
    assert [row["hand_no"] for row in csv.DictReader(io.StringIO(out))] == ["2"]
    assert run("hands", "--store", small, "--pot", ">60", "--format", "json") == (0, "[]\n", "")
    assert run("hands", "--store", small, "--match", "pots", "--did", "bid", "--limit", "1")[0] == 2


def test_the_table_fits_80_columns_and_names_hands_as_replay_takes_them(
    run: Run, samples_folder: Path
) -> None:
    for game in ("river-of-blood", "blotto", "acpc/holdem.nolimit.6p"):
        code, out, err = run(
            "hands", "--store", samples_folder, "--game", game, "--sort", "pot", "--limit", "9"
        )
        assert (code, err) == (0, "")
        assert max(len(line.rstrip()) for line in out.splitlines()) <= 80, out
    code, out, _ = run("hands", "--store", samples_folder, "--limit", "1")
    name = out.split("`railbird replay ")[1].split("`")[0]
    assert run("replay", name, "--store", samples_folder)[0] == 0
    assert "The first 1 of " in out


def test_a_stroke_parts_own_cards_from_the_board(run: Run, samples_folder: Path) -> None:
    asked = "--game", "holdem-mit", "--sort", "pot", "--limit", "1"
    _, out, _ = run("hands", "--store", samples_folder, *asked, "--player", "Rook", "--showdown")
    card = "[2-9TJQKA][♣♦♥♠]"
    assert re.search(rf" {card} {card} \| {card}( {card}){{4}} ", out)
    _, out, _ = run("hands", "--store", samples_folder, *asked, "--showdown")
    assert re.search(rf" {card}( {card}){{4}} ", out) and "|" not in out


def test_short_names_mean_their_match(sample_store: Store, hostile_store: Store) -> None:
    for store in (sample_store, hostile_store):
        matches = all_matches(store)
        for match_id, name in short_names(matches).items():
            assert one_match(store, name, "").match_id == match_id
            assert len(name) <= 20


def test_a_short_name_is_no_option_no_row_and_no_other_file(sample_store: Store) -> None:
    one, two, three, *_ = all_matches(sample_store)
    matches = [
        replace(one, match_id=123456789, path="logs/-x.txt"),
        replace(two, match_id=987654321, path="logs/@2"),
        replace(three, match_id=555555555, path="logs/123456.txt"),
    ]
    assert short_names(matches) == {123456789: "1234567", 987654321: "9876", 555555555: "123456.txt"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--did", "chek-raise"), "no action is called 'chek-raise'; most like it: 'check-raise'"),
        (("--did", "jump"), f"no action is called 'jump'; there is {', '.join(MOVES)}, assign, bid"),
        (("--street", "rivr"), "no street is called 'rivr'; most like it: 'river'"),
        (("--situation", "3bet"), "no situation is called '3bet'; most like it: '3bet-pot'"),
        (("--player", "Hern"), "no player is called 'Hern'; most like it: 'Heron'"),
        (("--against", "Hern"), "no player is called 'Hern'; most like it: 'Heron'"),
        (("--game", "bount"), "no match is of the game 'bount'; most like it: 'bounty'"),
        (("--event", "bount"), "no match is of the event 'bount'; most like it: 'bounty'"),
        (("--match", "nobody"), "no match is called 'nobody'"),
        (("--pot", "=5"), "a pot is compared with a number, as in '>100' or '<=20bb', not '=5'"),
        (("--pot", ">1e3x"), "a pot is compared with a number, as in '>100' or '<=20bb', not '>1e3x'"),
        (("--out", "x"), "--out: only a playlist is written into a folder; give --format playlist"),
        (("--sort", "size"), "Invalid value for '--sort'"),
    ],
)
def test_what_is_unknown_is_one_line_and_exit_2(
    run: Run, samples_folder: Path, options: tuple[str, ...], message: str
) -> None:
    code, out, err = run("hands", "--store", samples_folder, *options)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith(f"railbird: {message}")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--did", "Bid"),
            "no game of the store has the action 'Bid'; these games have it: auction, sneak-peek",
        ),
        (
            ("--did", "accept"),
            "no game of the store has the action 'accept'; games of your own with steps have it "
            "(docs/add-a-variant.md)",
        ),
        (("--did", "post"), "no action is called 'post'; there is fold, check, "),
        (
            ("--street", "run"),
            "no game of the store has the street 'run'; these games have it: river-of-blood, hpi",
        ),
    ],
)
def test_a_word_of_games_that_the_store_lacks_names_them(
    run: Run, sample_logs: Path, options: tuple[str, ...], message: str
) -> None:
    code, out, err = run("hands", "--store", sample_logs / "koper", *options)
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].startswith(f"railbird: {message}")


def test_words_are_known_whatever_their_capitals_and_hyphens(sample_store: Store) -> None:
    wanted = checked(sample_store, Conditions(did="C-Bet", street="FLOP", situation="3-Bet pot"))
    assert (wanted.did, wanted.street, wanted.situation) == ("cbet", "flop", "3bet-pot")


def test_a_playlist_holds_and_replays_its_hands_alone(
    run: Run, samples_folder: Path, tmp_path: Path, page_of: Tab
) -> None:
    options = ("--situation", "squeezed", "--sort", "pot", "--limit", "4", "--store", samples_folder)
    code, out, err = run("hands", *options, "--format", "playlist", "--out", tmp_path / "list")
    assert (code, out, err) == (0, f"{tmp_path / 'list' / 'index.html'}\n", "")
    expected = [
        row["hand"].replace("#", "/") for row in json.loads(run("hands", *options, "--format", "json")[1])
    ]
    held = [
        f"{path.parent.name}/{hand['index']}"
        for path in (tmp_path / "list" / "hands").rglob("*.js")
        for hand in unpacked(path.read_text())["hands"]
    ]
    assert sorted(held) == sorted(expected)
    page = page_of.open(tmp_path / "list" / "index.html")
    for k, name in enumerate(expected):
        page.wait_for_selector(f"body[data-ready='{name}']")
        assert f"({k + 1} of 4 chosen hands)" in page.inner_text("#lead")
        assert page.locator("#chosen a[aria-current]").count() == 1
        page.keyboard.press("n")
    assert page.locator("#next").is_disabled()
    page.locator("#chosen a").first.click()
    page.wait_for_selector(f"body[data-ready='{expected[0]}']")
    assert page.locator("#previous").is_disabled()


def test_a_playlist_is_not_written_into_the_store(
    run: Run, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, _, err = run("hands", "--store", small, "--format", "playlist", "--out", small / "page")
    assert (code, err) == (
        2,
        f"railbird: {small / 'page'} lies in the store: choose another folder for the page\n",
    )
    monkeypatch.chdir(small)
    code, _, err = run("hands", "--store", small, "--format", "playlist")
    assert (code, err) == (
        2,
        "railbird: railbird-hands lies in the store: choose another folder for the page\n",
    )


def test_a_playlist_replaces_an_older_one_and_nothing_else(run: Run, small: Path, tmp_path: Path) -> None:
    def write(folder: str, *options: str) -> tuple[int, str, str]:
        asked = ("--format", "playlist", "--out", tmp_path / folder)
        return run("hands", "--store", small, *asked, *options)

    for options, count in (((), 2), (("--showdown",), 1)):
        assert write("list", *options)[0] == 0
        (held,) = (tmp_path / "list" / "hands").rglob("*.js")
        assert len(unpacked(held.read_text())["hands"]) == count
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    assert write("mine")[0] == 2
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]
    assert run("report", "--store", small, "--out", tmp_path / "report")[0] == 0
    code, _, err = write("report")
    assert (code, err) == (
        2,
        f"railbird: {tmp_path / 'report'} is a report: choose another folder for the page\n",
    )


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("> 1234567.50 BB", ">1234567.5bb"),
        ("<=100000000000000000000000", None),
        ("<.00000001", "<0.00000001"),
    ],
)
def test_a_comparison_is_written_with_all_its_digits(text: str, again: str | None) -> None:
    assert comparison(text).text == (again or text)
    assert comparison(comparison(text).text) == comparison(text)


def test_the_help_lists_every_action_and_situation(run: Run, sample_store: Store) -> None:
    said = re.findall(r"[\w-]+", run("hands", "--help")[1])
    assert {*known_moves(sample_store), *SITUATIONS} <= {*said}


def test_of_many_winners_the_table_names_two() -> None:
    row = {"players": [*"ABCD"], "deltas": [5.0, 9.0, -21.0, 7.0]}
    assert _won(row, None) == "B +9, D +7 and 1 more"
    assert _won({"players": [*"AB"], "deltas": [5.0, None]}, None) == "A +5"
    assert _won({"players": [*"AB"], "deltas": [0.0, 0.0]}, None) == "split"
    assert _won({"players": [*"AB"], "deltas": [0.0, -5.0]}, None) == ""
    assert _won({"players": [*"AB"], "deltas": [None, None]}, None) == ""


def test_hostile_names_are_text_in_a_playlist(run: Run, hostile_store: Store, tmp_path: Path) -> None:
    name = all_matches(hostile_store)[0].players[0]
    asked = ("--format", "playlist", "--limit", "2", "--out", tmp_path / "list")
    assert run("hands", "--store", hostile_store.path, "--player", f"{name}", *asked)[0] == 0
    page = (tmp_path / "list" / "index.html").read_text()
    assert name not in page
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", page)
    assert "<img" not in page
