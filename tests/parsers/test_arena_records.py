"""Records of language models' arenas become lines of a table; what is damaged in one costs that hand alone."""

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from support.openspiel import session
from support.records import hands, tables, translate, unread

from railbird.ingest import ingest
from railbird.parsers import husky_bench, live_poker_bench, llm_arena, pypokerengine

Document = dict[str, Any]


def poker(betting: str, hole: str, board: str = "", player: int = -4, **more: Any) -> str:
    """The hand of a state of OpenSpiel, as a string of JSON."""
    state = {
        "acpc_state": f"STATE:0:{betting}:{hole}{board}\nSpent: [P0: 2  P1: 2  ]\n",
        "betting_history": betting,
        "blinds": [2, 1],
        "current_player": player,
        "starting_stacks": [200, 200],
    }
    return json.dumps(state | more)


def state(number: int, dealer: int, now: str, before: str = "", returns: Any = ()) -> str:
    return json.dumps(
        {
            "hand_number": number,
            "dealer": dealer,
            "hand_returns": [*returns, [0, 0]],
            "current_universal_poker_json": now,
            "prev_universal_poker_json": before,
        }
    )


def answer(applied: int | None, thoughts: str = "", seconds: float = 1.5, submitted: int = 1) -> Document:
    return {
        "action": {"submission": submitted, "thoughts": thoughts, "status": "OK"},
        "info": {"actionSubmitted": submitted, "actionApplied": applied, "timeTaken": seconds},
    }


IDLE: Document = {"action": {"submission": -1}, "info": {}}
FIRST = poker("r6f", "3h8h|Tc2d")
SECOND = poker("cc/cc/cc/cc", "2s4c|3sAc", "/AdTc6s/8s/9h", blinds=[1, 2])


def replay(**more: Any) -> Document:
    """A session of two hands."""
    start = poker("", "2c2c|2c2c", player=-1)
    document = {
        "rewards": [2, -2],
        "statuses": ["DONE", "DONE"],
        "steps": [[IDLE, answer(6, "a raise")], [answer(0, "a fold", 2.5), IDLE]],
        "info": {
            "TeamNames": ["one", "the | other\nhand 9 9"],
            "stateHistory": [
                state(0, 1, start),
                state(0, 1, poker("r6", "3h8h|Tc2d", player=0)),
                state(1, 0, start, FIRST, [[-2, 2]]),
                state(1, 0, SECOND, FIRST, [[-2, 2], [4, -4]]),
            ],
        },
    }
    return document | more


def test_a_hand_ends_in_the_first_state_of_the_next_one() -> None:
    out = translate("kaggle", [replay()])
    (lines,) = tables(out)
    assert out.tables[0].names == ("one", "the | other\nhand 9 9")
    assert lines[: lines.index("end") + 1] == [
        "hand 0 1",
        "limit 0 2 0",
        "seat 0 200",
        "seat 1 200",
        "small 1 1",
        "big 0 2",
        "deal 0 3h 8h",
        "deal 1 Tc 2d",
        "raise 1 6",
        "fold 0",
        "net 0 -2",
        "net 1 2",
        "end",
    ]
    assert lines[-3:] == ["end", "final 0 2", "final 1 -2"]
    assert [(note.seat, note.seconds, note.text) for note in out.tables[0].notes] == [
        (1, 1.5, "a raise"),
        (0, 2.5, "a fold"),
    ]


def test_thoughts_stop_where_seats_do_not_agree() -> None:
    out = translate("kaggle", [replay(steps=[[answer(6, "somebody else's"), IDLE]])])
    assert out.tables[0].notes == []


def test_a_session_that_a_fault_ends_has_a_hand_without_a_result() -> None:
    document = replay(rewards=[-1, 1])
    document["info"]["stateHistory"].pop()
    document["info"]["stateHistory"].append(state(1, 0, poker("c", "2s4c|3sAc", player=1), FIRST, [[-2, 2]]))
    for submitted, statuses, fault in (
        (-1, ["DONE", "DONE"], "misformatted 1"),
        (-2, ["ERROR", "ERROR"], "gone 1"),
        (-2, ["TIMEOUT", "TIMEOUT"], "late 1"),
        (7, ["DONE", "DONE"], "illegal 1 7"),
    ):
        steps = [*replay()["steps"], [answer(1), IDLE], [IDLE, answer(None, submitted=submitted)]]
        (lines,) = tables(translate("kaggle", [document | {"steps": steps, "statuses": statuses}]))
        last = lines[lines.index("hand 1 0") :]
        assert "reason the session ended by a fault" in last
        assert last[last.index("call 0") :] == ["call 0", fault, "end", "final 0 -1", "final 1 1"]


