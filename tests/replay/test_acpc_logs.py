"""The shapes that ACPC logs come in: resumed, appended, headerless, cut short, of other tables, with odd names."""

from dataclasses import replace
from io import BytesIO
from random import Random
from typing import Any

import pytest
from support.acpc import Checked, check

from railbird.parsers import acpc, acpc_sidecars
from railbird.parsers.acpc_game import Definition, parse_definition, write_definition
from railbird.parsers.acpc_sidecars import ERRORS, GAME, TRANSACTIONS, read_complaints, sidecar_kind
from railbird.parsers.dialects import cut_for, likely
from railbird.parsers.sidecar_names import stem
from railbird.replay.acpc import cards, choosing
from railbird.replay.acpc.dealer import AcpcPlayed, play_by
from railbird.replay.acpc.definitions import DEALER, game_of, named, positions_of, shipped
from railbird.replay.bots import STYLES
from railbird.replay.outcome import NOT_PAID
from railbird.replay.simulate import Order, Player
from railbird.schema.words import FLAGS

HEADER = 4


def game(name: str) -> Definition:
    found = named(name, shipped())
    assert found is not None
    return found


NOLIMIT = game("holdem.nolimit.2p.reverse_blinds")
LIMIT = game("holdem.limit.2p.reverse_blinds")
SIX = game("holdem.nolimit.6p")


def play(
    rules: Definition,
    hands: int,
    seed: int = 7,
    names: str = "ABCDEF",
    style: str = "random",
    fixed: bool = False,
) -> AcpcPlayed:
    players = tuple(Player(name, STYLES[style](Random(f"{seed}/{name}"))) for name in names[: rules.players])
    return play_by(rules, Order(game_of(rules), acpc.GRAMMAR, players, hands, seed, DEALER, ""), fixed)


def lines_of(played: AcpcPlayed) -> list[bytes]:
    return played.text.encode().splitlines(keepends=True)


def shape(checked: Checked) -> list[tuple[int, bool]]:
    return [(outcome.hands, outcome.complete) for outcome in checked.outcomes]


def test_a_resumed_match_is_one() -> None:
    lines = lines_of(play(NOLIMIT, 30))
    checked = check(b"".join([*lines[:15], *lines[:HEADER], *lines[15:]]))
    assert checked.is_clean
    assert shape(checked) == [(30, True)]


def test_an_appended_match_is_another() -> None:
    one, other = lines_of(play(NOLIMIT, 12)), lines_of(play(NOLIMIT, 9, seed=8))
    checked = check(b"".join([*one, *other]))
    assert checked.is_clean
    assert shape(checked) == [(12, True), (9, True)]
    assert [outcome.columns["seed"] for outcome in checked.outcomes] == [7, 8]


@pytest.mark.parametrize("lines_less", [0, 1])
def test_a_log_without_a_last_line_end_is_told_from_the_one_that_is_joined_to_it(lines_less: int) -> None:
    one, other = lines_of(play(NOLIMIT, 12)), lines_of(play(NOLIMIT, 9, seed=8))
    one = one[: len(one) - lines_less]
    checked = check(b"".join(one).rstrip(b"\n") + b"".join(other))
    assert checked.is_clean
    assert shape(checked) == [(12, not lines_less), (9, True)]
    assert [outcome.columns["seed"] for outcome in checked.outcomes] == [7, 8]


def test_a_log_that_is_cut_anywhere_costs_the_one_that_is_joined_to_it_nothing() -> None:
    one, other = play(NOLIMIT, 12).text.encode(), play(NOLIMIT, 9, seed=8).text.encode()
    rng = Random(3)
    for _ in range(40):
        part = one[: rng.randrange(one.index(b"STATE:3:"), len(one))]
        checked, alone = check(part + other), check(part)
        assert checked.is_clean == alone.is_clean
        assert shape(checked) == [*shape(alone), (9, True)]
        assert checked.outcomes[0].rejected == alone.outcomes[0].rejected


def test_a_match_resumed_within_a_line_is_one() -> None:
    lines = lines_of(play(NOLIMIT, 30))
    checked = check(b"".join([*lines[:15], lines[15][:9], *lines[:HEADER], *lines[15:]]))
    assert shape(checked) == [(30, True)]


