"""Two players compared: pairs, common opponents, no look-ahead, and what programs read."""

import json
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest
from conftest import Run
from support.huawei import Act, Seat, hand, replay

from railbird.analytics import luck
from railbird.analytics.compare import Comparison, Look, Material, _known_cards, compare, league
from railbird.analytics.intervals import sequence_quantile
from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.storage.locations import natural_order

GOOD, BAD = "tight-aggressive", "loose-aggressive"
GAME = "holdem-mit"
HANDS = 100


def write(folder: Path, name: str, players: list[tuple[str, str]], seed: int, hands: int = HANDS) -> None:
    folder.mkdir(exist_ok=True, parents=True)
    (folder / name).write_text(simulate(GAME, players, hands, seed))


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten pairs of A and B, the second of each after the first, and what A and B won from C and D."""
    folder = tmp_path_factory.mktemp("compare") / "logs"
    a, b, c, d = (("A", GOOD), ("B", BAD), ("C", BAD), ("D", GOOD))
    for k in range(10):
        write(folder / "pairs", f"m{k}.0.log", [a, b], k)
        write(folder / "pairs", f"m{k}.1.log", [b, a], k)
    for k in range(9):
        write(folder / "others", f"a{k}.log", [("X1", GOOD), c], 100 + k)
        write(folder / "others", f"b{k}.log", [c, ("X2", BAD)], 200 + k)
    for k in range(4):
        write(folder / "others", f"c{k}.log", [("X1", GOOD), d], 300 + k)
        write(folder / "others", f"d{k}.log", [d, ("X2", BAD)], 400 + k, 2 * HANDS)
    return folder


@pytest.fixture(scope="module")
def store(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("compare") / "store"
    ingest([logs], target)
    with open_store(target) as opened:
        opened.count_equities()
    return target


def found(store: Path, one: str, other: str, **options: object) -> Comparison:
    with open_store(store) as opened:
        return compare(opened, one, other, **options)  # type: ignore[arg-type]


def test_head_to_head_is_what_one_won_in_a_hundred_hands(store: Path) -> None:
    with open_store(store) as opened:
        rows = opened.execute("""
            select match_id, path from matches join files using (file_id) where event = 'others' order by path
        """).fetchall()
        order = [match for match, _ in rows]
        frame = luck.hands(opened, luck.fit_store(opened, order), order)
        seats = opened.sql("select match_id, seat, player, unit from players").pl()
        met = opened.sql("select match_id from players where player = 'X1' and opponent = 'C'").pl()
    mine = frame.join(seats, on=["match_id", "seat"]).join(met, on="match_id", how="semi")
    mine = mine.filter(mine["player"] == "X1")
    won = 100 * float(np.mean(mine["chance_adjusted"].to_numpy() / mine["unit"].to_numpy()))
    one = found(store, "X1", "C")
    assert (one.head_to_head, one.matches, one.pairs, one.look.hands) == (True, 9, 0, 9 * HANDS)
    assert one.look.difference == pytest.approx(won)
    assert one.look.low < won < one.look.high
    other = found(store, "C", "X1")
    assert other.look.difference == pytest.approx(-won)
    assert other.look.low == pytest.approx(-one.look.high)


def test_pairs_of_the_same_cards_are_one_step(store: Path) -> None:
    """The error is that of the ten sums of two matches."""
    one = found(store, "A", "B", path=True)
    assert one.look.freedom == 9
    sums = []
    path = [look for _, look in one.path]
    for k in range(1, 20, 2):
        before = path[k - 2].difference * path[k - 2].hands if k > 1 else 0.0
        sums.append((path[k].difference * path[k].hands - before) / (2 * HANDS))
    assert one.look.error == pytest.approx(np.std(sums, ddof=1) / np.sqrt(10))
    # Between the two matches of a pair nothing changes: the first waits for the other.
    for k in range(4, 20, 2):
        assert path[k].difference == path[k - 1].difference
        assert path[k].hands == path[k - 1].hands + HANDS


def test_common_opponents_are_weighed_by_the_fewer_hands(store: Path) -> None:
    one = found(store, "X1", "X2")
    assert not one.head_to_head
    by = {value: look for breakdown, value, look in one.by if breakdown == "opponent"}
    weights = {"C": 9 * HANDS, "D": 4 * HANDS}
    mean = sum(weights[name] * by[name].difference for name in weights) / sum(weights.values())
    assert one.look.difference == pytest.approx(mean)
    assert {name: look.hands for name, look in by.items()} == {"C": 18 * HANDS, "D": 12 * HANDS}
    assert found(store, "X1", "X2", against="D").look.difference == pytest.approx(by["D"].difference)


@pytest.mark.parametrize("breakdown", ["opponent", "position", "street"])
def test_the_rows_of_a_breakdown_add_up(breakdown: str, store: Path) -> None:
    one = found(store, "A", "B")
    rows = [look for name, _, look in one.by if name == breakdown]
    assert sum(look.hands for look in rows) == one.look.hands
    total = sum(look.hands * look.difference for look in rows)
    assert total / one.look.hands == pytest.approx(one.look.difference)


def test_as_of_a_match_is_the_path_up_to_it(store: Path) -> None:
    one = found(store, "A", "B", path=True)
    for place in (2, 9, 15):
        match, look = one.path[place]
        assert found(store, "A", "B", as_of=match).look == look


def test_the_future_changes_nothing(logs: Path, store: Path, tmp_path: Path) -> None:
    """Later logs are others, by other styles in another order, and another event comes before."""
    copytree(logs, tmp_path / "logs")
    a, b = ("A", BAD), ("B", "random")
    for k in range(6, 10):
        write(tmp_path / "logs" / "pairs", f"m{k}.0.log", [b, a], 20 - k)
        write(tmp_path / "logs" / "pairs", f"m{k}.1.log", [a, b], 20 - k)
    # Dealt the same cards as an early match.
    write(tmp_path / "logs" / "pairs", "m99.log", [a, b], 3)
    write(tmp_path / "logs" / "early", "m0.log", [("Y", BAD), ("Z", GOOD)], 77)
    ingest([tmp_path / "logs"], tmp_path / "store")
    before, after = (found(where, "A", "B", path=True).path for where in (store, tmp_path / "store"))
    assert before[:12] == after[:12]
    assert before[13] != after[13]


def test_a_match_is_not_adjusted_by_what_its_own_cards_brought_before(logs: Path, tmp_path: Path) -> None:
    """The second match of a pair counts the same with the first one before it, with another one or none."""
    second = (logs / "pairs" / "m0.1.log").read_text()
    found = []
    for name, style in (("same", GOOD), ("other", "maniac"), ("none", "")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "m0.1.log").write_text(second)
        if style:
            write(folder, "m0.0.log", [("A", style), ("B", BAD)], 0)
        ingest([folder], tmp_path / f"store-{name}", event="cup")
        with open_store(tmp_path / f"store-{name}") as opened:
            material = Material(opened, GAME)
            material.read({"A", "B"})
            found.append(material.won("A")[-1].results)
    assert np.array_equal(found[0], found[2])
    assert np.array_equal(found[1], found[2])


def test_matches_of_which_no_card_was_seen_are_not_of_the_same_cards(tmp_path: Path) -> None:
    logs = tmp_path / "cup"
    logs.mkdir()
    for number, hole in enumerate(("????", "????", "AsKs", "AsKs", "2c2d")):
        (logs / f"{number}.phh").write_text(
            "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\n"
            f"starting_stacks = [100, {100 + number}]\nplayers = ['A', 'B']\n"
            f"actions = ['d dh p1 {hole}', 'd dh p2 ????', 'p2 f']\n"
        )
    ingest([logs], tmp_path / "store")
    with open_store(tmp_path / "store") as opened, _known_cards(opened):
        rows = opened.sql(
            "select card_set from matches join files using (file_id) order by files.path"
        ).fetchall()
    sets = [found for (found,) in rows]
    assert sets[:2] == [None, None]
    assert sets[2] == sets[3] is not None and sets[4] not in (None, sets[2])


def test_at_a_table_that_players_leave_only_hands_of_both_count(tmp_path: Path) -> None:
    """The second hand is without 1002, the third without 1001."""
    names = ("1001", "1002", "1003", "1004")
    hands = []
    for number, out in enumerate((None, "1002", "1001", "1004"), 1):
        seats: list[Seat] = [(name, 2000, 0) for name in names if name != out]
        first, small, big, *others = [name for name, _, _ in seats]
        acts: list[Act | str] = [(name, "fold", 0) for name in (*others, first)]
        hands.append(hand(number, seats, [*acts, (small, "fold", 20)], {big: 60}))
    (tmp_path / "replay.txt").write_text(replay(*hands))
    ingest([tmp_path / "replay.txt"], tmp_path / "store")
    with open_store(tmp_path / "store") as opened:
        deltas = opened.sql("""
            select hand_index, a.delta - b.delta from seats as a join seats as b using (match_id, hand_index)
            where a.player = '1001' and b.player = '1002' order by hand_index
        """).fetchall()
    assert [index for index, _ in deltas] == [0, 3]
    compared = found(tmp_path / "store", "1001", "1002")
    assert compared.head_to_head and compared.look.hands == len(deltas)


def test_versions_stand_in_the_order_of_their_first_matches(store: Path) -> None:
    with open_store(store) as opened:
        one, two = league(opened, r"X\d")
    assert (one.player, one.before, one.against_before) == ("X1", None, None)
    assert (two.player, two.before, two.hands) == ("X2", "X1", 17 * HANDS)
    assert two.against_before is not None
    assert two.against_before.look == found(store, "X2", "X1").look


def test_names_are_ordered_as_people_count() -> None:
    assert sorted(["m10", "m9", "m", "m09b"], key=natural_order) == ["m", "m9", "m09b", "m10"]
    # A superscript is a digit and no number.
    assert sorted(["m1²2", "m1²1"], key=natural_order) == ["m1²1", "m1²2"]


PLAYED = 51_000
"""Hands, in 51 matches of 1,000."""


def look(difference: float, half: float) -> Look:
    error = half / sequence_quantile(50.0, PLAYED)
    return Look(difference, difference - half, difference + half, PLAYED, 50.0, error, PLAYED)


@pytest.mark.parametrize(
    ("difference", "half", "margin", "verdict"),
    [
        (5.0, 4.0, None, "better"),
        (-5.0, 4.0, 20.0, "worse"),
        (1.0, 2.0, 3.0, "equal"),
        (1.0, 2.0, 2.9, "undecided"),
        (1.0, 2.0, None, "undecided"),
    ],
)
def test_verdicts(difference: float, half: float, margin: float | None, verdict: str) -> None:
    assert look(difference, half).verdict(margin) == verdict


def test_the_hands_to_decide() -> None:
    assert look(5.0, 4.0).hands_to_decide(None) is None
    assert look(0.0, 4.0).hands_to_decide(None) is None
    near, far = look(3.0, 4.0).hands_to_decide(None), look(1.0, 4.0).hands_to_decide(None)
    assert near is not None
    assert far is not None
    # A third of the difference takes nine times the hands, and a little more.
    assert 0 < near < 1.5 * PLAYED
    assert 9 < (far + PLAYED) / (near + PLAYED) < 12
    assert (look(1.0, 4.0).hands_to_decide(20.0) or 0) < far
    assert look(0.0, 4.0).hands_to_decide(3.0) is not None


KEYS = {"verdict", "difference", "low", "high", "hands", "matches", "hands_to_decide", "by", "path"}


def test_what_programs_read(run: Run, store: Path) -> None:
    code, out, err = run("compare", "A", "B", "--store", store, "--path", "--format", "json")
    assert (code, err) == (0, "")
    said = json.loads(out)
    assert said.keys() >= KEYS
    assert len(said["path"]) == said["matches"] == 20
    for row in (said, *said["path"], *said["by"]):
        assert row["low"] <= row["difference"] <= row["high"]
    # Before it is known, the bounds are those of the stacks: 200 bb.
    assert (said["path"][0]["low"], said["path"][0]["high"]) == (-20000, 20000)
    assert said["path"][-1]["verdict"] == said["verdict"]
    assert {row["by"] for row in said["by"]} == {"opponent", "position", "street"}
    code, out, _ = run("compare", "A", "B", "--store", store)
    assert code == 0
    assert " than B: " in out or "between A and B: " in out
    code, out, _ = run("compare", "--league", r"X\d", "--store", store, "--format", "json")
    assert [row["player"] for row in json.loads(out)["league"]] == ["X1", "X2"]


def test_one_exit_code_a_verdict(run: Run, store: Path) -> None:
    codes = {}
    for names in (("A", "B"), ("B", "A")):
        code, out, _ = run("compare", *names, "--store", store, "--format", "json", "--until", "decided")
        codes[json.loads(out)["verdict"]] = code
    wide = run("compare", "A", "B", "--store", store, "--margin", "100000", "--until", "decided")[0]
    assert codes.items() <= {"better": 0, "undecided": 1, "worse": 3}.items()
    assert wide in (0, 4)
    first = run("compare", "A", "B", "--store", store, "--as-of", "m0.0.log", "--until", "decided")
    assert first[0] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["A", "A"], "'A' cannot be compared with itself"),
        (["A", "Nobody"], "no player is called 'Nobody'"),
        (["A", "C"], "'A' and 'C' did not meet, and no opponent met both"),
        (["A"], "name two players, or give --league"),
        (["A", "B", "--event", "nowhere"], "no match is of the event 'nowhere'; most like it: 'others'"),
        (["A", "B", "--game", "bounty"], "'A' and 'B' played no game called 'bounty'"),
        (["A", "B", "--format", "csv"], "a comparison is not a table: use --format json or table"),
        (["A", "B", "--until", "tea"], "--until takes `decided`, not 'tea'"),
        (["--league", "Z.*"], "no player's name matches --league 'Z.*'"),
        (
            ["--league", "("],
            "--league '(' is no regular expression: missing ), unterminated subpattern at position 0",
        ),
    ],
)
def test_users_errors_are_one_line(arguments: list[str], said: str, run: Run, store: Path) -> None:
    assert run("compare", *arguments, "--store", store) == (2, "", f"railbird: {said}\n")


def test_players_of_several_games_need_one(run: Run, tmp_path: Path) -> None:
    for game in (GAME, "bounty"):
        (tmp_path / f"{game}.txt").write_text(simulate(game, [("A", GOOD), ("B", BAD)], 30, 1))
    store = tmp_path / "store"
    run("ingest", tmp_path / f"{GAME}.txt", tmp_path / "bounty.txt", "--store", store)
    code, _, err = run("compare", "A", "B", "--store", store)
    assert (code, err) == (2, "railbird: they played several games; choose with --game: bounty, holdem-mit\n")
    assert run("compare", "A", "B", "--store", store, "--game", "bounty")[0] == 0


def test_a_set_of_names_is_a_player(run: Run, store: Path) -> None:
    code, out, _ = run("compare", "X", "C", "--store", store, "--rename", r"X(\d)", "--format", "json")
    assert code == 0
    assert json.loads(out)["hands"] == 18 * HANDS