def test_the_end_of_a_session_under_another_number_is_no_hand() -> None:
    document = replay()
    history = document["info"]["stateHistory"]
    history.append(state(2, 1, SECOND, SECOND, [[-2, 2], [4, -4]]))
    (lines,) = tables(translate("kaggle", [document]))
    assert hands(lines) == ["hand 0 1", "hand 1 0"]
    assert lines[-4:] == ["end", "repeated 2", "final 0 2", "final 1 -2"]


def test_a_last_hand_with_its_last_state_alone_is_a_hand() -> None:
    """The last state has itself as the state before: what it says of the hand before is not that hand's end."""
    document = replay()
    states = document["info"]["stateHistory"]
    states[2:] = [state(1, 0, SECOND, SECOND, [[-2, 2], [4, -4]])]
    (lines,) = tables(translate("kaggle", [document]))
    assert hands(lines) == ["hand 1 0"]
    (said,) = unread(lines)
    assert said.startswith('hand unread: the last state of the hand cannot be read\t{"hand_number": 0,')
    assert not any(line.startswith("repeated") for line in lines)


def test_the_end_of_a_hand_that_cannot_be_read_is_not_repeated() -> None:
    document = replay()
    cut = SECOND.replace("AdTc6s", "AdTcZs")
    document["info"]["stateHistory"][3:] = [
        state(1, 0, cut, FIRST, [[-2, 2]]),
        state(2, 1, cut, cut, [[-2, 2], [4, -4]]),
    ]
    (lines,) = tables(translate("kaggle", [document]))
    assert hands(lines) == ["hand 0 1"]
    assert not any(line.startswith("repeated") for line in lines)


def both_lost(states: list[Any]) -> None:
    states[2:] = [state(1, 0, "{", "{", [[-2, 2]])]


@pytest.mark.parametrize(
    ("damage", "kept"),
    [
        # The next state of the same hand tells the end of the one before, too.
        (lambda states: states.__setitem__(2, "{"), [0, 1]),
        (lambda states: states.append(7), [0, 1]),
        (both_lost, []),
        (lambda states: states.__setitem__(3, state(1, 0, "[]", FIRST, [[-2, 2]])), [0]),
        (lambda states: states.__setitem__(3, states[3].replace("cc/cc/cc/cc", "cc/cc/cc/c")), [0]),
        (lambda states: states.__setitem__(3, states[3].replace("AdTc6s", "AdTcZs")), [0]),
    ],
)
def test_states_that_cannot_be_read_lose_their_hand_alone(
    damage: Callable[[list[Any]], None], kept: list[int]
) -> None:
    document = replay()
    damage(document["info"]["stateHistory"])
    (lines,) = tables(translate("kaggle", [document]))
    assert [int(line.split()[1]) for line in hands(lines)] == kept
    assert len(unread(lines)) == 2 - len(kept)


def arena_hand(number: int = 0, **more: Any) -> Document:
    """Three at a table; seat 0 has the button."""
    hand = {
        "hand_id": number,
        "button_seat": 0,
        "sb_seat": 1,
        "bb_seat": 2,
        "starting_stacks": {"0": 1000, "1": 1000, "2": 1000},
        "hole_cards": {"0": ["Ad", "Tc"], "1": ["4d", "3d"], "2": ["3s", "2c"]},
        "community": ["2h", "7h", "9c", "Jd", "Qs"],
        "actions": [
            {"seat": 0, "street": "preflop", "action_type": "call", "amount": None, "turn_index": 0},
            {"seat": 1, "street": "preflop", "action_type": "fold", "amount": None, "turn_index": 1},
            {"seat": 2, "street": "preflop", "action_type": "check", "amount": None, "turn_index": 2},
            {"seat": 2, "street": "flop", "action_type": "bet", "amount": 30, "turn_index": 0},
            {"seat": 0, "street": "flop", "action_type": "all_in", "amount": None, "turn_index": 1},
            {"seat": 2, "street": "flop", "action_type": "call", "amount": None, "turn_index": 2},
        ],
        "result": {"showdown": True, "net_pnl": {"0": -1000, "1": -5, "2": 1005}},
    }
    return hand | more


