"""Logs of several engines in one text: each is cut as if it were alone, and what bots send is no log."""

import codecs
import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from support.failures import no_failure
from support.stores import rows

from railbird.ingest import ingest
from railbird.parsers import chunks, dialects, sidecars
from railbird.parsers.acpc import AcpcMatch
from railbird.parsers.dialect import MatchText
from railbird.parsers.dialects import cut_for

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"
LOGS = {
    "mit": SAMPLES / "bounty/2025-01-30.txt",
    "acpc": SAMPLES / "acpc/Heron.Otter.0.log",
    "headless": SAMPLES / "acpc/headless.log",
    "v1": SAMPLES / "koper/v1-mixed.txt",
    "v2": SAMPLES / "koper/v2-mixed.all_games.txt",
}
TEXTS = {name: path.read_bytes() for name, path in LOGS.items()}
ORDERS = [*permutations(LOGS, 2), *permutations(("mit", "acpc", "v1", "v2"))]


def cut(text: bytes) -> list[MatchText]:
    found = cut_for(text)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("order", ORDERS, ids="+".join)
def test_each_log_is_cut_as_if_alone(order: tuple[str, ...]) -> None:
    text = b"".join(TEXTS[name] for name in order)
    found = cut(text)
    assert [match.start for match in found] == [0, *(match.end for match in found[:-1])]
    assert found[-1].end == len(text)
    alone = [(TEXTS[name], match) for name in order for match in cut(TEXTS[name])]
    assert len(found) == len(alone)
    for match, (own, as_alone) in zip(found, alone, strict=True):
        assert text[match.opening : match.end].strip() == own[as_alone.opening : as_alone.end].strip()
        assert not match.cut_short or match is found[-1]
        assert match == replace(
            as_alone,
            start=match.start,
            body=match.body,
            end=match.end,
            opening=match.opening,
            cut_short=match.cut_short,
        )


@pytest.mark.parametrize("order", [("mit", "acpc", "v1", "v2"), ("v2", "v1", "acpc", "mit")], ids="+".join)
def test_every_hand_of_every_engine_is_stored(
    order: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"".join(TEXTS[name] for name in order))
    stores = tmp_path / "whole", tmp_path / "streamed"
    for store in stores:
        (account,) = ingest([log], store).files
        assert (account.status, account.matches, account.hands_stored) == ("ok", 8, 204)
        assert account.lines_unknown == 0
        monkeypatch.setattr(chunks, "WHOLE_BYTES", 4000)
        monkeypatch.setattr(chunks, "_BLOCK", 4000)
    whole, streamed = (
        [(m["dialect"], m["line"], m["match_no"], m["hands"]) for m in rows(store, "matches")]
        for store in stores
    )
    assert sorted(whole) == sorted(streamed)


HEADINGS = (
    b"# name/game/hands/seed a holdem.limit.2p.game 10 1",
    b"STATE:0:rc/cc/cc/cc:2c3c|4c5c/6c7c8c/9c/Tc:-20|20:a|b",
    b"--- Starting Game 1 ---",
    b"TOURNAMENT LOG",
    b"--- Match 1 | Game 1 ---",
    b"6.9630 MIT Pokerbots - a vs b",
    b"Round #1, a (0), b (0)",
)


@pytest.mark.parametrize("said", HEADINGS)
def test_what_a_bot_sends_is_no_log(said: bytes) -> None:
    text = TEXTS["mit"]
    at = text.index(b"\n", text.rindex(b" dealt [")) + 1
    name = cut(text)[0].names[0]
    garbled = text[:at] + name + b" response misformatted: " + said + b"\n" + text[at:]
    (match,) = cut(garbled)
    assert (match.end, match.names) == (len(garbled), cut(text)[0].names)


@pytest.mark.parametrize("said", [HEADINGS[0], *HEADINGS[3:4], *HEADINGS[5:]])
def test_a_heading_that_a_bot_prints_is_no_log(said: bytes) -> None:
    text = TEXTS["v1"]
    at = text.rindex(b"Showdown & Pot Allocation")
    garbled = text[:at] + b"\n" + said + b"\n" + text[at:]
    (match,) = cut(garbled)
    assert match.end == len(garbled)


