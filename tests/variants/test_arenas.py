"""Records of tables that are JSON documents: a match of several files, records that cannot be read, odd hands."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from railbird.analytics.store import open_store
from railbird.ingest import ingest

Document = dict[str, Any]
HOLES = (("As", "Ah"), ("Ks", "Kh"), ("Qs", "Qh"))
BOARD = ["2c", "3d", "7c", "8d", "Tc"]


def hand(
    number: int, stacks: Sequence[int], acts: Sequence[tuple[str, int, str, int]], **more: Any
) -> Document:
    """A hand of live-poker-bench; seat 1 deals. acts: street, seat, action and amount."""
    playing = [seat for seat, stack in enumerate(stacks, 1) if stack]
    return {
        "hand_number": number,
        "blind_level": 1,
        "button_seat": 1,
        "blinds": {"small": 1, "big": 2},
        "players": [{"seat": k, "name": f"P{k}", "stack_start": stack} for k, stack in enumerate(stacks, 1)],
        "hole_cards": {str(seat): list(HOLES[seat - 1]) for seat in playing},
        "community_cards": [],
        "actions": [
            {"street": street, "seat": seat, "action": action, "amount": amount, "thinking_time_ms": 1500.0}
            for street, seat, action, amount in acts
        ],
        "showdown": {},
        "winners": [],
        "pot": 0,
        "pots_awarded": {},
    } | more


FOLDED = [("preflop", 1, "fold", 0), ("preflop", 2, "fold", 0)]


def write(folder: Path, name: str, document: object) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


def ask(paths: Sequence[Path], store: Path, query: str) -> list[tuple[Any, ...]]:
    ingest(paths, store)
    with open_store(store) as opened:
        rows: list[tuple[Any, ...]] = opened.execute(query).fetchall()
        return rows


def three_hands(folder: Path) -> Path:
    """Names in another order than the hands."""
    for number, name in ((1, "c.json"), (2, "a.json"), (3, "b.json")):
        stacks = (200, 200 - (number - 1), 200 + (number - 1))
        write(folder, name, hand(number, stacks, FOLDED, pots_awarded={"3": 3}))
    return folder


def test_a_finding_names_the_file_of_its_hand(tmp_path: Path) -> None:
    logs = three_hands(tmp_path / "logs")
    write(logs, "a.json", hand(2, (200, 199, 201), FOLDED, pots_awarded={"2": 3}))
    found = ask(
        [logs],
        tmp_path / "store",
        "select regexp_extract(path, '[^/]*$'), line, rule from findings join files using (file_id) order by all",
    )
    # The pot goes to another player than the one whose chips grow.
    assert {(name, line) for name, line, _ in found} == {("a.json", 1)}
    assert {rule for *_, rule in found} == {"award", "chips-after"}


def test_the_hands_of_a_folder_are_one_match_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    found = ask(
        [three_hands(tmp_path / "logs")],
        tmp_path / "store",
        "select match_no, hand_no, h.line, verdict from hands h join matches using (match_id) order by hand_index",
    )
    assert found == [(1, 1, 1, "ok"), (1, 2, 2, "ok"), (1, 3, 3, "ok")]
    with open_store(tmp_path / "store") as store:
        files = store.execute("select path, status from files order by path").fetchall()
    assert [(Path(path).name, status) for path, status in files] == [
        ("a.json", "sidecar"),
        ("b.json", "sidecar"),
        ("c.json", "ok"),
    ]


def test_a_folder_that_is_read_again_adds_only_what_is_new(tmp_path: Path) -> None:
    folder = three_hands(tmp_path / "logs")
    ingest([folder], tmp_path / "store")
    assert len(ingest([folder], tmp_path / "store").unchanged) == 3
    write(folder, "d.json", hand(4, (200, 197, 203), FOLDED, pots_awarded={"3": 3}))
    assert ask([folder], tmp_path / "store", "select hand_no from hands order by 1") == [
        (1,),
        (2,),
        (3,),
        (4,),
    ]


def test_a_broken_file_of_a_folder_costs_its_hand_alone(tmp_path: Path) -> None:
    folder = three_hands(tmp_path / "logs")
    text = (folder / "a.json").read_text()
    (folder / "a.json").write_text(text[: text.index('"community_cards"')] + '"pots_awarded"')
    found = ask([folder], tmp_path / "store", "select hand_no from hands order by 1")
    assert found == [(1,), (3,)]
    with open_store(tmp_path / "store") as store:
        ((line, said, why),) = store.execute("select line, text, reason from unknown_lines").fetchall()
    assert (line, why) == (2, "no JSON document of live_poker_bench: Input data was truncated")
    assert said.startswith('a.json: {"hand_number": ')


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"button_seat": 9}, "a hand whose seats are not those of its players"),
        ({"hole_cards": {"1": ["As", "Ah"]}}, "a hand of fewer than two players"),
        ({"actions": [{"street": "flip", "seat": 1, "action": "fold"}]}, "an unknown street or player"),
        ({"actions": [{"street": "preflop", "seat": 1, "action": "sings"}]}, "an action of another name"),
        ({"pots_awarded": {"7": 3}}, "somebody is paid who does not play it"),
    ],
)
def test_a_hand_that_contradicts_itself_is_told_in_a_line(
    change: Mapping[str, Any], said: str, tmp_path: Path
) -> None:
    document = hand(1, (200, 200, 200), FOLDED, pots_awarded={"3": 3}) | dict(change)
    write(tmp_path / "logs", "a.json", document)
    write(tmp_path / "logs", "b.json", hand(2, (200, 200, 200), FOLDED, pots_awarded={"3": 3}))
    assert ask([tmp_path / "logs"], tmp_path / "store", "select hand_no from hands") == [(2,)]
    with open_store(tmp_path / "store") as store:
        ((line, text),) = store.execute("select line, reason from unknown_lines").fetchall()
    assert line == 1 and said in text


ALL_IN = [
    ("preflop", 1, "raise", 100),
    ("preflop", 2, "call", 49),
    ("preflop", 3, "fold", 0),
]


def test_next_stacks_that_are_not_what_the_hand_pays_are_a_deviation(tmp_path: Path) -> None:
    shown = {"1": list(HOLES[0]), "2": list(HOLES[1])}
    document = hand(1, (200, 50, 200), ALL_IN, community_cards=BOARD, showdown=shown, pots_awarded={"1": 152})
    write(tmp_path / "logs", "a.json", document)
    # The big blind's two chips are lost.
    write(
        tmp_path / "logs",
        "b.json",
        hand(2, (250, 0, 198), [("preflop", 1, "fold", 0)], pots_awarded={"3": 3}),
    )
    found = ask(
        [tmp_path / "logs"],
        tmp_path / "store",
        "select hand_index, rule, deviation, expected, logged, chips from findings where hand_index = 0",
    )
    assert found == [(0, "chips-after", "live-poker-bench.dead-money-lost", "252", "250", -2)]


def test_a_pot_that_is_divided_without_side_pots_is_a_deviation(tmp_path: Path) -> None:
    acts = [*ALL_IN[:2], ("preflop", 3, "call", 98), ("flop", 3, "check", 0), ("flop", 1, "check", 0)]
    acts += [(street, seat, "check", 0) for street in ("turn", "river") for seat in (3, 1)]
    holes = {"1": ["Ks", "Kh"], "2": ["As", "Ah"], "3": ["Qs", "Qh"]}
    document = hand(
        1,
        (200, 50, 200),
        acts,
        community_cards=BOARD,
        hole_cards=holes,
        showdown=holes,
        pots_awarded={"2": 250},
    )
    path = write(tmp_path / "logs", "a.json", document)
    found = ask(
        [path],
        tmp_path / "store",
        "select seat, deviation, expected, logged from findings where rule = 'award' order by seat",
    )
    deviation = "live-poker-bench.side-pots-not-written"
    assert found == [(0, deviation, "100", "0"), (1, deviation, "150", "250")]


def test_where_the_big_blind_is_short_the_engine_asks_the_wrong_seat_and_takes_checks(tmp_path: Path) -> None:
    acts = [("preflop", 2, "check", 0), ("preflop", 1, "check", 0)]
    acts += [(street, seat, "check", 0) for street in ("flop", "turn", "river") for seat in (2, 1)]
    shown = {str(seat): list(HOLES[seat - 1]) for seat in (2, 3)}
    document = hand(1, (200, 200, 1), acts, community_cards=BOARD, showdown=shown, pots_awarded={"2": 2})
    path = write(tmp_path / "logs", "a.json", document)
    found = ask(
        [path], tmp_path / "store", "select rule, seat, deviation from findings where rule <> 'award'"
    )
    deviation = "live-poker-bench.short-big-blind"
    assert found == [("turn", 1, deviation), ("check", 1, deviation), ("check", 0, deviation)]


def test_an_award_that_nothing_explains_is_a_violation(tmp_path: Path) -> None:
    path = write(tmp_path / "logs", "a.json", hand(1, (200, 200, 200), FOLDED, pots_awarded={"3": 4}))
    assert ask([path], tmp_path / "store", "select verdict from hands") == [("violation",)]


def rounds(*stacks: Sequence[int]) -> Document:
    """A game of PyPokerEngine of three players, each round of which is folded to the big blind, at place 2."""
    said = []
    for number, before in enumerate(stacks, 1):
        chips = [before[0], before[1] - 15, before[2] - 30]
        after = [before[0], before[1] - 15, before[2] + 15]
        seats = [
            {
                "uuid": f"u{k}",
                "start_stack": chips[k],
                "stack": after[k],
                "start_state": "participating",
                "hole_card": [card[1].upper() + card[0] for card in HOLES[k]],
            }
            for k in range(3)
        ]
        acts = [
            {"uuid": "u1", "action": "SMALLBLIND", "amount": 15, "add_amount": 15},
            {"uuid": "u2", "action": "BIGBLIND", "amount": 30, "add_amount": 15},
            {"uuid": "u0", "action": "FOLD"},
            {"uuid": "u1", "action": "FOLD"},
        ]
        state = {
            "round_count": number,
            "dealer_btn": 0,
            "small_blind_pos": 1,
            "seats": seats,
            "action_histories": {"preflop": acts},
            "community_card": [],
        }
        said.append({"round_state": state, "hand_info": []})
    return {
        "rule": {"initial_stack": 1500, "small_blind_amount": 15},
        "seats": [{"uuid": f"u{k}", "name": "hand 1 0\nfold 2"} for k in range(3)],
        "rounds": said,
    }


def test_names_that_look_like_lines_are_names(tmp_path: Path) -> None:
    path = write(tmp_path, "a.json", rounds((1500, 1500, 1500)))
    found = ask([path], tmp_path / "store", "select seat, delta, player from seats order by seat")
    assert found == [(k, chips, "hand 1 0\nfold 2") for k, chips in enumerate((0, -15, 15))]


def test_a_round_that_cannot_be_read_costs_itself(tmp_path: Path) -> None:
    document = rounds((1500, 1500, 1500), (1500, 1485, 1515), (1500, 1470, 1530))
    document["rounds"][1]["round_state"]["seats"][0]["stack"] = "many"
    path = write(tmp_path, "a.json", document)
    assert ask([path], tmp_path / "store", "select hand_no from hands order by 1") == [(1,), (3,)]
    with open_store(tmp_path / "store") as store:
        ((line, text),) = store.execute("select line, reason from unknown_lines").fetchall()
    assert line == 2 and "a round that cannot be read" in text


def husky(**more: Any) -> Document:
    """A hand of Husky Hold'em Bench that the small blind folds, of players without names."""
    return {
        "gameId": "g",
        "rounds": {
            "0": {
                "action_sequence": [
                    {"player": 11, "action": "RAISE", "amount": 5, "timestamp": 1000},
                    {"player": 21, "action": "RAISE", "amount": 10, "timestamp": 1001},
                    {"player": 11, "action": "FOLD", "amount": 0, "timestamp": 1500},
                ]
            }
        },
        "playerNames": {"11": "player12", "21": "player22"},
        "blinds": {"small": 5, "big": 10},
        "finalBoard": ["2c", "3d", "7c"],
        "playerMoney": {
            "initialAmount": 100,
            "startingMoney": {"12": 100, "22": 100},
            "finalMoney": {"12": 95, "22": 105},
            "thisGameDelta": {"12": -5, "22": 5},
        },
        "playerHands": {"11": list(HOLES[0]), "21": list(HOLES[1])},
    } | more