def test_the_blinds_are_what_players_lose_that_fold_them() -> None:
    (lines,) = tables(translate("llm_arena", [arena_hand()]))
    assert lines[:7] == [
        "hand 0 0",
        "limit 0 10 0",
        "seat 1 1000",
        "seat 2 1000",
        "seat 0 1000",
        "small 1 5",
        "big 2 10",
    ]
    assert lines[lines.index("check 2") :] == [
        "check 2",
        "board 2h 7h 9c",
        "raise 2 30",
        "allin 0",
        "call 2",
        "board Jd",
        "board Qs",
        "show 2 3s 2c",
        "show 0 Ad Tc",
        "net 1 -5",
        "net 2 1005",
        "net 0 -1000",
        "end",
    ]


def test_hands_below_do_not_change_the_blinds() -> None:
    """Three hands of 5/10 above forty of another session; where hands do not agree, most tell them."""
    other = arena_hand()["result"] | {"net_pnl": {"0": -1000, "1": -50, "2": 1050}}
    above, below = [arena_hand(k) for k in range(3)], [arena_hand(k, result=other) for k in range(3, 43)]
    (lines,) = tables(translate("llm_arena", above + below))
    assert lines[5:7] == ["small 1 5", "big 2 10"]
    (lines,) = tables(translate("llm_arena", above[:1] + below))
    assert lines[5:7] == ["small 1 50", "big 2 100"]


def test_of_two_the_button_has_the_big_blind_and_the_other_begins() -> None:
    hand = arena_hand(bb_seat=0, starting_stacks={"0": 1000, "1": 4})
    hand["hole_cards"].pop("2")
    hand["actions"] = []
    hand["result"] = {"showdown": False, "net_pnl": {"0": 0, "1": 0}}
    hand["community"] = []
    (lines,) = tables(translate("llm_arena", [hand]))
    assert "first 1" in lines
    assert "small 1 4" in lines
    assert "silent" in lines


@pytest.mark.parametrize(
    "damage",
    [
        {"hole_cards": {"0": ["Ad", "Tc"], "1": ["4d", "3d"]}},
        {"hole_cards": {"0": ["Ad", "Tc\nwin 0 500"], "1": ["4d", "3d"], "2": ["3s", "2c"]}},
        {"community": ["2h", "7h"]},
        {"starting_stacks": {"0": 1000, "1": 1000, "9": 1000}},
        {"button_seat": 5},
        {"actions": [{"seat": 0, "street": "preflop", "action_type": "raise_to", "amount": None}]},
        {"actions": [{"seat": 0, "street": "later", "action_type": "fold"}]},
        {"actions": [{"seat": 4, "street": "preflop", "action_type": "fold"}]},
        {"actions": [{"seat": 0, "street": "preflop", "action_type": "win 0 500"}]},
    ],
)
def test_a_damaged_hand_is_one_line(damage: Mapping[str, Any]) -> None:
    (lines,) = tables(translate("llm_arena", [arena_hand(1), arena_hand(2, **damage), arena_hand(3)]))
    assert hands(lines) == ["hand 1 0", "hand 3 0"]
    assert len(unread(lines)) == 1


def test_sessions_that_were_joined_are_matches_of_their_own() -> None:
    """A session begins where the number of the first hand comes again; a number in between is a hand written twice."""
    out = translate("llm_arena", [arena_hand(number) for number in (3, 4, 5, 4, 3, 4)])
    first, second = tables(out)
    assert hands(first) == ["hand 3 0", "hand 4 0", "hand 5 0"]
    assert unread(first) == ["unread: a hand of this number stands above"]
    assert hands(second) == ["hand 3 0", "hand 4 0"]
    assert not unread(second)