PHH = b"""variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [10000, 10000]
actions = ['d dh p1 3sAd', 'd dh p2 4d8c', 'p1 f']
hand = 1
players = ['MrWhite', 'MrPink']
"""
MATCHSTATE = b"MATCHSTATE:0:0::Ac8d|\nMATCHSTATE:0:0:f:Ac8d|\n"


def first_lines(name: str, count: int) -> bytes:
    return b"".join(TEXTS[name].splitlines(keepends=True)[:count])


@pytest.mark.parametrize("above", ["mit", "acpc", "v1", "v2"])
def test_a_log_with_records_of_another_kind_behind_its_hands_stays_a_log(above: str, tmp_path: Path) -> None:
    """Lines of PHH in a file made it a file of PHH, of which nothing could be read."""
    log = tmp_path / "log"
    stored = list[int]()
    for text in (first_lines(above, 120), first_lines(above, 120) + PHH):
        log.write_bytes(text)
        (account,) = ingest([log], tmp_path / f"store-{len(stored)}", workers=1).files
        stored.append(account.hands_stored)
        assert account.lines_seen == text.count(b"\n")
    assert stored[0] == stored[1] > 1
    assert dialects.records_for(PHH) is not None
    assert dialects.records_for(MATCHSTATE + PHH) is None


@pytest.mark.parametrize(("above", "lines"), [("acpc", 7), ("acpc", 12), ("headless", 3), ("headless", 1)])
def test_hands_above_a_piece_of_another_log_stay_hands(above: str, lines: int) -> None:
    """A piece of MIT's log that begins within a hand took the lines above it for its own, which nobody could read."""
    own = first_lines(above, lines)
    mit = TEXTS["mit"].splitlines(keepends=True)
    piece = b"".join(mit[next(k for k, line in enumerate(mit) if line.startswith(b"Flop ")) :])
    (alone,) = cut(own)
    first, *others = cut(own + piece)
    assert (first.engine, first.names, first.start, first.body) == (
        alone.engine,
        alone.names,
        alone.start,
        alone.body,
    )
    assert len(own) <= first.end == others[0].start < len(own + piece)
    assert {match.engine for match in others} == {"mit"}


def test_a_file_that_cannot_be_read_has_its_lines_counted(tmp_path: Path) -> None:
    log = tmp_path / "log.phh"
    log.write_bytes(PHH.replace(b"'NT'", b"'NT"))
    (account,) = ingest([log], tmp_path / "store", workers=1).files
    assert (account.status, account.lines_seen) == ("rejected", 8)


@pytest.mark.parametrize("name", LOGS)
def test_a_number_of_thousands_of_digits_is_no_failure(name: str, tmp_path: Path) -> None:
    """Python refuses to read more than 4,300, so that the whole file was left out."""
    lines = first_lines(name, 60).splitlines(keepends=True)
    (tmp_path / "logs").mkdir()
    for at in [k for k, line in enumerate(lines) if re.match(rb"\D*\d", line)][:30:3]:
        edited = [*lines[:at], re.sub(rb"\d+", b"9" * 5000, lines[at], count=1), *lines[at + 1 :]]
        (tmp_path / "logs" / f"{at}").write_bytes(b"".join(edited))
    with no_failure():
        ingest([tmp_path / "logs"], tmp_path / "store", workers=1)


BARE = b"".join(
    b"Round #%d\nann posts the blind of 1\nben posts the blind of 2\nann dealt ['6h', '7h']\nben dealt ['5h', '3h']\n"
    b"ann folds\nann awarded -1\nben awarded 1\nann Bankroll: -%d\nben Bankroll: %d\n\n" % (n, n, n)
    for n in (3, 5, 7)
)
HANDS = b"".join(
    b"Round #%d, x (0), y (0)\nx posts the blind of 1\ny posts the blind of 2\nx dealt [6h 7h]\ny dealt [5h 3h]\n"
    b"x folds\nx awarded -1\ny awarded 1\n\n" % n
    for n in (4, 6)
)
SESSION = b"STATE:0:r200f:Kd9s|2c3d:-50|50:Player0|Player1\n" * 4
LINES_OF_JSON = b'{"hole_cards": 1, "net_pnl": 2, "button_seat": 0}\n' * 3
CONSOLE = b"STARTED at 1353.1\nERROR: could not get action from seat 2\n"
RUNNING = (
    b"22,River,0,-200,200,CHECK,0,\"['3s', '6d']\",\"['8h', '9s']\","
    b"\"['7d', '2d', '4h', '3d', '6s']\",,As,100,100\n"
)