def test_a_match_run_again_after_a_crash_is_another() -> None:
    lines = lines_of(play(NOLIMIT, 12))
    checked = check(b"".join([*lines[:9], *lines]))
    assert checked.is_clean
    assert shape(checked) == [(5, False), (12, True)]


def test_hand_numbers_that_start_over_open_a_match_without_a_header() -> None:
    lines = lines_of(play(NOLIMIT, 6))[HEADER:-1]
    checked = check(b"".join([*lines, *lines]))
    assert checked.is_clean
    assert shape(checked) == [(6, False), (6, False)]


def test_without_a_header_the_game_and_a_small_seed_are_found() -> None:
    for rules in (SIX, NOLIMIT, LIMIT, game("kuhn.limit.3p"), game("leduc.limit.2p")):
        lines = lines_of(play(rules, 60, seed=113))
        checked = check(b"".join(lines[HEADER + 20 : -1]))
        assert checked.is_clean
        (outcome,) = checked.outcomes
        assert outcome.columns["game"] == f"acpc/{rules.name}"
        assert outcome.columns["seed"] == 113
        assert checked.rows("hands")[0]["hand_no"] == 20


def test_time_lines_without_the_line_of_names_are_no_unknown_lines() -> None:
    checked = check(b"".join(lines_of(play(SIX, 5))[1:]))
    assert checked.is_clean
    assert shape(checked) == [(5, True)]


@pytest.mark.parametrize("cut", range(1, 40, 3))
def test_a_log_cut_short_leaves_out_its_last_hand_at_most(cut: int) -> None:
    text = b"".join(lines_of(play(NOLIMIT, 8, names=["Anna", "Bert"]))[:-1])  # type: ignore[arg-type]
    checked = check(text[:-cut])
    whole = cut == 1
    assert checked.hands == 8 - (not whole)
    assert checked.rejected == ([] if whole else [NOT_PAID])
    assert set(checked.verdicts) == {"ok"}


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_score_that_lacks_its_end_says_nothing_of_the_hands(cut: int) -> None:
    text = play(NOLIMIT, 8, names=["Anna", "Bert"]).text.rstrip("\n").encode()  # type: ignore[arg-type]
    assert text.endswith((b":Anna|Bert", b":Bert|Anna"))
    checked = check(text[:-cut])
    assert (checked.hands, set(checked.verdicts)) == (8, {"ok"})
    assert len(checked.unknown + checked.stray) == 1
    assert not checked.rules


def test_lines_end_as_windows_has_it() -> None:
    assert check(play(SIX, 5).text.encode().replace(b"\n", b"\r\n")).is_clean


def test_seats_that_do_not_rotate_are_told_from_those_that_do() -> None:
    fixed, turning = check(play(SIX, 7, fixed=True).text.encode()), check(play(SIX, 7).text.encode())
    for checked, dealers in ((fixed, {5}), (turning, set(range(6)))):
        assert checked.is_clean
        assert {hand["dealer_seat"] for hand in checked.rows("hands")} == dealers
    groups = [checked.outcomes[0].columns["duplicate_group"] for checked in (fixed, turning)]
    assert groups[0] != groups[1]


def test_two_seats_may_have_one_name() -> None:
    checked = check(play(NOLIMIT, 9, names="AA").text.encode())
    assert checked.is_clean
    assert {hand["dealer_seat"] for hand in checked.rows("hands")} == {0, 1}


def test_tables_put_together_by_time_are_told_apart_by_their_players() -> None:
    def stamped(played: AcpcPlayed, offset: int) -> list[bytes]:
        found = [line for line in lines_of(played) if line.startswith(b"STATE:")]
        return [line.rstrip() + b" # 14797%05d.3\n" % (offset + 10 * k) for k, line in enumerate(found)]

    one = stamped(play(NOLIMIT, 5, names=["x.1", "D"]), 0)  # type: ignore[arg-type]
    other = stamped(play(NOLIMIT, 5, seed=9, names=["x.2", "D"]), 5)  # type: ignore[arg-type]
    checked = check(b"".join([*one[:3], *other[:2], *one[3:], *other[2:]]))
    assert checked.is_clean
    assert shape(checked) == [(3, False), (2, False), (2, False), (3, False)]
    assert {row["player"] for row in checked.rows("seats")} == {"x.1", "x.2", "D"}