@pytest.mark.parametrize("module", ["llm_arena", "llm_arena_public"])
def test_a_long_session_is_cut_so_that_it_can_be_taken(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llm_arena, "MOST_LINES", 100)
    session = [public_hand(hand_id=k) if module == "llm_arena_public" else arena_hand(k) for k in range(40)]
    found = tables(translate(module, session))
    assert [line for lines in found for line in hands(lines)] == [
        f"hand {k} {0 if module == 'llm_arena' else 1}" for k in range(40)
    ]
    assert len(found) > 4
    assert all(100 <= len(lines) < 140 for lines in found[:-1])


def test_thoughts_come_from_the_snapshots_beside_the_private_file(tmp_path: Path) -> None:
    snapshot = {
        "seat": 2,
        "turn_id": "0-flop-0",
        "wall_time_ms": 2500,
        "iterations": [{"text_content": "a bet\nnet 0 5", "reasoning_artifacts": []}],
        "default_action_fallback": True,
    }
    beside = tmp_path / "x.agent_view_snapshots.jsonl"
    beside.write_text(json.dumps(snapshot) + "\n{broken\n" + json.dumps(snapshot | {"seat": 1}) + "\n")
    out = translate("llm_arena", [arena_hand()], str(tmp_path / "x.canonical_private.jsonl"))
    # The last snapshot of a turn is of another seat.
    assert out.tables[0].notes == []
    beside.write_text("{broken\n" + json.dumps(snapshot) + "\n")
    out = translate("llm_arena", [arena_hand()], str(tmp_path / "x.canonical_private.jsonl"))
    (note,) = out.tables[0].notes
    assert (note.seat, note.seconds, note.status, note.text) == (2, 2.5, "default action", "a bet\nnet 0 5")
    assert out.tables[0].lines[note.line - 1] == "raise 2 30"


def public_hand(**more: Any) -> Document:
    events = [
        {"type": "hand_started", "button_seat": 1, "blinds": {"sb": 50, "bb": 100}},
        {"type": "hole_dealt"},
        {"type": "action", "seat": 1, "street": "preflop", "action": {"type": "raise_to", "amount": 300}},
        {"type": "action", "seat": 2, "street": "preflop", "action": {"type": "fold"}},
        {"type": "action", "seat": 0, "street": "preflop", "action": {"type": "all_in"}},
        {"type": "action", "seat": 1, "street": "preflop", "action": {"type": "call"}},
        {"type": "flop", "community": ["2h", "7h", "9c"]},
        {"type": "turn", "card": "Jd"},
        {"type": "river", "card": "Qs"},
        {"type": "showdown", "revealed": {"0": ["Ad", "Tc"], "1": ["4d", "3d"]}},
        {"type": "hand_ended", "winnings": {"0": 10050, "1": -10000, "2": -50}},
    ]
    return {"hand_id": 0, "street_events": events} | more


def test_a_spectator_sees_no_hole_cards() -> None:
    (lines,) = tables(translate("llm_arena_public", [public_hand()]))
    assert [line for line in lines if line.startswith(("hidden", "deal"))] == [
        f"hidden {seat} 2" for seat in (2, 0, 1)
    ]
    assert lines[1].startswith("reason ")
    assert lines[lines.index("small 2 50") :][:2] == ["small 2 50", "big 0 100"]
    assert "show 0 Ad Tc" in lines


def test_events_without_a_type_are_one_line(tmp_path: Path) -> None:
    damaged: list[list[Any]] = [[], [7], [{"type": "action"}], [{"type": []}]]
    hands = [public_hand(), *(public_hand(street_events=events, hand_id=9) for events in damaged)]
    log = tmp_path / "public_replay.jsonl"
    log.write_text("\n".join(map(json.dumps, hands)))
    (file,) = ingest([log], tmp_path / "store").files
    assert (file.hands_stored, file.hands_rejected, file.lines_unknown) == (1, len(damaged), 0)


CARD = {"rank": 12, "suit": "spades"}