@pytest.mark.parametrize("middle", [b"", HANDS[: HANDS.index(b"\nx posts") + 1]], ids=["clean", "a line"])
def test_hands_above_those_of_an_engine_with_the_same_first_word_stay_hands(middle: bytes) -> None:
    """`Round #3` and `Round #4, x (0), y (0)` begin alike: the second engine took the hands of the first."""
    above, below = cut(BARE + middle + HANDS)
    assert (above.engine, above.names, above.end) == (
        cut(BARE)[0].engine,
        (b"ann", b"ben"),
        len(BARE + middle),
    )
    assert (below.engine, set(below.names)) == ("mit", {b"x", b"y"})
    assert [match.engine for match in cut(HANDS + BARE)] == [below.engine, above.engine]


@pytest.mark.parametrize("middle", [HANDS[: HANDS.index(b"\nx posts") + 1], HANDS[: HANDS.index(b"x folds")]])
def test_the_first_lines_of_a_hand_take_no_hands_of_another_engine(middle: bytes) -> None:
    third = BARE.index(b"Round #7")
    (match,) = cut(BARE[:third] + middle + BARE[third:])
    assert match.engine == cut(BARE)[0].engine


@pytest.mark.parametrize("name", ["mit", "v1"])
@pytest.mark.parametrize("behind", [SESSION, LINES_OF_JSON + PHH, PHH, b"entry,at,order\n"])
def test_records_behind_hands_make_no_file_of_records(name: str, behind: bytes) -> None:
    assert dialects.records_for(first_lines(name, 120) + behind) is None


def test_records_behind_hands_without_first_lines_of_their_own_make_no_file_of_records() -> None:
    """Nothing begins a line of LBR's logs but a number."""
    lines = b"1:Player,BR:0f:3c4c,2s4h|:-50,50(-50.000000)\n2:BR,Player:0f:KsKh,2s4d|:-50,50(1.000000)\n"
    assert dialects.records_for(lines + PHH) is None
    assert dialects.records_for(b"antes = [0, 0]\n" + PHH) is not None


def test_records_that_come_first_decide() -> None:
    """The first dialect in a list took lines of another kind of JSON, above which it has none."""
    public = b'{"street_events": [], "hand_started": 1}\n' * 3
    for one, other in ((public, LINES_OF_JSON), (LINES_OF_JSON, public)):
        assert dialects.records_for(one + other) == dialects.records_for(one) != dialects.records_for(other)


def test_a_line_of_an_error_log_behind_hands_makes_no_error_log() -> None:
    table = RUNNING * 2 + RUNNING.replace(b"22,", b"23,")
    assert sidecars.kind_of(CONSOLE) == "error log of the ACPC dealer"
    assert sidecars.kind_of(table + CONSOLE) is None


def test_hands_that_end_with_a_fold_keep_those_of_another_engine_below_them() -> None:
    """Such hands lack the line that closes others; the next hand says that they have ended."""
    game = b"--- Starting Game %d ---\n\n \n Round 0 starting: Buy-ins and Dealing\n*** EARLY WINNER ***\n\n"
    games = game % 2 + game % 3
    above, below = cut(games + HANDS)
    assert (above.engine, above.end, below.engine) == ("koper-v1", len(games), "mit")


def test_stacks_of_other_players_are_not_those_of_the_first_game() -> None:
    names = [b"ann", b"ben", b"cat", b"dan", b"eve"]
    deals = b"".join(b"['3h', '8c'] dealt to %s\n" % name for name in names)
    stacks = [
        b"".join(b"%s final stack: $1000.00\n" % name for name in some)
        for some in (names[::-1], names[1:] * 2)
    ]
    head = b"--- Match 1 | Game 1 ---\n\nRound 0 starting: Buy-ins and Dealing\n" + deals
    assert [cut(head + some)[0].names for some in stacks] == [tuple(names[::-1]), tuple(names)]