def test_a_score_is_the_sum_of_the_hands_that_the_header_names() -> None:
    lines = lines_of(play(NOLIMIT, 9))
    value = lines[-1].split(b":")[1].split(b"|")[0]
    changed = lines[-1].replace(value, b"%d" % (int(value) + 1), 1)
    assert check(b"".join([*lines[:-1], changed])).rules == {"score": 1}
    assert check(b"".join([*lines[:-2], lines[-1]])).rules["hands"] == 1
    assert check(b"".join([*lines[:-1], lines[-1].replace(b"A|B", b"B|A")])).rules == {"names": 1}
    assert check(b"".join([*lines, lines[-1]])).stray == [len(lines) + 1]


@pytest.mark.parametrize("number", [10**6, 10**9, 10**14, 10**17])
def test_a_hand_number_beyond_all_reason_is_damage_at_most(number: int) -> None:
    lines = lines_of(play(NOLIMIT, 9))
    lines[8] = lines[8].replace(b"STATE:4:", b"STATE:%d:" % number)
    checked = check(b"".join(lines))
    assert checked.hands + len(checked.rejected) + len(checked.unknown) == 9
    assert not checked.is_clean


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        (b":f:", b":c:", "betting"),
        (b":f:", b"::", "betting"),
        (b":f:", b":ff:", "betting"),
        (b":f:", b":f/:", "betting"),
        (b":f:", b":x:", "betting"),
        (b":f:", b":rf:", "betting"),
        (b":f:", b":r150f:", "too-small"),
        (b":f:", b":r20001f:", "too-large"),
        (b":50|-50:", b":50.5|-50:", "award"),
        (b":50|-50:", b":51|-50:", "award"),
        (b"|3d7s:", b"|3d7s/2c2d2h:", "board-size"),
        (b"|3d7s:", b"|3d:", "deal"),
        (b"|3d7s:", b"|3d3d:", "deck"),
        (b"|3d7s:", b"|3d8s:", "seed"),
        (b":Bala|Crash", b":Crash|Bala", "names"),
    ],
)
def test_what_a_line_may_say_wrongly(old: bytes, new: bytes, rule: str) -> None:
    line = b"STATE:3:f:As6s|3d7s:50|-50:Bala|Crash\n"
    before = [
        b"# name/game/hands/seed crash_2p holdem.nolimit.2p.reverse_blinds.game 500 24\n",
        b"STATE:1:r345f:9c8s|As7d:-100|100:Bala|Crash\n",
        b"STATE:2:r200c/cc/cr355f:Qd5d|QsAd/9cKc3h/Ah:-200|200:Bala|Crash\n",
    ]
    assert check(b"".join([*before, line])).is_clean
    assert line.count(old) == 1
    assert rule in check(b"".join([*before, line.replace(old, new)])).rules


def test_a_free_fold_and_one_raise_too_many_are_found() -> None:
    line = b"STATE:0:cc/crc/crf:6s4d|3c3d/AdTsTd/4c:-20|20:A|B\n"
    head = b"# name/game/hands/seed m holdem.limit.2p.reverse_blinds.game 500 103\n"
    assert check(head + line).is_clean
    free = check(head + line.replace(b"cc/crc/crf", b"cc/f"))
    assert {"free-fold", "board-size"} <= set(free.rules)
    assert "raise" in check(head + line.replace(b"cc/crc/crf", b"rrrrc/crc/crf")).rules


