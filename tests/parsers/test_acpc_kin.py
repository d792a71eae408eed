"""Logs of the ACPC's world that are no dealer's: LBR, AIVAT tables, a player's own states. All are invented."""

from contextlib import closing
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.stores import rows

from railbird.analytics import luck
from railbird.analytics.players import Player
from railbird.analytics.settings import Grouping
from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.parsers import acpc
from railbird.replay.acpc.dealer import play_by
from railbird.replay.acpc.definitions import DEALER, game_of, named, shipped
from railbird.replay.bots import STYLES
from railbird.replay.cards import CARD_TEXT
from railbird.replay.simulate import Order
from railbird.replay.simulate import Player as Bot
from railbird.reports.winnings import luck_tables

LBR = """\
In config file: GAME_DEF=game_def.fullholdem
In config file: ACTIONS_R0=C
Using seed 9.
1:BR,Player:0r200c/cr450f:9h9c,AdKs|/2c7dTs:-300,300(-300.000000)
2:Player,BR:0r19900c/cc/cc/cc:AhAc,KdKs|/2c7dTs/3h/4s:20000,-20000(12871.500000)
3:BR,Player:0cc/cc/cc/cc:2h3c,2d3s|/9cJdTs/Kh/As:0,-0(-1.500000)
RAW BR STATS: n=3, sum=-20300.000000, sum_sq=400090000.000000, vr_sum=-13173.000000, vr_sum_sq=165765514.500000
BR STATS: -6766.666667(22000.000000), -4391.000000(14000.000000)
RESULTS
1)BR: -20300
2)Player: 20300
"""
AIVAT = """\
AIVAT, Chips, All Hands Chips, Chance Correction, Action Correction, Your Hand, Deepstack Hand, Flop Cards, \
Turn Card, River Card, Position, Pre-flop, Flop, Turn, River, Seconds to Act, Total Seconds, Start Time (UTC), Notes
-12.5, -300.0, -300.0, -180.2, -107.3, AsKd, 7h7c, 2c9hTd, , , bb, r300C, Cr700F, , , 12.1, 20.4, 2016/1/5 10:11:12, \

20000, 20000, 20000, 0, 0, AhAc, KdKs, 2c7dTs, 3h, 4s, sb, r20000C, , , , 1.0, 2.0, , A fault, they say, of the system.
50, 50, 50, 0.0, 0.0, 5sKs, Ah4d, , , , bb, f, , , , 0.0, 0.0, 2016/1/5 10:11:14, \

"""

STATES = """\
S-> MATCHSTATE:1:4::|AhKd
<-C MATCHSTATE:1:4::|AhKd:r300
S-> MATCHSTATE:1:4:r300:|AhKd
S-> MATCHSTATE:1:4:r300c/:|AhKd/2c7h9d
S-> MATCHSTATE:1:4:r300c/r600:|AhKd/2c7h9d
<-C MATCHSTATE:1:4:r300c/r600:|AhKd/2c7h9d:f
S-> MATCHSTATE:1:4:r300c/r600f:|AhKd/2c7h9d
S-> MATCHSTATE:0:5::QcQd|
S-> MATCHSTATE:0:5:r20000:QcQd|
<-C MATCHSTATE:0:5:r20000:QcQd|:hello
S-> MATCHSTATE:0:5:r20000c///:QcQd|JsJh/2c7h9d/3s/4s
S-> MATCHSTATE:1:6::|5h6h
<-C MATCHSTATE:1:6::|5h6h:r120
S-> MATCHSTATE:1:6:r200:|5h6h
S-> MATCHSTATE:1:6:r200f:|5h6h
S-> MATCHSTATE:0:7::2c3c|
"""


def read(text: str, folder: Path) -> Path:
    (folder / "log").write_text(text)
    ingest([folder / "log"], folder / "store")
    return folder / "store"


def found(store: Path) -> list[tuple[int, str, str | None]]:
    """Findings: the hand's number, the rule, what explains it."""
    numbers = [hand["hand_no"] for hand in rows(store, "hands")]
    return sorted(
        (numbers[one["hand_index"]], one["rule"], one["deviation"]) for one in rows(store, "findings")
    )


def results(store: Path) -> list[dict[str, Any]]:
    return [{seat["player"]: seat["delta"] for seat in some} for some in by_hand(store)]


def by_hand(store: Path) -> list[list[dict[str, Any]]]:
    hands: dict[int, list[dict[str, Any]]] = {}
    for seat in rows(store, "seats"):
        hands.setdefault(seat["hand_index"], []).append(seat)
    return [hands[k] for k in sorted(hands)]