def test_a_number_0_begins_a_match_only_above_a_hand_1() -> None:
    """A damaged number, and a hand that is lost further on, began a match, so that the hand above had no next one."""
    hands = [HANDS[: HANDS.index(b"Round #6")].replace(b"#4", b"#%d" % n) for n in (1, 2, 0, 4, 5, 7)]
    assert len(cut(b"".join(hands))) == 1
    again = [*hands[:2], hands[2], *hands[:2]]
    assert [match.start for match in cut(b"".join(again))] == [0, len(hands[0]) * 2]


def test_the_first_two_hands_of_the_dealer_name_the_players() -> None:
    """Most of the first hands did, so that those of others below changed who plays above."""
    hand = b"STATE:%d:rf:2c3c|4c5c:-5|5:%s\n"
    own = [hand % (n, names) for n, names in enumerate((b"ann|ben", b"ben|ann"))]
    others = [hand % (n, b"|".join((b"cat", b"dan")[:: 1 - 2 * (n % 2)])) for n in range(2, 40)]
    assert cut(b"".join(own + others))[0].names == cut(b"".join(own))[0].names
    damaged = [own[0].replace(b"ann", b"a?n"), *own[1:], *(hand % (n, b"ann|ben") for n in (2, 4, 6))]
    assert cut(b"".join(damaged))[0].names == cut(b"".join(own))[0].names


def test_hands_below_do_not_change_who_sits_where_if_the_second_hand_is_damaged() -> None:
    """The first two hands did not agree, so most of those that follow decided, whoever played them."""
    hand = b"STATE:%d:rf:2c3c|4c5c:-5|5:%s\n"
    names = (b"ann|ben", b"ben|ann")
    own = [
        hand % (0, names[0]),
        hand % (4_000_000_001, b"ben|a?n"),
        hand % (2, names[0]),
        hand % (3, names[1]),
    ]
    others = [hand % (n, names[0]) for n in range(5, 40)]
    for some in (own, own + others):
        match = cut(b"".join(some))[0]
        assert isinstance(match, AcpcMatch)
        assert (match.names, match.fixed) == ((b"ann", b"ben"), False)


def test_states_below_do_not_change_whose_log_it_is() -> None:
    """Most states decided."""
    state = b"MATCHSTATE:%d:%d:r200f:Ac8d|\n"
    own = [state % (n % 2, n) for n in range(3)]
    others = [state % ((n + 1) % 2, n) for n in range(3, 30)]
    told = [owner(b"".join(some)) for some in (own, own + others, others)]
    assert told == [(0, False), (0, False), (1, False)]
    assert owner(b"".join(state % (0, n) for n in range(3))) == (0, True)


def owner(text: bytes) -> tuple[int, bool]:
    """Whose log the first match of a text is, and whether seats are fixed."""
    match = cut(text)[0]
    assert isinstance(match, AcpcMatch)
    return match.owners[0], match.fixed


def test_a_seat_of_thousands_of_digits_costs_a_hand_of_phh(tmp_path: Path) -> None:
    log = tmp_path / "log.phh"
    log.write_bytes(PHH.replace(b"'d dh p1 3sAd'", b"'d dh p%s 3sAd'" % (b"9" * 5000)))
    with no_failure():
        (account,) = ingest([log], tmp_path / "store", workers=1).files
    assert (account.status, account.hands_rejected) == ("partial", 1)


def test_headers_that_are_alike_make_no_match_of_the_engine_below() -> None:
    """MIT's headers of 2015 to 2017 stand above hands that begin with other words."""
    hand = b"Hand #%d, Ann (0), Bob (0)\nAnn posts the blind of 1\nBob posts the blind of 2\nAnn folds\n"
    hand += b"Bob wins the pot (2)\n\n"
    log = b"6.S912 MIT Pokerbots - Ann vs Bob (stack=200, bb=2)\n" + hand % 1 + hand % 2
    found = cut(log + log + b"6.9630 MIT Pokerbots - x vs y\n\n" + HANDS)
    assert [match.engine for match in found] == ["mit-jar", "mit-jar", "mit"]
    assert found[-1].start == 2 * len(log)


def test_a_header_that_is_repeated_within_a_match_begins_no_other() -> None:
    """Whatever stands below: a foreign hand, whose number does not follow, is no reason to lose the hand above it."""
    text = TEXTS["mit"]
    header = text[: text.index(b"\n") + 1]
    second = text.index(b"\n", text.index(b"Round #2,")) + 1
    doubled = text[:second] + header + text[second : text.index(b"\nRound #4,") + 1]
    for below in (b"", b"Round #35, Ann (0), Bob (0)\n", header + b"\n" + text[text.index(b"Round #1,") :]):
        first, *others = cut(doubled + below)
        assert (first.start, first.end) == (0, len(doubled) + (len(below) if len(others) == 0 else 0))
        assert len(others) == (below.startswith(header))


