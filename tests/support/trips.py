"""Out and in again: what an exporter wrote, read by railbird or by a second program, against the store it came from.

A trip counts the hands that came back equal and names those that did not: for tests and for `make round-trips`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from oracles.histories import read_ohh, read_pokerstars
from railbird.analytics.exported_hands import Written
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from support.exported import Key, hands_of, in_turn, rows_by_hand

SAME: Final = 1e-6
LONGER: Final = "in a match that begins like a longer one"
STACKLESS: Final = "in a log that is taken for another engine's, which has no stacks"
COPY: Final = "in a log that is the same as another"

HANDS = """
    select h.match_id, h.hand_index, h.hand_no, h.dealer_seat, h.ended_by, h.board, h.streets
    from hands h order by h.match_id, h.line, h.hand_index
"""
SEATS = """
    select match_id, hand_index, player, seat, hole, stack_start, contribution, delta
    from seats order by match_id, hand_index, seat
"""
ACTIONS = """
    select
      a.match_id, a.hand_index, a.street, s.player, a.action, a.amount_to, a.chips_added, a.to_call, a.pot_before,
      a.stack_before, a.origin
    from actions a join seats s using (match_id, hand_index, seat)
    where a.origin = 'choice'
      or (a.origin = 'substitute' and (a.action <> 'check' or a.stack_before is distinct from 0))
    order by a.match_id, a.hand_index, a.seq
"""
POSTS = """
    select a.match_id, a.hand_index, s.player, a.chips_added
    from actions a join seats s using (match_id, hand_index, seat)
    where a.action = 'post' and a.chips_added > 0 order by a.match_id, a.hand_index, a.seq