def test_a_raise_of_lbr_is_by_an_amount(tmp_path: Path) -> None:
    store = read(LBR, tmp_path)
    assert found(store) == [(2, "all-in-checks", "acpc.all-in-checks")]
    raises = [
        (a["hand_index"], a["raise_to"]) for a in rows(store, "actions") if a["action"] in ("bet", "raise")
    ]
    assert raises == [(0, 300), (0, 450), (1, 20000)]
    assert results(store) == [
        {"BR": -300, "Player": 300},
        {"Player": 20000, "BR": -20000},
        {"BR": 0, "Player": 0},
    ]
    (match,) = rows(store, "matches")
    assert (match["game"], match["dialect"]) == ("acpc/holdem.nolimit.2p.reverse_blinds", "lbr")
    assert (match["players"], match["logged_final"]) == (["BR", "Player"], [-20300, 20300])
    assert match["complete"]


def test_the_bracket_is_the_first_players_luck_adjusted_result(tmp_path: Path) -> None:
    store = read(LBR, tmp_path)
    published = [{s["player"]: s["published_adjusted"] for s in some} for some in by_hand(store)]
    assert published == [
        {"BR": -300, "Player": 300},
        {"Player": 12871.5, "BR": -12871.5},
        {"BR": -1.5, "Player": 1.5},
    ]


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("300,-300", "", "award"),
        ("(-300.000000)", "(-299.000000)", "published"),
        ("vr_sum=-13173.", "vr_sum=-13172.", "sums"),
        ("vr_sum_sq=165765514.5", "vr_sum_sq=165765515.5", "sums"),
        ("sum_sq=400090000", "sum_sq=400090001", "sums"),
        ("n=3", "n=4", "sums"),
        ("1)BR: -20300", "1)BR: -20301", "score"),
        ("0r200c", "0r90c", "too-small"),
        ("KdKs|", "KdKd|", "deck"),
    ],
)
def test_an_edit_of_a_log_of_lbr_is_found(old: str, new: str, rule: str, tmp_path: Path) -> None:
    if rule == "award":
        old, new = "-300,300(", "-200,200("
    assert old in LBR
    store = read(LBR.replace(old, new), tmp_path)
    assert {what for _, what, explained in found(store) if explained is None} >= {rule}
    assert {hand["verdict"] for hand in rows(store, "hands")} & {"violation", "damaged"}


def test_a_game_that_lbr_names_and_nobody_knows_is_not_checked(tmp_path: Path) -> None:
    store = read(LBR.replace("game_def.fullholdem", "game_def.other"), tmp_path)
    assert {hand["verdict"] for hand in rows(store, "hands")} == {"unverified"}


def test_joined_logs_of_lbr_are_matches(tmp_path: Path) -> None:

    headless = LBR[LBR.index("1:BR") : LBR.index("RAW")].replace("Ah", "Js")
    store = read(LBR + headless + "In config file: GAME_DEF=game_def.fullholdem\n", tmp_path)
    assert [(match["line"], match["hands"]) for match in rows(store, "matches")] == [(1, 3), (12, 3)]


def test_a_row_of_aivat_is_a_hand_of_the_person(tmp_path: Path) -> None:
    store = read(AIVAT, tmp_path)
    assert found(store) == [(2, "noted", "acpc.noted")]
    assert results(store) == [
        {"person": -300, "bot": 300},
        {"bot": -20000, "person": 20000},
        {"person": 50, "bot": -50},
    ]
    published = [{s["player"]: s["published_adjusted"] for s in some} for some in by_hand(store)]
    assert [some["person"] for some in published] == [-12.5, 20000, 50]
    assert [some["bot"] for some in published] == [12.5, -20000, -50]
    holes = [{s["player"]: s["hole"] for s in some} for some in by_hand(store)]
    assert holes[1] == {"person": ["Ah", "Ac"], "bot": ["Kd", "Ks"]}
    assert rows(store, "hands")[1]["board"] == ["2c", "7d", "Ts", "3h", "4s"]