def test_a_hand_that_another_engine_interrupts_is_not_whole() -> None:
    above = b"Hand #%d, Ann (0), Bob (0)\nAnn posts the blind of 1\nBob posts the blind of 2\nAnn folds\n"
    above += b"Bob wins the pot (2)\n\n"
    first = HANDS[: HANDS.index(b"x folds")]
    text = above % 1 + above % 2 + first + above % 3 + b"x awarded 1\n" + HANDS
    found = cut(text)
    assert [match.engine for match in found] == ["mit-jar", "mit"]
    assert found[1].start == len(text) - len(HANDS)


def test_rows_of_a_table_above_a_hand_that_is_not_whole_stay_rows() -> None:
    """Words that begin hands stand in no row of AIVAT's tables; its header is enough."""
    row = b"-12.7, 50.0, 50.0, -0.8, 63.5, As8d, 8c3h, , , , bb, f, , , , 0.0, 0.03, 2016/11/07 12:05:05, \n"
    table = b"AIVAT, Chips, All Hands Chips\n" + row * 3
    first = HANDS[: HANDS.index(b"x folds")]
    found = cut(table + first + HANDS)
    assert [match.engine for match in found] == [cut(table)[0].engine, "mit"]


def test_signs_in_hands_of_others_do_not_tell_the_dialect() -> None:
    """A match of Build4Good with hands of other players behind it was one of their game, and refused."""
    log = (SAMPLES / "build4good/2025-03-29.txt").read_bytes()
    bounty = TEXTS["mit"].replace(b"Round #1,", b"Round #77,")
    names = cut(log)[0].names
    own = log[log.index(b"Round #1,") : log.index(b"\nRound #4,") + 1]
    text = own + bounty[bounty.index(b"Round #77") :]
    told = [dialects.likely(some, 0, len(some), names, "mit") for some in (own, text)]
    assert told[0] == told[1]
    assert dialects.likely(bounty, 0, len(bounty), cut(bounty)[0].names, "mit") != told[0]


