"""Engines with other rules: of turn, of pay, of blinds, of counting. Intact text is never called damaged."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run
from support.checking import Checked, check

from railbird.replay.simulate import play

PLAYERS = [("Ann", "random"), ("Bob", "calling-station")]
Edit = Callable[[str], str]


def _log(edit: Edit, hands: int, only: int | None = None) -> str:
    """A log of hold'em whose hands are edited, all or one; bankrolls follow the awards."""
    text = play("holdem-mit", PLAYERS, hands, 5, profile="base").text
    head, *rounds, final = text.split("\n\n")
    bank = {"Ann": 0, "Bob": 0}
    out = [head]
    for k, hand in enumerate(rounds):
        now = edit(hand) if only in (None, k) else hand
        first, _, rest = now.partition("\n")
        out.append(re.sub(r"(\w+) \(-?\d+\)", lambda m: f"{m[1]} ({bank[m[1]]})", first) + "\n" + rest)
        for name, award in re.findall(r"(\w+) awarded (-?\d+)", now):
            bank[name] += int(award)
    out.append(re.sub(r"(\w+) \(-?\d+\)", lambda m: f"{m[1]} ({bank[m[1]]})", final))
    return "\n\n".join(out)


def _asks_again(hand: str) -> str:
    """Who is called before the flop is asked once more, and checks."""

    def again(found: re.Match[str]) -> str:
        return f"{found[1]} calls\n{'Bob' if found[1] == 'Ann' else 'Ann'} checks\nFlop"

    return re.sub(r"^(\w+) calls\nFlop", again, hand, flags=re.M)


def _no_option(hand: str) -> str:
    """The big blind is not asked after a call of the small one."""
    return re.sub(r"^(\w+ calls\n)\w+ checks\nFlop", r"\1Flop", hand, flags=re.M)


def _lowest_wins(hand: str) -> str:
    """A showdown is paid to the other player."""
    if " shows [" not in hand:
        return hand
    return re.sub(r"awarded (-?\d+)", lambda m: f"awarded {-int(m[1])}", hand)


RULES = {"again": _asks_again, "street-early": _no_option, "award": _lowest_wins}


def _awards(text: str) -> list[tuple[float, float]]:
    found = [
        dict(re.findall(r"^(\w+) awarded (-?\d+)", hand, re.M))
        for hand in re.split(r"^Round #", text, flags=re.M)[1:]
    ]
    return [(float(one["Ann"]), float(one["Bob"])) for one in found]


@pytest.mark.parametrize("rule", RULES)
def test_one_rule_broken_nearly_always_is_another_game(rule: str) -> None:
    text = _log(RULES[rule], 60)
    found = check(text.encode())
    assert found.verdicts == ["unverified"] * 60
    assert found.rules["other-game"] == 60
    broken = [f for f in found.findings if f.rule == rule]
    assert len(broken) > 10
    assert {f.verdict for f in broken} == {"unverified"}
    assert {f.line for f in found.findings if f.rule == "other-game"} == {broken[0].line}
    assert found.awards == _awards(text)


@pytest.mark.parametrize("rule", RULES)
def test_in_a_shorter_match_each_hand_is_a_violation(rule: str) -> None:
    text = _log(RULES[rule], 19)
    found = check(text.encode())
    assert set(found.rules) == {rule}
    assert found.verdicts.count("violation") == found.rules[rule] > 2
    assert not {"damaged", "unverified"} & set(found.verdicts)
    assert found.awards == _awards(text)


@pytest.mark.parametrize("rule", RULES)
def test_in_one_hand_of_many_it_is_a_violation_of_that_hand(rule: str) -> None:
    whole = check(_log(RULES[rule], 60).encode())
    at = next(f.hand for f in whole.findings if f.rule == rule)
    found = check(_log(RULES[rule], 60, at).encode())
    assert [k for k, verdict in enumerate(found.verdicts) if verdict == "violation"] == [at]
    assert dict(found.rules) == {rule: 1}


def test_an_action_is_that_of_the_player_named_where_the_chips_agree() -> None:
    log = _log(_asks_again, 19)
    found = check(log.encode())
    assert "contribution" not in found.rules


# Limped hands, checked down and won by Ann