@pytest.mark.parametrize(
    ("old", "new", "verdict", "rule"),
    [
        ("-12.5, -300", "-12.4, -300", "violation", "published"),
        ("-12.5, -300.0", "-12.5, -400.0", "violation", "award"),
        ("Cr700F", "cr700F", "damaged", "betting"),
        ("r300C", "r300x", "damaged", "betting"),
    ],
)
def test_an_edit_of_a_row_of_aivat_is_found(
    old: str, new: str, verdict: str, rule: str, tmp_path: Path
) -> None:
    assert old in AIVAT
    store = read(AIVAT.replace(old, new), tmp_path)
    assert [hand["verdict"] for hand in rows(store, "hands")] == [verdict, "engine_deviation", "ok"]
    assert {what for number, what, _ in found(store) if number == 1} == {rule}


def test_a_short_row_of_aivat_is_left_out(tmp_path: Path) -> None:
    lines = AIVAT.splitlines(keepends=True)
    lines[1] = "-12.5, -300.0, -300.0\n"
    store = read("".join(lines), tmp_path)
    assert [hand["verdict"] for hand in rows(store, "hands")] == ["engine_deviation", "ok"]
    (left_out,) = rows(store, "unknown_lines")
    assert (left_out["line"], left_out["reason"]) == (2, "its line cannot be read as a hand")


def test_the_published_value_stands_beside_ours_with_its_hands(tmp_path: Path) -> None:
    with open_store(read(LBR, tmp_path)) as store:
        frame = luck.winnings(store, Grouping.PLAYER)
        mine = {row["player"]: row for row in frame.to_dicts()}["BR"]
        assert mine["published"] == pytest.approx(100 * (-300 - 12871.5 - 1.5) / 3 / 100)
        assert mine["published_hands"] == 3
        assert mine["published_low"] < mine["published"] < mine["published_high"]
        (table,) = luck_tables(frame, Grouping.PLAYER)
        assert table.columns[-3:] == ("published", "n", "SD gone")
        ((event, game),) = store.execute("select event, game from matches").fetchall()
        with closing(store.as_seen_by(Player(event, game, "BR"))) as seen:
            assert seen.execute("select max(published_adjusted) from seats").fetchall() == [(None,)]


def in_json(text: str) -> str:
    lines = (line.split(" ") for line in text.splitlines())
    return "".join(f'["{way}", "{state}\\r\\n"]\n' for way, state in lines)


CONTAINERS = {
    "as the protocol has it": STATES.replace("\n", "\r\n"),
    "a time": "".join(f"[17:00:{k:02d}] {line}" for k, line in enumerate(STATES.splitlines(keepends=True))),
    "bare": STATES.replace("S-> ", "").replace("<-C ", ""),
    "twice": "".join(line * 2 for line in STATES.splitlines(keepends=True)),
    "JSON": in_json(STATES),
}


@pytest.mark.parametrize("container", CONTAINERS)
def test_the_last_state_of_a_hand_is_the_hand(container: str, tmp_path: Path) -> None:
    store = read(CONTAINERS[container], tmp_path)
    hands = rows(store, "hands")
    assert [(hand["hand_no"], hand["verdict"], hand["ended_by"]) for hand in hands] == [
        (4, "unverified", "fold"),
        (5, "unverified", "showdown"),
        (6, "unverified", "fold"),
    ]
    assert {(number, rule) for number, rule, _ in found(store)} == {(k, "no-result") for k in (4, 5, 6)}
    # The owner is in position 1 of hand 4: seat 2 of 2.
    assert results(store) == [
        {"seat1": 300, "seat2": -300},
        {"seat1": -20000, "seat2": 20000},
        {"seat1": -100, "seat2": 100},
    ]
    (left_out,) = rows(store, "unknown_lines")
    assert left_out["reason"] == "the log ends before the hand is paid"


def test_cards_that_the_owner_was_not_shown_are_unknown(tmp_path: Path) -> None:
    store = read(STATES, tmp_path)
    assert [{s["player"]: s["hole"] for s in some} for some in by_hand(store)] == [
        {"seat1": None, "seat2": ["Ah", "Kd"]},
        {"seat1": ["Js", "Jh"], "seat2": ["Qc", "Qd"]},
        {"seat1": None, "seat2": ["5h", "6h"]},
    ]
    (match,) = rows(store, "matches")
    assert match["card_set"] is None and match["duplicate_group"] is None


def test_answers_that_the_dealer_changed_are_the_owners_faults(tmp_path: Path) -> None:
    store = read(STATES, tmp_path)
    faults = [(f["hand_index"], f["line"], f["seat"], f["kind"], f["text"]) for f in rows(store, "faults")]
    assert faults == [(1, 10, 1, "misformatted", "hello"), (2, 13, 1, "illegal", "r120")]
    origins = [(a["hand_index"], a["action"]) for a in rows(store, "actions") if a["origin"] == "substitute"]
    assert origins == [(1, "call")]