@pytest.mark.parametrize(
    "header", [b"6.9630 MIT Pokerbots - a vs b", b"AIVAT, Chips, All Hands Chips", HEADINGS[0]]
)
@pytest.mark.parametrize("after", [b"", b"\n", b"\n\n", b"\nx"])
def test_a_header_alone_is_one_line(header: bytes, after: bytes, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(header + after)
    (account,) = ingest([log], tmp_path / "store", workers=1).files
    assert account.lines_seen == len((header + after).splitlines())


def test_a_doubled_line_of_a_seat_names_no_player_twice() -> None:
    seats = [
        b"Seat %d (%s): %s 0\n" % one
        for one in ((1, b"Button", b"Ann"), (2, b"SB", b"Bob"), (3, b"BB", b"Cy"))
    ]
    whole = b"".join(seats)
    for hands in ([seats[0] + whole, whole], [whole, seats[0] + whole]):
        text = b"6.S912 MIT Pokerbots - Ann vs. Bob vs. Cy\n"
        text += b"".join(b"Hand #%d\n%sAnn folds\n\n" % (3 * k + 1, hand) for k, hand in enumerate(hands))
        assert [match.names for match in cut(text)] == [(b"Ann", b"Bob", b"Cy")]


def test_rows_of_a_table_stay_where_the_first_hand_of_another_engine_below_is_cut() -> None:
    cards = "\"['2d', '8s', '7d', '9s', '8d']\",\"['5h', '6h', '5d', 'Ad', '4s']\""
    table = "".join(
        f"{hand},Pre-Flop,{hand % 2},0,0,FOLD,0,0,0,{cards},[],[],[],1,2\n" for hand in range(4)
    ).encode()
    hand = [
        "Round #47, alpha (-1325), beta (1325)",
        "alpha posts the blind of 1",
        "beta posts the blind of 2",
        "alpha dealt [Ts 2h]",
        "beta dealt [8s Th]",
        "alpha raises to 400",
        "beta calls",
        "Flop [8h Tc Ad], alpha (400), beta (400)",
        "alpha bids 0",
        "beta bids 0",
        "Turn [8h Tc Ad Jd], alpha (400), beta (400)",
    ]
    ends = ["beta checks", "alpha checks", "alpha awarded -400", "beta awarded 400", ""]
    below = "\n".join(
        ["beta awarded 400", "alpha awarded -400", "", *hand, *hand, *ends, *hand, *ends]
    ).encode()
    found = cut(table + below)
    assert [match.engine for match in found] == ["cmu-table-2026", "mit"]
    assert found[1].start == len(table) + below.index(b"Round #")


@pytest.mark.parametrize(
    "below",
    [b'{"kinds": ["Coin"]}\n', b"<-C MATCHSTATE:0:50:r294:8c3c|:k\n", MATCHSTATE],
    ids=["JSON", "mark", "states"],
)
def test_a_line_of_something_else_below_hands_of_phh_leaves_a_file_of_phh(below: bytes) -> None:
    """A file with a line that began with a brace, or a mark, was none of PHH: all its hands were lost."""
    phh = dialects.records_for(PHH)
    assert phh is not None
    for text in (PHH + below, PHH + below + b"\n[2]\n" + PHH):
        assert dialects.records_for(text) == phh
    assert dialects.records_for(b"<html>\n" + PHH) is None
    assert dialects.records_for(b"notes\n<html>\n" + PHH) is None


SMALL = b"Round #1, x (0), y (0)\nx: [6h 7h]\ny: [5h 3h]\nx F\nx: -10\ny: +10\n\n"


@pytest.mark.parametrize(
    ("above", "behind"),
    [
        (b"[1700000000] recv MATCHSTATE:0:0::Ac8d|\n[1700000001] recv MATCHSTATE:0:0:f:Ac8d|\n", PHH),
        (b"S-> MATCHSTATE:0:46:cc/cc/cc/c:5h3c|6d7d/2d9cAd/5c/6c\n", SESSION),
        (SMALL, SESSION),
    ],
    ids=["a clock before each line", "an arrow before each line", "awards in few words"],
)
def test_records_behind_hands_whose_lines_look_otherwise_make_no_file_of_records(
    above: bytes, behind: bytes
) -> None:
    assert dialects.records_for(behind) is not None
    assert dialects.records_for(above + behind) is None


def test_a_line_of_an_error_log_behind_records_makes_no_error_log() -> None:
    assert sidecars.kind_of(LINES_OF_JSON + CONSOLE) is None
    assert dialects.records_for(LINES_OF_JSON + CONSOLE) == dialects.records_for(LINES_OF_JSON)


def test_a_hand_that_those_of_others_cut_short_does_not_tell_the_dialect() -> None:
    """Below one hand of three cards each stands the beginning of another, and the end of a hand of the auction's."""
    log = (SAMPLES / "build4good/2025-03-29.txt").read_bytes()
    names = cut(log)[0].names
    own = log[log.index(b"Round #1,") : log.index(b"\n", log.index(b"Round #2,")) + 1]
    others = b"y awarded 1\nPlayers did not reach flop. No auction occured.\n\n" + HANDS
    told = [
        {one.game for one in dialects.likely(text, 0, len(text), names, "mit")}
        for text in (own, own + others)
    ]
    assert "build4good" in told[0] & told[1]
    assert not told[1] & {"auction", "bounty"}


def test_a_sign_above_the_first_hand_of_others_tells_no_game_that_deals_other_cards() -> None:
    log = (SAMPLES / "build4good/2025-03-29.txt").read_bytes()
    names = cut(log)[0].names
    own = log[log.index(b"Round #1,") : log.index(b"Round #2,")]
    text = own + b"Players did not reach flop. No auction occured.\n\n"
    told = {one.game for one in dialects.likely(text, 0, len(text), names, "mit")}
    assert "build4good" in told
    assert not told & {"auction", "bounty"}


def test_rounds_with_a_number_alone_above_a_hand_that_is_cut_short_are_a_match_of_their_own() -> None:
    """The first hand of others was looked for where any line begins as theirs do."""
    cut_short = b"Round #2, p (2), q (-2)\np posts the blind of 1\nq posts the blind of 2\n\n"
    others = HANDS.replace(b"#4", b"#1").replace(b"#6", b"#2")
    found = cut(b"ann awarded 2\nben awarded -2\n\n" + BARE + cut_short + others)
    assert [match.engine for match in found] == [cut(BARE)[0].engine, "mit", "mit"]
    assert [set(match.names) for match in found] == [{b"ann", b"ben"}, {b"p", b"q"}, {b"x", b"y"}]


def test_records_behind_two_hands_without_their_last_lines_make_no_file_of_records() -> None:
    """A console of Koper whose games were won by folds, above an export of PokerNow."""
    log = (SAMPLES / "koper/v1-folds.txt").read_bytes()
    third = log.index(b"--- Starting Game 3")
    lines = log[:third].split(b"Game End Stacks:")
    assert dialects.records_for(b"entry,at,order\n") is not None
    assert dialects.records_for(b"".join(lines) + b"entry,at,order\n") is None


def test_a_round_that_is_cut_short_below_its_header_takes_no_hands_of_another_engine() -> None:
    """The header's match reached to the rounds of other players further down, and so over the hands between."""
    hand = b"Hand #%d, Ann (0), Bob (0)\nAnn posts the blind of 1\nBob posts the blind of 2\nAnn folds\n"
    hand += b"Bob wins the pot (2)\n\n"
    own = b"2026-03-14 10:00:00 Ann vs Bob\n\nRound #1, Ann (0), Bob (0)\n" + hand % 2 + hand % 3
    for text in (own, own + b"Hand #4, Ann (0), Bob (0)\nAnn posts \n"):
        above, *below = cut(text + HANDS)
        assert (above.engine, set(above.names)) == (cut(own)[0].engine, {b"Ann", b"Bob"})
        assert [(match.engine, match.start) for match in below] == [("mit", len(text))]
    # A hand that is whole takes what is quoted below it.
    assert [match.engine for match in cut(b"x vs y\n\n" + HANDS + hand % 2 + HANDS)] == ["mit"]


def test_the_first_hand_of_a_match_is_one_of_its_players() -> None:
    """A round of others above it, of which nobody was dealt a hand, was taken for it."""
    strangers = b"Round #1, p (0), q (0)\nr calls\nr awarded 4\ns awarded -4\n\n"
    text = strangers + MATCHSTATE + HANDS
    assert [(match.engine, match.end) for match in cut(text)] == [
        ("matchstate", len(strangers + MATCHSTATE)),
        ("mit", len(text)),
    ]


def test_hands_of_a_log_in_a_file_of_another_encoding_stay_hands() -> None:
    """Its first line is PHH in UTF-16. Lines below that made its text a hand of PHH took those of the log."""
    wide = codecs.BOM_UTF16_LE + PHH.decode().encode("utf-16-le")
    line = wide.index(b"\n\0") + 2
    log = BARE + b"\n" * (len(BARE) % 2)
    assert dialects.records_for(wide) == dialects.records_for(wide + log) == dialects.records_for(PHH)
    assert dialects.records_for(wide[:line] + log) is None
    assert dialects.records_for(wide[:line] + log + wide[line:]) is None


def test_a_blind_below_a_hands_first_line_is_no_award_that_makes_the_hand_whole() -> None:
    """`Cid posts blind: 10` gave 10 to a player `Cid posts blind`; such hands hid those of the log above."""
    hand = b"Hand #%d, Ann (0), Bob (0)\nAnn posts the blind of 1\nBob posts the blind of 2\nAnn folds\n"
    log = b"x vs y\n\nRound #1, x (0), y (0)\nx posts the blind of 1\n\n"
    log += hand % 2 + b"Bob wins the pot (3)\n\n" + hand % 3 + b"Bob wins the pot (3)\n\n"
    cut_short = b"Round #3, Cid (0), Dan (0)\nCid posts blind: 10\nDan posts blind: 20\n"
    (alone,), *_ = [cut(log)]
    assert [(match.engine, match.names) for match in cut(log + cut_short)] == [(alone.engine, alone.names)]
    assert set(alone.names) == {b"Ann", b"Bob"}
    # An award to somebody else, of a hand that is cut as well, ends it no more.
    assert len(cut(log + cut_short + b"E awarded 20\n")) == 1
    assert len(cut(log + cut_short + b"Cid awarded 20\n")) == 2