def test_a_board_that_is_dealt_after_the_last_fold_is_not_stored(tmp_path: Path) -> None:
    path = write(tmp_path, "a.json", husky())
    found = ask([path], tmp_path / "store", "select verdict, deviations, board from hands")
    assert found == [("engine_deviation", ["husky-bench.board-after-the-end"], [])]


def test_a_document_of_a_match_has_a_hand_a_key(tmp_path: Path) -> None:
    after = {
        "initialAmount": 100,
        "startingMoney": {"12": 95, "22": 105},
        "finalMoney": {"12": 90, "22": 110},
        "thisGameDelta": {"12": -5, "22": 5},
    }
    path = write(tmp_path, "a.json", {"gamelog_1": husky(), "gamelog_2": husky(playerMoney=after)})
    found = ask([path], tmp_path / "store", "select hand_no, line, verdict from hands order by 1")
    assert found == [(1, 1, "engine_deviation"), (2, 2, "engine_deviation")]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"playerHands": {"11": ["As\nnet 0 7", "Ah"], "21": list(HOLES[1])}}, "a card that is none"),
        ({"rounds": {"7": {"action_sequence": []}}}, "rounds do not follow each other"),
        ({"finalBoard": "2c3d7c"}, "a hand that cannot be read"),
        ({"playerMoney": {}}, "a hand that cannot be read"),
        ({"extra": "[" * 5000 + "]" * 5000}, ""),
    ],
)
def test_a_hand_of_odd_values_costs_itself(change: Mapping[str, Any], said: str, tmp_path: Path) -> None:
    path = write(tmp_path, "a.json", {"gamelog_1": husky(**change), "gamelog_2": husky()})
    found = ask([path], tmp_path / "store", "select hand_no from hands order by 1")
    assert found == ([(2,)] if said else [(1,), (2,)])
    with open_store(tmp_path / "store") as store:
        texts = [why for (why,) in store.execute("select reason from unknown_lines").fetchall()]
    assert len(texts) == bool(said) and all(said in text for text in texts)