def test_a_log_of_answers_has_hands_and_no_chips(tmp_path: Path) -> None:
    text = "".join(line for line in STATES.splitlines(keepends=True) if line.startswith("<-C"))
    store = read(text, tmp_path)
    assert [(n, rule) for n, rule, _ in found(store)] == [
        (4, "last-state"),
        (5, "last-state"),
        (6, "last-state"),
    ]
    assert all(seat["delta"] is None for seat in rows(store, "seats"))
    assert all(hand["ended_by"] is None for hand in rows(store, "hands"))


def test_three_players_show_what_a_showdown_shows(tmp_path: Path) -> None:
    text = """\
MATCHSTATE:2:0:crc:||AhAd
MATCHSTATE:2:0:crcc/:||AhAd/2c7h9d
MATCHSTATE:2:0:crcc/rfc/cc/cc:2h2d||AhAd/2c7h9d/3s/4s
"""
    store = read(text, tmp_path)
    assert rows(store, "matches")[0]["game"] == "acpc/holdem.limit.3p"
    assert [seat["hole"] for seat in rows(store, "seats")] == [["2h", "2d"], None, ["Ah", "Ad"]]


def test_spliced_states_are_two_matches(tmp_path: Path) -> None:
    other = STATES.replace("AhKd", "8c8d")
    store = read(STATES + other, tmp_path)
    assert [match["hands"] for match in rows(store, "matches")] == [3, 3]


OTHER_SEAT = """\
MATCHSTATE:0:4::5c5d|
MATCHSTATE:0:4:r300:5c5d|
MATCHSTATE:0:4:r300c/:5c5d|/2c7h9d
MATCHSTATE:0:4:r300c/r600f:5c5d|/2c7h9d
MATCHSTATE:1:5::|JsJh
MATCHSTATE:1:5:r20000c///:QcQd|JsJh/2c7h9d/3s/4s
MATCHSTATE:0:6::8c9c|
MATCHSTATE:0:6:r200:8c9c|:call
MATCHSTATE:0:6:r200f:8c9c|
"""
DEALERS_LOG = """\
STATE:4:r300c/r600f:5c5d|AhKd/2c7h9d:300|-300:a|b
STATE:5:r20000c///:QcQd|JsJh/2c7h9d/3s/4s:20000|-20000:b|a
STATE:6:r200f:8c9c|5h6h:-100|100:a|b
STATE:7:f:2c3c|4c5c:50|-50:b|a
"""


def of_folder(folder: Path, **logs: str) -> Path:
    (folder / "logs").mkdir()
    for name, text in logs.items():
        (folder / "logs" / name).write_text(text)
    ingest([folder / "logs"], folder / "store")
    return folder / "store"


def test_two_players_logs_of_a_match_are_one_match_with_the_cards_of_both(tmp_path: Path) -> None:
    store = of_folder(tmp_path, one=STATES, other=OTHER_SEAT)
    (match,) = rows(store, "matches")
    assert (match["players"], match["hands"]) == (["seat1", "seat2"], 3)
    assert [{s["player"]: s["hole"] for s in some} for some in by_hand(store)] == [
        {"seat1": ["5c", "5d"], "seat2": ["Ah", "Kd"]},
        {"seat1": ["Js", "Jh"], "seat2": ["Qc", "Qd"]},
        {"seat1": ["8c", "9c"], "seat2": ["5h", "6h"]},
    ]
    paths = {file["file_id"]: Path(file["path"]).name for file in rows(store, "files")}
    faults = [(paths[f["file_id"]], f["line"], f["seat"], f["text"]) for f in rows(store, "faults")]
    assert sorted(faults) == [("one", 10, 1, "hello"), ("one", 13, 1, "r120"), ("other", 8, 0, "call")]
    assert {Path(f["path"]).name: (f["status"], f["hands_stored"]) for f in rows(store, "files")} == {
        "one": ("partial", 3),
        "other": ("sidecar", 0),
    }


def test_the_dealers_log_beside_them_has_the_hands(tmp_path: Path) -> None:
    store = of_folder(tmp_path, dealers=DEALERS_LOG, one=STATES, other=OTHER_SEAT)
    (match,) = rows(store, "matches")
    assert (match["dialect"], match["players"], match["hands"]) == ("acpc", ["a", "b"], 4)
    statuses = {Path(f["path"]).name: f["status"] for f in rows(store, "files")}
    assert statuses == {"dealers": "ok", "one": "sidecar", "other": "sidecar"}