def library_hand(**more: Any) -> Document:
    def card(rank: int, suit: str = "clubs") -> Document:
        return {"rank": rank, "suit": suit}

    before = {
        "btn_loc": 1,
        "big_blind": 5,
        "small_blind": 2,
        "player_chips": {"0": 3, "1": 500, "2": 0},
        "player_cards": {"0": [card(0), card(12)], "1": [card(8), card(9)]},
    }
    return {
        "prehand": before,
        "preflop": {
            "new_cards": [],
            "actions": [
                {"player_id": 1, "action_type": "RAISE", "total": 10, "value": 5},
                {"player_id": 0, "action_type": "ALL_IN", "total": None, "value": None},
            ],
        },
        "settle": {
            "new_cards": [card(k, "hearts") for k in range(5)],
            "pot_winners": {"0": {"amount": 6, "best_rank": 1, "winners": [1]}},
            "final_chips": {"0": 0, "1": 503, "2": 0},
        },
    } | more


def test_a_short_big_blind_does_not_lower_the_price_and_the_board_comes_with_the_end() -> None:
    (lines,) = tables(translate("texasholdem", [library_hand()]))
    assert lines == [
        "hand 1 1",
        "limit 0 5 0",
        "seat 0 3",
        "seat 1 500",
        "small 1 2",
        "big 0 3",
        "price 5",
        "deal 0 2c Ac",
        "deal 1 Tc Jc",
        "raise 1 10",
        "allin 0",
        "board 2h 3h 4h",
        "board 5h",
        "board 6h",
        "left 0 0",
        "left 1 503",
        "end",
    ]


def test_a_damaged_document_of_a_hand_is_one_line() -> None:
    for path, value in (
        (("prehand", "btn_loc"), 7),
        (("preflop", "actions", 0, "action_type"), "RAISE\nwin 0 9"),
        (("preflop", "actions", 0, "player_id"), 7),
        (("settle", "new_cards"), [CARD] * 6),
        (("settle", "final_chips"), {}),
        (("prehand", "player_cards", "0"), [{"rank": 13, "suit": "clubs"}]),
    ):
        hand = deepcopy(library_hand())
        place: Any = hand
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        (lines,) = tables(translate("texasholdem", [hand]))
        assert len(lines) == 1, path
        assert unread(lines) == lines


def by_hand(lines: list[str]) -> list[list[str]]:
    found: list[list[str]] = []
    for line in lines:
        if line.startswith("hand "):
            found.append([])
        found[-1].append(line)
    return found


def test_a_damaged_line_of_openspiel_is_one_line() -> None:
    lines = [hand.line.encode() + b"\n" for hand in session(Random(3), 4, 60, 12, carries=False)]
    (whole,) = tables(translate("openspiel", lines))
    for damaged in (b"STATE:5:cc\n", lines[5][:40] + b"\n", lines[5].replace(b"c", b"x"), b"\xff\xfe\n"):
        (out,) = tables(translate("openspiel", [*lines[:5], damaged, *lines[6:]]))
        (place,) = (k for k, line in enumerate(out) if line in unread(out))
        assert [*by_hand(out[:place]), *by_hand(out[place + 1 :])] == [
            hand for k, hand in enumerate(by_hand(whole)) if k != 5
        ]


def test_a_session_that_starts_over_is_another_match() -> None:
    hands = session(Random(4), 2, 200, 5, carries=False)
    lines = [hand.line.encode() + b"\n" for hand in hands]
    assert [table.count("end") for table in tables(translate("openspiel", [*lines, *lines]))] == [5, 5]


def test_a_stack_too_large_for_a_store_is_no_stack() -> None:
    player = {"seat": 1, "name": "Ann", "stack_start": 1 << 48}
    assert msgspec.convert(player, live_poker_bench._Player).stack_start == 1 << 48
    with pytest.raises(msgspec.ValidationError, match="stack_start"):
        msgspec.convert(player | {"stack_start": 10**30}, live_poker_bench._Player)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (husky_bench._Blinds, {"small": 5, "big": 10}),
        (live_poker_bench._Blinds, {"small": 5, "big": 10}),
        (pypokerengine._Rule, {"initial_stack": 5, "small_blind_amount": 10}),
    ],
)
def test_stakes_too_large_for_a_store_are_none(kind: type, said: Document) -> None:
    """They are a match's, which no line has, so that no scanner refuses them."""
    assert msgspec.convert(said, kind) == kind(**said)
    for key in said:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(said | {key: 10**30}, kind)
