"""Hands of PHH by the compiled scan and by the reader of any hand: the same lines, places and matches."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.phh import FOLDED, LIMITED, MIXED, PLAYED, file_of

from railbird.parsers.phh import translated
from railbird.parsers.records import Record
from railbird.parsers.table_lines import Lines, Translated


def read(
    text: bytes, is_quick: bool, most: int = 1 << 24, block: int = 1 << 22, longest: int = 1 << 26
) -> Translated:
    """All that is made of a file, whose blocks have so many bytes or the rest of a line more."""
    out = Lines()
    list(translated(blocks(text, block), out, is_quick, most, longest))
    return out.take()


def blocks(text: bytes, size: int) -> Iterator[Record]:
    at = line = 0
    while at < len(text):
        end = text.find(b"\n", at + size) + 1 or len(text)
        yield Record(line + 1, text[at:end])
        line += text.count(b"\n", at, end)
        at = end


def assert_alike(one: Translated, other: Translated) -> None:
    assert one.text == other.text
    assert one.matches == other.matches
    assert one.line_of.tolist() == other.line_of.tolist()
    assert len(one.line_of) == one.text.count(b"\n")


def mutated(text: bytes, seed: int) -> bytes:
    """The text with one to four damages."""
    by_chance = random.Random(seed)
    for _ in range(by_chance.randint(1, 4)):
        at = by_chance.randrange(len(text))
        lines = text.splitlines(keepends=True)
        k = by_chance.randrange(len(lines))
        kind = by_chance.randrange(7)
        if kind == 0:
            text = text[:at] + text[at + by_chance.randint(1, 3) :]
        elif kind == 1:
            text = (
                text[:at]
                + by_chance.choice([b"'", b",", b"#", b"0", b".", b" ", b"\\", b"\n", b"?"])
                + text[at:]
            )
        elif kind == 2:
            text = b"".join([*lines[:k], lines[k], *lines[k:]])
        elif kind == 3:
            text = b"".join([*lines[:k], *lines[k + 1 :]])
        elif kind == 4:
            text = text[:at] + bytes([by_chance.randrange(256)]) + text[at + 1 :]
        elif kind == 5:
            text = re.sub(rb"\b\d+", lambda found: found[0] * by_chance.randint(0, 2), text, count=k)
        else:
            text = text[:at]
        text = text or b"\n"
    return text


@pytest.mark.parametrize("end", ["\n", "\r\n", " \t\n"])
def test_both_ways_write_the_same(end: str) -> None:
    text = file_of(MIXED).replace(b"\n", end.encode())
    made = read(text, True)
    assert_alike(made, read(text, False))
    unread = made.text.count(b"\nhand unread: ")
    assert unread == 6
    assert made.text.count(b"\nend\n") == text.count(b"finishing") + text.count(b"winnings") - unread


def test_a_hand_has_the_lines_of_its_players_and_actions() -> None:
    made = read(PLAYED.encode() + b"_own = [1]\n", True)
    assert made.text.decode().splitlines() == [
        'table phh ["Ann", "Bea #1", "Cy"]',
        "hand 1 2",
        "limit 0 50 0",
        *("seat 0 4090", "seat 1 550", "seat 2 -1", "ante 2 500", "small 0 25", "big 1 50", "price 50"),
        *("deal 0 Ah Kh", "hidden 1 2", "deal 2 2c 2d", "raise 2 200", "call 0", "fold 1"),
        *(
            "board 3s 4s 9d",
            "call 0",
            "call 2",
            "board Ts",
            "call 0",
            "call 2",
            "board Jc",
            "call 0",
            "call 2",
        ),
        *("show 0 Ah Kh", "show 2 2c 2d", "win 2 450", "end"),
    ]
    assert made.line_of.tolist() == [1] * 10 + [7] * 17 + [1] * 2
    (match,) = made.matches
    assert (match.unit, match.chip, match.stack) == (100, 1, 4090)
    assert (match.small_blind, match.big_blind) == (25, 50)


@pytest.mark.parametrize("seed", range(200))
def test_both_ways_write_the_same_of_damaged_files(seed: int) -> None:
    text = mutated(file_of(MIXED), seed)
    assert_alike(read(text, True), read(text, False))


@pytest.mark.corpus_files("phh/*.phh", "phh/*/*.phh*", "phh/*/*/*.phh")
def test_both_ways_write_the_same_of_published_files(corpus_file: Path) -> None:
    text = corpus_file.read_bytes()
    assert_alike(read(text, True), read(text, False))
    for seed in range(8):
        damaged = mutated(text, seed)
        assert_alike(read(damaged, True), read(damaged, False))


@pytest.mark.parametrize("block", [1, 100, 1000])
def test_blocks_of_a_file_make_no_difference(block: int) -> None:
    text = file_of(MIXED)
    for is_quick in (True, False):
        assert_alike(read(text, is_quick, block=block), read(text, True))


def test_a_table_is_one_match_however_many_hands_it_has() -> None:
    text = file_of([PLAYED, FOLDED] * 2000)
    made = read(text, True)
    assert [match.names[0] for match in made.matches] == [b"Ann", b"Dan"]
    assert len(made.line_of) > 80_000


def test_where_too_much_waits_tables_that_were_left_are_taken_first() -> None:
    hands = [*[FOLDED] * 5, *[LIMITED] * 10, *[PLAYED] * 40, FOLDED, LIMITED]
    made = read(file_of(hands), True, most=6000)
    assert_alike(made, read(file_of(hands), False, most=6000))
    played = [made.text[match.body : match.end].count(b"\nend\n") for match in made.matches]
    engines = [match.engine for match in made.matches]
    assert engines == ["phh-limit", "phh-omaha", "phh", "phh", "phh-limit", "phh-omaha"]
    assert (played[:2], played[-2:]) == ([5, 10], [1, 1])
    assert sum(played) == len(hands)


def test_a_match_has_sixty_players_at_most() -> None:
    hands = [PLAYED.replace("'Cy'", f"'Cy {number}'") for number in range(150)]
    made = read(file_of(hands), True)
    assert_alike(made, read(file_of(hands), False))
    assert [len(match.names) for match in made.matches] == [60, 60, 36]


def test_a_hand_without_an_end_is_left_out_and_the_next_is_read() -> None:
    text = file_of([PLAYED, PLAYED + "odd = [\n" + "1,\n" * 4000, FOLDED])
    for is_quick in (True, False):
        made = read(text, is_quick, block=500, longest=3000)
        assert b"\nhand unread: a table of more than 0.00286102 MB\t" in made.text
        assert [match.engine for match in made.matches] == ["phh", "phh-limit"]
        assert made.line_of.tolist()[-1] == text.count(b"\n", 0, text.rfind(b"[3]")) + 1


def test_many_tables_and_names_are_read() -> None:
    hands = [
        FOLDED.replace("hand =", f"table = 'T{k}'\nhand =").replace("Dan", f"Dan {k}") for k in range(4500)
    ]
    made = read(file_of(hands), True)
    assert_alike(made, read(file_of(hands), False))
    assert [match.names[0] for match in made.matches] == [b"Dan %d" % k for k in range(4500)]


@pytest.mark.parametrize(
    ("posts", "stacks", "first"),
    [
        ((1, 2, 4), (100, 100, 100), None),
        ((1, 2, 4), (100, 100, 2), 0),
        ((1, 2, 4), (100, 100, 1), None),
        ((2, 2, 2), (100, 100, 100), 0),
        ((4, 2, 4), (100, 100, 100), 0),
        ((0, 0, 4), (100, 100, 100), None),
        ((2, 4), (100, 100), None),
        ((4, 2), (100, 100), 0),
        ((2, 2), (100, 100), 0),
        ((2, 1), (1, 100), 0),
        ((4, 8), (100, 3), None),
    ],
)
def test_both_ways_say_alike_who_acts_first(
    posts: tuple[int, ...], stacks: tuple[int, ...], first: int | None
) -> None:
    count = len(posts)
    deals = ", ".join(f"'d dh p{k} ????'" for k in range(1, count + 1))
    hand = (
        f"variant = 'NT'\nantes = {[0] * count}\nblinds_or_straddles = {[*posts]}\nmin_bet = 2\n"
        f"starting_stacks = {[*stacks]}\nactions = [{deals}]\nplayers = {list('ABC'[:count])}\n"
    ).encode()
    made = read(hand, True)
    assert_alike(made, read(hand, False))
    said = re.findall(rb"\nfirst (\d)\n", made.text)
    assert said == ([] if first is None else [b"%d" % first])