@pytest.mark.parametrize(("old", "new"), [("AhKd", "AhKc"), ("7h9d", "7h9c"), ("r600", "r700")])
def test_logs_that_differ_are_of_two_matches(old: str, new: str, tmp_path: Path) -> None:
    changed = STATES.replace(old, new)
    assert changed != STATES
    store = of_folder(tmp_path, dealers=DEALERS_LOG, one=changed)
    assert len(rows(store, "matches")) == 2


@pytest.mark.parametrize("text", ["BR,Player:0\n", "MATCHSTATE:x\n", "MATCHSTATE:1:2\n"])
def test_a_word_of_such_a_log_makes_no_log(text: str, tmp_path: Path) -> None:
    (tmp_path / "log").write_text(text)
    (account,) = ingest([tmp_path / "log"], tmp_path / "store").files
    assert account.problem.startswith("no known engine writes lines such as")


@pytest.mark.parametrize(
    "names", [*permutations(("lbr", "aivat-csv", "matchstate", "mit-bounty", "acpc"), 2)]
)
def test_a_log_may_stand_above_one_of_another_engine(
    names: tuple[str, str], sample_logs: Path, tmp_path: Path
) -> None:
    mit = (sample_logs / "bounty/2025-01-30.txt").read_text()[:5000]
    logs = {
        "lbr": (LBR, 3),
        "aivat-csv": (AIVAT, 3),
        "matchstate": (CONTAINERS["bare"], 3),
        "mit-bounty": (mit[: mit.rindex("Round #")], mit.count("Round #") - 1),
        "acpc": ((sample_logs / "acpc/Heron.Otter.0.log").read_text(), 40),
    }
    store = read("".join(logs[name][0] for name in names), tmp_path)
    matches = {match["dialect"]: match["hands"] for match in rows(store, "matches")}
    assert matches == {name: logs[name][1] for name in names}


def of_seat(errors: str, seat: int) -> tuple[str, int]:
    """What a seat received and sent by a dealer's error log, and how many of its answers the dealer changed."""
    lines, changed, last = [], 0, 0
    for line in errors.splitlines():
        way, _, rest = line.partition(" ")
        if way in ("TO", "FROM"):
            last = int(rest.split()[0])
            if last == seat + 1:
                lines.append(("S-> " if way == "TO" else "<-C ") + rest[rest.index("MATCHSTATE") :] + "\n")
        changed += way == "WARNING:" and last == seat + 1
    return "".join(lines), changed


SIMULATED = (
    "holdem.limit.2p.reverse_blinds",
    "holdem.nolimit.2p.reverse_blinds",
    "holdem.limit.3p",
    "holdem.nolimit.3p",
    "holdem.nolimit.6p",
    "kuhn.limit.3p",
    "leduc.limit.2p",
)


@pytest.mark.parametrize("name", SIMULATED)
def test_what_a_seat_saw_pays_what_the_dealer_paid(name: str, tmp_path: Path) -> None:
    game = named(name, shipped())
    assert game is not None
    styles = ["random", "faulty", "calling-station", "random", "faulty", "random"]
    players = tuple(
        Bot(f"P{k}", STYLES[style](Random(f"{name}/{k}"))) for k, style in enumerate(styles[: game.players])
    )
    played = play_by(game, Order(game_of(game), acpc.GRAMMAR, players, 25, 5, DEALER, ""))
    assert len(played.hands) > 5
    for seat in range(game.players):
        text, changed = of_seat(played.errors, seat)
        folder = tmp_path / str(seat)
        folder.mkdir()
        store = read(text, folder)
        assert rows(store, "matches")[0]["game"] == f"acpc/{name}"
        assert [hand["verdict"] for hand in rows(store, "hands")] == ["unverified"] * len(played.hands)
        for seen, truth in zip(by_hand(store), played.hands, strict=True):
            assert [s["delta"] for s in seen] == pytest.approx([float(chips) for chips in truth.payouts])
            dealt = [[CARD_TEXT[card] for card in hole] for hole in truth.holes]
            assert all(s["hole"] == dealt[k] for k, s in enumerate(seen) if k == seat or s["shown"])
            assert all(s["hole"] is None for k, s in enumerate(seen) if k != seat and not s["shown"])
        whole = [f for f in rows(store, "faults") if f["hand_index"] is not None]
        assert len(whole) == changed