@pytest.mark.parametrize("number", [70_000, 4_000_000_000, 10**15])
@pytest.mark.parametrize("has_header", [True, False])
def test_no_seed_is_followed_to_hands_of_large_numbers(
    number: int, has_header: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time would be that of all hands before."""
    lines = lines_of(play(NOLIMIT, 8))
    hands = [
        line.replace(b"STATE:%d:" % k, b"STATE:%d:" % (number + k)) for k, line in enumerate(lines[HEADER:])
    ]
    hands = hands[:-1] if has_header else hands[:6]

    def followed(name: str) -> Any:
        deal = getattr(choosing, name)

        def dealt(*given: Any) -> Any:
            assert given[2 if name == "hands_dealt" else 1] < 1 << 16
            return deal(*given)

        return dealt

    for module, name in ((choosing, "hands_dealt"), (choosing, "find_seed"), (cards, "hands_dealt")):
        monkeypatch.setattr(module, name, followed(name))
    checked = check(b"".join([*(lines[:HEADER] if has_header else ()), *hands]))
    assert sum(outcome.hands for outcome in checked.outcomes) == len(hands)


def test_a_wrong_seed_in_the_header_is_one_finding() -> None:
    text = play(NOLIMIT, 9).text.encode().replace(b" 9 7\n", b" 9 8\n", 1)
    checked = check(text)
    assert checked.rules == {"seed-wrong": 1}
    assert checked.verdicts == {"violation": 1, "ok": 8}


@pytest.mark.parametrize("number", [b"9223372036854775808", b"99999999999999999999", b"9" * 5000])
def test_a_number_of_the_header_that_no_column_holds_is_not_known(number: bytes) -> None:
    text = play(NOLIMIT, 9).text.encode()
    without_seed = check(text.replace(b" 9 7\n", b" 9 " + number + b"\n", 1))
    without_hands = check(text.replace(b" 9 7\n", b" " + number + b" 7\n", 1))
    assert without_seed.is_clean
    assert without_hands.is_clean
    assert without_seed.hands == without_hands.hands == 9


def test_the_largest_numbers_that_a_column_holds_are_those_of_a_header() -> None:
    text = play(NOLIMIT, 9).text.encode()
    most = b"%d" % (2**63 - 1)
    checked = check(text.replace(b" 9 7\n", b" " + most + b" " + most + b"\n", 1))
    assert checked.rules == {"seed-wrong": 1, "hands": 1}
    assert checked.hands == 9


def test_a_game_without_a_definition_is_unverified_until_there_is_one() -> None:
    mine = parse_definition(write_definition(SIX).replace("50 100", "50 150"), "mine.6p")
    text = play(mine, 9).text.encode()
    checked = check(text)
    assert checked.verdicts == {"unverified": 9}
    (message,) = {finding["message"] for finding in checked.rows("findings")}
    assert message == "no definition of mine.6p is at hand"
    assert checked.rows("actions") == []
    assert checked.outcomes[0].columns["game"] == "acpc/mine.6p"
    assert check(text, [mine]).is_clean
    # The definition nearest to the log goes before a shipped one of the same name.
    assert check(text.replace(b"mine.6p.game", b"holdem.nolimit.6p.game")).verdicts["violation"] > 0
    nearer = parse_definition(write_definition(mine), "holdem.nolimit.6p")
    assert check(text.replace(b"mine.6p.game", b"holdem.nolimit.6p.game"), [nearer]).is_clean
    # And what the user names goes before the header.
    assert check(text, [mine], game="acpc/mine.6p").is_clean
    other = check(text, game="acpc/holdem.limit.3p")
    assert other.verdicts == {"unverified": 9}


def test_hands_of_no_game_at_hand_are_unverified_without_a_header() -> None:
    mine = parse_definition(write_definition(SIX).replace("50 100", "50 150"), "mine.6p")
    checked = check(b"".join(lines_of(play(mine, 30))[HEADER:]))
    assert checked.verdicts == {"unverified": 30}


def test_a_line_that_is_no_hand_is_left_out_and_the_gap_is_damage() -> None:
    lines = lines_of(play(NOLIMIT, 9))
    lines[7] = b"STATE:3:r200c/oops\n"
    checked = check(b"".join(lines))
    assert checked.hands == 8
    assert checked.rejected == ["its line cannot be read as a hand"]
    assert checked.rules == {"sequence": 1}
    assert checked.verdicts == {"ok": 7, "damaged": 1}


def test_merge_markers_and_unknown_lines_are_listed() -> None:
    lines = lines_of(play(NOLIMIT, 9))
    lines[8:8] = [b"<<<<<<< HEAD\n", b"nonsense\n"]
    checked = check(b"".join(lines))
    assert checked.unknown == [10]
    assert checked.rules == {"marker": 1}
    assert checked.verdicts["damaged"] == 1


def test_halves_of_a_duplicate_match_share_their_group_also_when_one_crashed() -> None:
    one, other = play(NOLIMIT, 40, names="AB"), play(NOLIMIT, 40, names="BA")
    short = b"".join(lines_of(other)[: HEADER + 5])
    columns = [check(text).outcomes[0].columns for text in (one.text.encode(), other.text.encode(), short)]
    assert len({c["duplicate_group"] for c in columns}) == 1
    assert [c["seating"] for c in columns] == [0, 1, 1]
    strangers = check(play(NOLIMIT, 40, names="AC").text.encode()).outcomes[0].columns
    assert strangers["card_set"] == columns[0]["card_set"]
    assert strangers["duplicate_group"] != columns[0]["duplicate_group"]
    elsewhere = check(play(NOLIMIT, 40, seed=8, names="AB").text.encode()).outcomes[0].columns
    assert elsewhere["card_set"] != columns[0]["card_set"]


def test_an_error_log_is_a_sidecar_and_tells_what_the_log_hides() -> None:
    played = play(NOLIMIT, 40, style="faulty")
    errors = played.errors.encode()
    assert sidecar_kind(errors) == ERRORS
    assert sidecar_kind(played.text.encode()) is None
    assert sidecar_kind(write_definition(SIX).encode()) == GAME
    assert sidecar_kind(b"r224 0 1795226627.052500 1795226627.052678\n") == TRANSACTIONS
    complaints = list(read_complaints(BytesIO(errors), 5))
    checked = check(played.text.encode(), (), errors.splitlines(keepends=True))
    assert checked.is_clean
    assert len(complaints) == len(checked.rows("faults")) > 5
    replaced = sum(complaint.replaced for complaint in complaints)
    assert [a["origin"] for a in checked.rows("actions")].count("substitute") == replaced
    # Of another match's error log nothing is taken.
    strange = errors.replace(b" 40 7\n", b" 40 9\n")
    assert check(played.text.encode(), (), strange.splitlines(keepends=True)).rows("faults") == []


def test_complaints_find_their_hands_in_whatever_order_a_log_has_them() -> None:
    played = play(NOLIMIT, 40, style="faulty")
    errors = played.errors.encode().splitlines(keepends=True)
    lines = lines_of(played)
    # A hand of a smaller number than the first would begin a match.
    turned = lines[HEADER + 1 : HEADER + 40][::-1]
    checked = check(b"".join([*lines[: HEADER + 1], *turned]), (), errors)
    assert shape(checked) == [(40, False)]
    told = {
        (fault["hand_no"], fault["line"]) for fault in numbered_faults(check(b"".join(lines), (), errors))
    }
    assert {(fault["hand_no"], fault["line"]) for fault in numbered_faults(checked)} == told
    assert len(told) > 5


def numbered_faults(checked: Checked) -> list[dict[str, Any]]:
    """The faults, each with the number of its hand; None where the log has no such hand."""
    numbers = {row["hand_index"]: row["hand_no"] for row in checked.rows("hands")}
    return [fault | {"hand_no": numbers.get(fault["hand_index"])} for fault in checked.rows("faults")]


@pytest.mark.parametrize("name", ["m.log", "m.err", "m.tlog", "m.actions.log"])
def test_files_of_a_match_have_one_stem(name: str) -> None:
    assert stem(name) == "m"


def test_the_dialect_is_told_by_content() -> None:
    text = play(SIX, 3).text.encode()
    found = cut_for(text)
    assert found is not None
    ((match,),) = found[1:]
    assert [dialect.name for dialect in likely(text, match.start, match.end)] == ["acpc"]


@pytest.mark.parametrize(
    ("rules", "players", "names"),
    [
        (NOLIMIT, 2, "BB SB"),
        (game("holdem.limit.3p"), 3, "SB BB BTN"),
        (replace(SIX, players=4), 4, "SB BB CO BTN"),
        (replace(SIX, players=5), 5, "SB BB UTG CO BTN"),
        (SIX, 6, "SB BB UTG HJ CO BTN"),
        (game("kuhn.limit.3p"), 3, "0 1 2"),
        (None, 4, "0 1 2 3"),
    ],
)
def test_positions(rules: Definition | None, players: int, names: str) -> None:
    assert positions_of(rules, players) == tuple(names.split())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a definition ends with END GAMEDEF"),
        ("limit", "a definition begins with GAMEDEF"),
        ("GAMEDEF\nnumPlayers = 11\nEND GAMEDEF", "numplayers is one number from 2 to 10"),
        ("GAMEDEF\nfoo = 1\nEND GAMEDEF", "not a line of a definition: 'foo = 1'"),
        ("GAMEDEF\nblind = x\nEND GAMEDEF", "not a line of numbers: 'blind = x'"),
        (
            write_definition(SIX).replace("numSuits = 4", "numSuits = 1"),
            "17 cards are dealt from a deck of 13",
        ),
        (write_definition(LIMIT).replace("raiseSize", "#"), "raisesize is 4 numbers"),
        (write_definition(LIMIT).replace("10 10 20 20", "10"), "raisesize is 4 numbers"),
    ],
)
def test_what_is_no_definition_says_why(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_definition(text, "x")


def test_an_error_log_says_the_same_in_blocks_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    errors = play(NOLIMIT, 40, style="faulty").errors.encode()
    whole = list(read_complaints(BytesIO(errors), 5))
    assert whole
    for size in (1, 100, 1000):
        monkeypatch.setattr(acpc_sidecars, "_BLOCK", size)
        assert list(read_complaints(BytesIO(errors), 5)) == whole


def test_betting_of_thousands_of_actions_is_damage_and_no_more() -> None:
    lines = play(LIMIT, 3).text.splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("STATE:1:"))
    fields = lines[at].split(":")
    lines[at] = ":".join([*fields[:2], "r" * 9000, *fields[3:]])
    checked = check("\n".join([*lines, ""]).encode())
    assert checked.hands == 3
    assert checked.verdicts["damaged"] == 1
    assert len(checked.actions()) < 5000


@pytest.mark.parametrize(
    ("was", "now"), [("0 3 1 1", "0 2 1 1"), ("blind = 50 100 0 0 0 0", "blind = 10 10 10 10 10 10")]
)
def test_flags_of_a_game_that_is_not_holdem_say_how_the_hand_ended_alone(was: str, now: str) -> None:
    text = write_definition(SIX)
    assert was in text
    mine = parse_definition(text.replace(was, now), "mine")
    rows = check(play(mine, 20).text.encode(), [mine]).rows("seats")
    ended = {"went_to_showdown", "tied_showdown", "won_hand"}
    found = {flag for flag in FLAGS if any(row.get(flag) for row in rows)}
    assert "won_hand" in found
    assert found <= ended


def test_posts_are_rows_whether_stacks_differ_by_position_or_not() -> None:
    uneven = parse_definition(
        write_definition(SIX).replace(" ".join(map(str, SIX.stacks)), "700 2000 1333 4001 999 10000"),
        "uneven",
    )
    for game in (SIX, uneven):
        checked = check(play(game, 12).text.encode(), [game])
        assert checked.is_clean
        assert [a["action"] for a in checked.rows("actions")].count("post") == 2 * 12
        assert [a["action"] for a in checked.actions()].count("post") == 2 * 12


def test_a_definition_may_allow_more_raises_than_a_hand_has() -> None:
    text = write_definition(LIMIT).replace("maxRaises = 3 4 4 4", "maxRaises = 3 4 100000 4")
    assert "100000" in text
    freely = parse_definition(text, "freely")
    checked = check(play(freely, 12).text.encode(), [freely])
    assert checked.is_clean
    most = [a["max_raise_to"] for a in checked.actions() if a["street"] == 2]
    assert most and all(most)


def test_a_definition_has_integers_of_32_bits() -> None:
    text = write_definition(NOLIMIT).replace("20000", "2147483648", 1)
    with pytest.raises(ValueError, match="stack is 2 numbers up to 2147483647"):
        parse_definition(text, "deep")
