"""Decisions as JSON: each as its player saw it, against the cards as they were dealt."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conftest import Run
from support.exported import cards_in

from railbird.analytics import exported_hands
from railbird.analytics.exported_hands import Written, export_hands
from railbird.analytics.settings import FileKind
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.storage.locations import StoreError

Key = tuple[int, int]
Rows = list[dict[str, Any]]


class Truth(NamedTuple):
    """All that happened, by hand: rows of deals, actions and seats; and the rules by match."""

    deals: Mapping[Key, Rows]
    actions: Mapping[Key, Rows]
    seats: Mapping[Key, Rows]
    rules: Mapping[int, dict[str, Any]]


def by_hand(store: Store, relation: str, order: str, columns: str = "*") -> Mapping[Key, Rows]:
    found: dict[Key, Rows] = defaultdict(list)
    rows = store.execute(f"select {columns} from {relation} order by match_id, hand_index, {order}")
    names = [column[0] for column in rows.description or ()]
    for row in rows.fetchall():
        named = dict(zip(names, row, strict=True))
        found[named["match_id"], named["hand_index"]].append(named)
    return found


@pytest.fixture(scope="module")
def truth(samples: Store) -> Truth:
    rules = samples.execute(
        "select m.match_id, {'throws': g.throws, 'boards': g.boards, 'lines': m.dialect <> 'acpc', 'game': g.game}"
        " from matches m join games g using (game)"
    ).fetchall()
    return Truth(
        by_hand(samples, "deals", "seq"),
        by_hand(samples, "actions", "seq"),
        by_hand(samples, "seats", "seat", "match_id, hand_index, seat, hole, hole_final, bounty_rank"),
        dict(rules),
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("jsonl") / "decisions"


@pytest.fixture(scope="module")
def written(samples: Store, folder: Path) -> Written:
    return samples.export_hands(folder, "jsonl")


@pytest.fixture(scope="module")
def rows(written: Written) -> Rows:
    files = sorted(written.folder.glob("*/*.jsonl"))
    return [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]


def told_after(truth: Truth, key: Key, deal: dict[str, Any]) -> int:
    """The seq of the last action before which a change of cards is not told: that of its line, or the last bid."""
    by = truth.actions[key]
    told: list[int] = [a["seq"] for a in by if deal["line"] and a["line"] <= deal["line"]]
    if deal["kind"] in ("auction", "reveal"):
        told = [a["seq"] for a in by if a["action"] == "bid"]
    elif deal["kind"] == "pass":
        told = [a["seq"] for a in by if a["action"] == "pass" and a["street"] == deal["street"]]
    return max(told, default=-1)


def told(truth: Truth, key: Key, action: dict[str, Any]) -> set[str]:
    """The cards that the player of a decision had been told, from the card events alone."""
    me, rules = action["seat"], truth.rules[key[0]]
    cards: set[str | None] = set()
    for deal in truth.deals[key]:
        kind, own = deal["kind"], deal["seat"] == me
        if kind == "deal":
            cards |= {*deal["cards"]} if own else set()
        elif kind == "board":
            cards |= {*deal["cards"]} if deal["street"] <= action["street"] else set()
        elif kind in ("redraw", "board_redraw"):
            # Never the new card before the board has it on the next street.
            if deal["line"] < action["line"]:
                cards.add(deal["replaced"])
            if kind == "board_redraw" and deal["street"] < action["street"]:
                cards |= {*deal["cards"]}
        elif (own or (kind == "discard" and not rules["throws"])) and (
            told_after(truth, key, deal) < action["seq"]
        ):
            cards |= {*deal["cards"]}
    return {card for card in cards if card is not None}


def of(truth: Truth, row: dict[str, Any]) -> tuple[Key, dict[str, Any]]:
    key = int(row["match_id"]), row["hand_index"]
    return key, next(a for a in truth.actions[key] if a["seq"] == row["seq"])


def hidden(truth: Truth, row: dict[str, Any]) -> list[Any]:
    """What stands in a decision that its player had not been told."""
    key, action = of(truth, row)
    state = row["state"]
    found: list[Any] = sorted(cards_in(state) - told(truth, key, action))
    own = {"hole", "board", "boards", "assigned", "seen"}
    found += sorted(cards_in({name: value for name, value in state.items() if name not in own}))
    if "bounty_rank" in state["facts"]:
        (mine,) = [s["bounty_rank"] for s in truth.seats[key] if s["seat"] == action["seat"]]
        found += [] if state["facts"]["bounty_rank"] == mine else [state["facts"]]
    if "win_prob" in state["facts"] and state["facts"]["win_prob"] != pytest.approx(action["win_prob"]):
        found.append(state["facts"])
    before = [a for a in truth.actions[key] if a["decision_no"] < action["decision_no"]]
    # Of two bids neither is seen before the other is made.
    pending = [a for a in before if a["action"] == "bid"] if action["action"] == "bid" else []
    # What the engine checks for a player without chips is no decision.
    idle = [a for a in before if (a["origin"], a["action"], a["stack_before"]) == ("substitute", "check", 0)]
    seen = [a for a in before if a["origin"] in ("choice", "substitute") and a not in (*pending, *idle)]
    if len(state["line"]) != len(seen) or len(state.get("bids", ())) > 2 * (not pending):
        found.append(state["line"])
    return found


def test_no_decision_of_any_game_holds_what_its_player_had_not_seen(truth: Truth, rows: Rows) -> None:
    assert not [(row, found) for row in rows if (found := hidden(truth, row))][:3]
    assert {row["state"]["game"] for row in rows} == {rules["game"] for rules in truth.rules.values()}


@pytest.mark.parametrize("place", ["hole", "board", "seen"])
def test_the_search_for_hidden_cards_finds_one(place: str, truth: Truth, rows: Rows) -> None:
    planted = 0
    for row in rows[::40]:
        key, action = of(truth, row)
        others = {card for s in truth.seats[key] if s["seat"] != action["seat"] for card in s["hole"] or ()}
        secret = sorted(others - told(truth, key, action) - {None})
        if secret:
            leak = deepcopy(row)
            leak["state"][place] = [*leak["state"][place], secret[0]]
            assert hidden(truth, leak) == [secret[0]]
            planted += 1
    assert planted > 100


def test_a_decision_is_a_line_and_has_the_numbers_of_its_row(
    truth: Truth, rows: Rows, samples: Store
) -> None:
    choices = samples.execute(
        "select a.match_id, a.hand_index, a.seq from actions a join hands h using (match_id, hand_index)"
        " where a.origin = 'choice' and h.verdict <> 'damaged'"
    ).fetchall()
    assert sorted((int(r["match_id"]), r["hand_index"], r["seq"]) for r in rows) == sorted(choices)
    for row in rows:
        _, action = of(truth, row)
        names = ("to_call", "pip_before", "pot_before", "stack_before", "min_raise_to", "max_raise_to")
        assert [row["state"][name] for name in names] == [action[name] for name in names]
        assert (row["player"], row["seat"], row["action"]) == (
            action["player"],
            action["seat"],
            action["action"],
        )
        if row["action"] in ("call", "bet", "raise", "play"):
            assert row["amount_to"] == action["amount_to"]
        else:
            assert row["amount_to"] is None


def test_a_player_knows_its_own_cards(truth: Truth, rows: Rows) -> None:
    """Before any change they are those dealt; after the last one those of the end."""
    ends = 0
    for row in rows:
        key, action = of(truth, row)
        (seat,) = [s for s in truth.seats[key] if s["seat"] == action["seat"]]
        changes = [
            told_after(truth, key, d)
            for d in truth.deals[key]
            if d["kind"] not in ("deal", "board", "board_redraw", "reveal", "assign")
            # What is passed to the other is passed away.
            and (d["seat"] == action["seat"] or d["kind"] == "pass")
        ]
        if truth.rules[key[0]]["boards"] > 1:
            continue
        if all(after >= action["seq"] for after in changes):
            assert row["state"]["hole"] == (seat["hole"] or [])
        elif all(after < action["seq"] for after in changes) and None not in row["state"]["hole"]:
            assert {*row["state"]["hole"]} == {*seat["hole_final"]}
            ends += 1
    assert ends > 1000
    assert sum(None in row["state"]["hole"] for row in rows) < 100


def test_the_board_is_what_lies_there(truth: Truth, rows: Rows) -> None:
    for row in rows:
        key, action = of(truth, row)
        if any(d["kind"] == "board_redraw" for d in truth.deals[key]):
            continue
        shown = [
            card
            for d in truth.deals[key]
            if d["board_no"] == action["board_no"]
            and (
                (d["kind"] == "board" and d["street"] <= action["street"])
                or (
                    d["kind"] == "discard"
                    and not truth.rules[key[0]]["throws"]
                    and told_after(truth, key, d) < action["seq"]
                )
            )
            for card in d["cards"]
        ]
        assert sorted(row["state"]["board"]) == sorted(shown)


def test_what_a_player_did_is_among_what_it_could(rows: Rows) -> None:
    sound = [row for row in rows if row["verdict"] == "ok"]
    free = [row for row in sound if row["action"] not in row["legal"]]
    assert all(row["action"] == "fold" and row["state"]["to_call"] == 0 for row in free)
    assert len(free) < len(rows) / 50
    for row in sound:
        bounds = row["legal"].get(row["action"])
        if bounds:
            # Koper's engine cuts off what is below a cent.
            chosen = row["bid"] if row["action"] == "bid" else row["amount_to"]
            assert bounds[0] - 0.01 < chosen < bounds[1] + 0.01


def test_cards_that_are_given_are_the_players_own(truth: Truth, rows: Rows) -> None:
    given = [row for row in rows if row["action"] in ("discard", "pass", "assign")]
    assert len(given) > 2000
    for row in given:
        key, _ = of(truth, row)
        (seat,) = [s for s in truth.seats[key] if s["seat"] == row["seat"]]
        assert {*row["cards"]} <= {*row["state"]["hole"]} | {None}
        assert row["cards"]
        if row["action"] == "assign":
            assert {*row["cards"]} <= {*seat["hole"]}
    assert all(
        {*row["redraw"]} <= {*row["state"]["hole"], *row["state"]["board"]} for row in rows if "redraw" in row
    )


def test_a_match_is_one_file_of_one_part_and_so_are_its_twins(
    rows: Rows, written: Written, samples: Store
) -> None:
    parts = {int(path.stem): path.parent.name for path in written.folder.glob("*/*.jsonl")}
    assert written.files == len(parts) == len({row["match_id"] for row in rows})
    assert {*parts.values()} == {"train", "test"}
    sets = samples.execute(
        "select card_set, list(match_id) from matches where card_set is not null group by all"
    )
    shared = [ids for _, ids in sets.fetchall() if len(ids) > 1]
    assert len(shared) > 3
    for ids in shared:
        assert len({parts[match_id] for match_id in ids if match_id in parts}) == 1


def test_matches_that_a_seed_deals_the_same_cards_are_of_one_part(tmp_path: Path) -> None:
    for seed in range(8):
        for names in (("Ann", "Bo"), ("Cy", "Di")):
            text = simulate("holdem-mit", [(name, "loose-aggressive") for name in names], hands=20, seed=seed)
            (tmp_path / f"{seed}{names[0]}.txt").write_text(text)
    ingest([tmp_path], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        export_hands(store, tmp_path / "out", FileKind.JSONL)
        assert store.execute("select count(card_set) from matches").fetchall() == [(0,)]
        seeds = dict(
            store.execute(
                "select match_id, parse_filename(path)[1] from matches join files using (file_id)"
            ).fetchall()
        )
    parts = {(seeds[int(path.stem)], path.parent.name) for path in (tmp_path / "out").glob("*/*.jsonl")}
    assert len(seeds) == 16
    assert len(parts) == len({seed for seed, _ in parts}) == 8
    assert {part for _, part in parts} == {"train", "test"}


def test_every_hand_is_written_or_counted(written: Written, samples: Store, rows: Rows) -> None:
    ((hands,),) = samples.execute("select count(*) from hands").fetchall()
    assert written.hands + sum(written.left_out.values()) == hands
    assert written.hands == len({(row["match_id"], row["hand_index"]) for row in rows})


def test_files_are_the_same_however_many_hands_are_read_at_once(
    samples: Store, written: Written, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exported_hands, "HANDS_AT_ONCE", 73)
    kept = [match for match in exported_hands._matches(samples).values() if "nolimit.2p" in match.rules.game]
    monkeypatch.setattr(exported_hands, "_matches", lambda store: {match.match_id: match for match in kept})
    again = exported_hands.export_hands(samples, tmp_path / "some", FileKind.JSONL)
    assert again.files == len(kept) > 5
    for path in (tmp_path / "some").glob("*/*.jsonl"):
        assert path.read_bytes() == (written.folder / path.parent.name / path.name).read_bytes()


def test_windows_hold_each_hand_once() -> None:
    class Sized(NamedTuple):
        match_id: int
        hands: int

    few = exported_hands.HANDS_AT_ONCE
    matches: Any = [Sized(3, 10), Sized(5, 20), Sized(8, 2 * few + 1), Sized(9, 1)]
    last = 2**31 - 1
    assert exported_hands._windows(matches) == [
        (3, 5, 0, last),
        (8, 8, 0, few - 1),
        (8, 8, few, 2 * few - 1),
        (8, 8, 2 * few, last),
        (9, 9, 0, last),
    ]


def test_the_command_says_how_many(run: Run, few: Store, tmp_path: Path) -> None:
    code, out, err = run("export", tmp_path / "new", "--to", "jsonl", "--store", few.path)
    assert (code, err) == (0, "")
    assert out == (
        f"wrote 98 of 100 hands to {tmp_path / 'new'} as jsonl, 2 files; "
        "left out 2: 2 no player decided anything\n"
    )


def test_the_api_returns_the_files(few: Store, tmp_path: Path) -> None:
    paths = few.export(tmp_path / "new", to="jsonl")
    assert [path.suffix for path in paths] == [".jsonl"] * 2
    ((choices,),) = few.execute("select count(*) from actions where origin = 'choice'").fetchall()
    assert sum(path.read_text().count("\n") for path in paths) == choices
    with pytest.raises(ValueError, match="csv is a format of tables"):
        few.export_hands(tmp_path / "other", "csv")


def test_nothing_is_left_of_an_export_that_fails(
    few: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(files: object, text: object) -> None:
        if any(tmp_path.rglob("*.jsonl")):
            raise OSError(28, "No space left on device")
        write(files, text)

    write: Any = exported_hands._Files.write
    monkeypatch.setattr(exported_hands._Files, "write", full)
    with pytest.raises(StoreError, match=r"cannot be written: No space left on device$"):
        few.export(tmp_path / "new", to="jsonl")
    assert not list(tmp_path.rglob("*.jsonl")) and not (tmp_path / "new").exists()