def _limped(blinds: list[tuple[int, int]], turned: bool = False, first: int = 1, plus: str = "") -> bytes:
    """A log of hands with these blinds; turned: the dealer posts the big one."""
    lines, ann = ["6.9630 MIT Pokerbots - Ann vs Bob"], 0
    for k, (small, big) in enumerate(blinds):
        dealer, other = ("Ann", "Bob") if k % 2 == 0 else ("Bob", "Ann")
        bank = {"Ann": ann, "Bob": -ann}
        one, two = (other, dealer) if turned else (dealer, other)
        cards = {"Ann": "[As Ad]", "Bob": "[Kc 2h]"}
        lines += ["", f"Round #{k + first}, {dealer} ({bank[dealer]}), {other} ({bank[other]})"]
        lines += [f"{one} posts the blind of {small}", f"{two} posts the blind of {big}"]
        lines += [f"{name} dealt {cards[name]}" for name in (dealer, other)]
        lines += [f"{one} calls", f"{two} checks"]
        board = ["3c", "4d", "9s", "Jc", "Qd"]
        for street, count in (("Flop", 3), ("Turn", 4), ("River", 5)):
            lines.append(f"{street} [{' '.join(board[:count])}], {dealer} ({big}), {other} ({big})")
            lines += [f"{other} checks", f"{dealer} checks"]
        lines += [f"{name} shows {cards[name]}" for name in (dealer, other)]
        won = {"Ann": f"{plus}{big}", "Bob": f"-{big}"}
        lines += [f"{name} awarded {won[name]}" for name in (dealer, other)]
        ann += big
    following = ("Ann", "Bob") if len(blinds) % 2 == 0 else ("Bob", "Ann")
    sums = {"Ann": f"{plus}{ann}", "Bob": f"{-ann}"}
    lines += ["", f"Final, {following[0]} ({sums[following[0]]}), {following[1]} ({sums[following[1]]})"]
    return "\n".join(lines).encode() + b"\n"


def _is_right(found: Checked) -> bool:
    return not found.rules and set(found.verdicts) <= {"ok", "engine_deviation"} and found.nameless == 0


@pytest.mark.parametrize(
    "blinds",
    [
        [(1, 2)] * 8 + [(2, 4)] * 8 + [(5, 10)] * 8,
        [(1, 2)] * 12 + [(2, 4)] * 3,
        [(0, 2)] * 8,
        [(0, 1)] * 2,
        [(5, 10)] * 2,
        [(5, 10)],
        [(25, 50)] * 4,
    ],
)
def test_blinds_are_those_that_the_hands_post(blinds: list[tuple[int, int]]) -> None:
    found = check(_limped(blinds))
    assert _is_right(found), found.rules
    assert {f.rule for f in found.findings} == {"stakes"}


def test_one_blind_that_is_wrong_is_a_violation() -> None:
    text = _limped([(1, 2)] * 12).replace(b"Ann posts the blind of 1\n", b"Ann posts the blind of 3\n", 1)
    found = check(text)
    assert dict(found.rules) == {"blind": 1}
    assert found.verdicts.count("violation") == 1


def test_blinds_on_the_other_seats_are_a_violation_whose_chips_are_right() -> None:
    found = check(_limped([(1, 2)] * 6, turned=True))
    assert found.nameless == 0
    assert found.verdicts == ["violation"] * 6
    assert set(found.rules) == {"blind-order", "turn"}
    assert found.awards == [(2.0, -2.0)] * 6
    found = check(_limped([(1, 2)] * 24, turned=True))
    assert found.verdicts == ["unverified"] * 24


@pytest.mark.parametrize(
    "game", ["holdem-mit", "bounty", "river-of-blood", "auction", "toss", "swap", "blotto"]
)
def test_rounds_may_count_from_0(game: str) -> None:
    text = play(game, PLAYERS, 60, 3).text
    counted = check(text.encode())
    from_zero = re.sub(r"^Round #(\d+)", lambda m: f"Round #{int(m[1]) - 1}", text, flags=re.M)
    for log in (from_zero, from_zero.split("\n\n", 1)[1] if game == "holdem-mit" else from_zero):
        found = check(log.encode())
        assert (found.matches, found.games) == (1, counted.games)
        assert found.numbers == [number - 1 for number in counted.numbers]
        assert (found.verdicts, found.awards, found.rules) == (
            counted.verdicts,
            counted.awards,
            counted.rules,
        )


def test_a_first_round_0_before_a_round_2_is_an_error() -> None:
    text = _limped([(1, 2)] * 6).replace(b"Round #1,", b"Round #0,", 1)
    assert "sequence" in check(text).rules


def test_gains_may_have_a_plus() -> None:
    plain, signed = check(_limped([(1, 2)] * 6)), check(_limped([(1, 2)] * 6, plus="+"))
    assert _is_right(signed)
    assert (signed.awards, signed.finals) == (plain.awards, plain.finals)


def test_verify_begins_with_such_matches_and_says_why_it_exits_with_1(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lowest.txt").write_text(_log(_lowest_wins, 60))
    (tmp_path / "again.txt").write_text(_log(_asks_again, 60))
    paid = "differently from every known game: exit code 1"
    for name, wrong in (("lowest.txt", 1), ("again.txt", 0)):
        store = tmp_path / name.removesuffix(".txt")
        run("ingest", tmp_path / name, "--store", store)
        code, out, _ = run("verify", "--store", store)
        assert code == wrong
        assert out.startswith("Other games: ")
        assert (f"1 match pays {paid}" in out) == bool(wrong)
        assert out.index("Other games: ") < out.index("No violation: ")
        code, out, _ = run("verify", "--store", store, "--allow-other-games")
        assert code == 0
        assert paid not in out