"""
Hand = dict[str, Any]


def hands_in(store: Store) -> dict[tuple[int, int], Hand]:
    """Everything that a round trip keeps, by hand."""
    seats, actions, posts = (rows_by_hand(store, query) for query in (SEATS, ACTIONS, POSTS))
    found = {}
    for key, (row,) in rows_by_hand(store, HANDS).items():
        dealer = [seat["player"] for seat in seats[key] if seat["seat"] == row["dealer_seat"]]
        found[key] = {
            "number": row["hand_no"],
            "dealer": dealer,
            "ended": row["ended_by"],
            "board": row["board"] or [],
            "seats": sorted(
                (s["player"], s["hole"] or [], s["stack_start"], s["contribution"], s["delta"])
                for s in seats[key]
            ),
            "actions": [tuple(a.values())[2:-1] for a in actions.get(key, [])],
            "posts": sorted((p["player"], p["chips_added"]) for p in posts.get(key, [])),
        }
    return found


def nearly(one: Any, other: Any) -> bool:
    """Equal, numbers to a millionth."""
    if isinstance(one, float | int) and isinstance(other, float | int):
        return abs(one - other) < SAME
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(nearly, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(nearly(one[key], other[key]) for key in one)
    return bool(one == other)


def without_stacks(hand: Hand) -> Hand:
    """A hand without what players had in front of them."""
    return hand | {
        "seats": [(*seat[:2], *seat[3:]) for seat in hand["seats"]],
        "actions": [action[:-1] for action in hand["actions"]],
    }


def fields_of(folder: Path) -> Iterator[tuple[tuple[int, int], str]]:
    """The text of each hand of an export to PHHS, by its match and number."""
    for path in sorted(folder.glob("*.phhs")):
        for said in path.read_text(encoding="utf-8").split("\n\n"):
            body = said.partition("\n")[2]
            index = int(body.rsplit("_hand_index = ", 1)[1])
            yield (int(path.stem), index), body


@dataclass
class Trip:
    """What came back of an export.

    equal      hands that are equal in all that a trip keeps
    different  hands that are not, and what they are on both sides
    lost       hands that were not read, by reason
    verdicts   of hands that railbird read
    """

    equal: int = 0
    different: list[tuple[Any, Any, Any]] = field(default_factory=list)
    lost: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)

    def compare(self, key: Any, there: Any, back: Any) -> None:
        """Count a hand."""
        if nearly(there, back):
            self.equal += 1
        else:
            self.different.append((key, there, back))


def phh_trip(written: Written, truth: Mapping[Key, Hand], into: Path) -> Trip:
    """PHH or PHHS, read into the store `into`."""
    trip = Trip()
    if written.kind == "phhs":
        keys = [key for key, _ in fields_of(written.folder)]
    else:
        paths = sorted(written.folder.glob("*/*.phh"), key=str)
        keys = [(int(path.parent.name), int(path.stem)) for path in paths]
    ingest([written.folder], into)
    with open_store(into) as again:
        # Two matches of one player may begin alike: the shorter is taken for the beginning of the longer.
        longer = again.execute(
            "select f.path from unknown_lines u join files f using (file_id) "
            "where u.reason like '%replaced by a longer%'"
        ).fetchall()
        gone = {_match_of(written, path) for (path,) in longer}
        trip.lost[LONGER] += sum(key[0] in gone for key in keys)
        keys = [key for key in keys if key[0] not in gone]
        files = again.execute(
            "select f.path, h.match_id, h.hand_index from hands h join matches m using (match_id) "
            "join files f on f.file_id = m.file_id order by f.path, h.line"
        ).fetchall()
        back = hands_in(again)
        trip.verdicts.update(v for (v,) in again.execute("select verdict from hands").fetchall())
    assert len(files) == len(keys), "a hand of the export was not read"
    for (path, match_id, index), key in zip(files, keys, strict=True):
        assert _match_of(written, path) == key[0]
        one, other = back[match_id, index], truth[key]
        if None in [seat[2] for seat in other["seats"]]:
            # Stacks without limit are written as `inf`, of which the rows of a match of two have no word.
            one, other = without_stacks(one), without_stacks(other)
        trip.compare(key, other, one)
    return trip


def _match_of(written: Written, path: str) -> int:
    here = Path(path)
    return int(here.stem if written.kind == "phhs" else here.parent.name)


OF_A_SEAT = ("position", "hole", "stack_start", "delta")
OF_AN_ACTION = ("street", "action", "amount_to", "chips_added", "to_call", "pot_before", "stack_before")


def plainly(hand: Mapping[str, Any]) -> Any:
    """What an ACPC log keeps of a hand; players by place, names without the characters that it cannot hold."""
    seats = in_turn(hand)
    place = {seat["seat"]: k for k, seat in enumerate(seats)}
    actions = [[place[a["seat"]], *(a[column] for column in OF_AN_ACTION)] for a in hand["actions"]]
    names = [re.sub(r"[\W_]+", "_", seat["player"]) for seat in seats]
    chips = [[seat[column] for column in OF_A_SEAT] for seat in seats]
    # Engines differ in whether chips that nobody matched were put in.
    most = sorted(seat["contribution"] for seat in seats)[-2]
    put = [min(seat["contribution"], most) for seat in seats]
    return [hand["streets"], hand["ended_by"]], hand["board"], names, chips, put, actions


def _stackless(hand: Mapping[str, Any]) -> Any:
    """The same of a hand whose stacks nobody tells."""
    return plainly(
        dict(hand)
        | {
            "seats": [seat | {"stack_start": None} for seat in hand["seats"]],
            "actions": [action | {"stack_before": None} for action in hand["actions"]],
        }
    )


def _holes(hand: Mapping[str, Any]) -> list[Any]:
    return [seat["hole"] for seat in in_turn(hand)]


def acpc_trip(written: Written, store: Store, into: Path) -> Trip:
    """ACPC logs, read into the store `into`."""
    trip = Trip()
    if not written.hands:
        return trip
    ingest([written.folder], into, event="back")
    with open_store(into) as again:
        paths = dict(
            again.execute("select m.match_id, f.path from matches m join files f using (file_id)").fetchall()
        )
        read = hands_of(again)
        lines = again.execute("select reason from unknown_lines").fetchall()
        assert all("replaced by a longer" in reason for (reason,) in lines), lines
    logs: dict[str, list[dict[str, Any]]] = {}
    for key, hand in read.items():
        logs.setdefault(Path(paths[key[0]]).parent.name, []).append(hand)
        trip.verdicts[hand["verdict"]] += 1
    # Of two hands of one number the second is in a log of its own.
    matches: dict[int, dict[int, list[Any]]] = {}
    for (match_id, _), hand in hands_of(store).items():
        matches.setdefault(match_id, {}).setdefault(hand["hand_no"], []).append(hand)
    for folder, hands in logs.items():
        # Numbers go on by one in a log, which begins with the hand of the store whose number is no larger.
        numbers = [hand["hand_no"] for hand in hands]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        there = matches[int(folder.split("-")[0])]
        offset = next(
            k
            for k in range(len(hands[0]["seats"]))
            if _holes(hands[0]) in map(_holes, there.get(numbers[0] - k, ()))
        )
        for hand in hands:
            back, same = plainly(hand), there[hand["hand_no"] - offset]
            one = next((one for one in same if nearly(plainly(one), back)), same[0])
            same.remove(one)
            if not nearly(plainly(one), back) and nearly(_stackless(one), back):
                trip.lost[STACKLESS] += 1
            else:
                trip.compare((folder, hand["hand_no"]), plainly(one), back)
    logs_written = [path.read_bytes() for path in written.folder.glob("*/*.log")]
    copies = Counter(logs_written)
    trip.lost[COPY] += sum(text.count(b"STATE:") * (count - 1) for text, count in copies.items())
    trip.lost[LONGER] += sum(text.count(b"STATE:") for text in copies) - len(read)
    # Nothing else is lost: only what is the beginning of another log.
    assert (trip.lost[LONGER] > 0) == (len(lines) > 0)
    return trip


def history_trip(written: Written, truth: Mapping[Key, Hand]) -> Trip:
    """OHH or PokerStars' text, played and paid by the readers of `oracles.histories`."""
    trip = Trip()
    read = {"ohh": read_ohh, "pokerstars": read_pokerstars}[str(written.kind)]
    for path in sorted(written.folder.iterdir()):
        for index, told in read(path.read_text(encoding="utf-8")):
            hand = truth[int(path.stem), index]
            # By the cards that are shown, and the chips that were put in.
            told.check_winners()
            # Text has hundredths.
            paid = all(
                abs(one - other) < 0.006
                for one, other in zip(sorted(told.result.values()), net(hand["seats"]), strict=True)
            )
            stacks = sorted(seat[2] for seat in hand["seats"])
            trip.compare(
                (path, index),
                [True, stacks, hand["board"][: len(told.board)], [(a[0], a[2]) for a in hand["actions"]]],
                [paid, sorted(told.stacks.values()), told.board, told.moves],
            )
    trip.lost["not read"] += written.hands - trip.equal - len(trip.different)
    return trip


def net(seats: Sequence[tuple[Any, ...]]) -> list[float]:
    """What the players of a hand won, in order."""
    return sorted(seat[4] for seat in seats)
