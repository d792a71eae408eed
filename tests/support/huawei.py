"""A replay of Huawei's contest, written from what its players do and what is paid to them."""

from collections.abc import Sequence

SMALL, BIG = 20, 40

Seat = tuple[str, int, int]
Act = tuple[str, str, int] | tuple[str, str]
"""A player, a word, and the chips of the hand after it; an action without them is followed by what comes instead."""

HOLES = {
    "1001": "SPADES A,HEARTS A",
    "1002": "SPADES K,HEARTS K",
    "1003": "SPADES Q,HEARTS Q",
    "1004": "SPADES J,HEARTS J",
    "1005": "SPADES 4,HEARTS 9",
}
BOARD = ("CLUBS 2", "DIAMONDS 3", "CLUBS 7", "DIAMONDS 8", "CLUBS 10")
KINDS = dict.fromkeys(("1001", "1002", "1003", "1004"), "ONE_PAIR") | {"1005": "HIGH_CARD"}


def table(*seats: Seat) -> list[str]:
    words = ["button: ", "small blind: ", "" if len(seats) == 2 else "big blind: "]
    said = [f"{words[k] if k < 3 else ''}{p} {chips} {money} " for k, (p, chips, money) in enumerate(seats)]
    return ["seat/ ", *said, "/seat ", ""]


def held(players: Sequence[str]) -> list[str]:
    return [line for p in players for line in (f"player {p}:hold/ ", *HOLES[p].split(","), "/hold ", "")]


def hand(
    number: int,
    seats: Sequence[Seat],
    acts: Sequence[Act | str],
    wins: dict[str, int],
    shows: Sequence[str] = (),
    totals: dict[str, int] | None = None,
) -> list[str]:
    """A hand of a replay: chips and pots follow from the chips that each action says."""
    dealt = [p for p, _, _ in (*seats[1:], seats[0])]
    stack = {p: chips for p, chips, _ in seats}
    spent = dict.fromkeys(stack, 0)
    lines = [f"game(id=replay) new hand {number} start...", *table(*seats)]
    lines += [f"score of {p}: {number} {money} {chips} 0" for p, chips, money in seats]
    blinds = [(dealt[0], "blind", SMALL), *([(dealt[1], "blind", BIG)] if len(seats) > 2 else [])]
    board = iter(BOARD)
    for act in (*blinds, "hold", *acts):
        if act == "hold":
            lines += held(dealt)
        elif isinstance(act, str):
            cards = [next(board) for _ in range(3 if act == "flop" else 1)]
            lines += [f"{act}/ ", *cards, f"/{act} ", ""]
        else:
            lines.append(f"player {act[0]} action {act[1]}")
            if len(act) > 2:
                p = act[0]
                spent[p] = act[2]
                lines += [
                    f"player {p} bet {spent[p]} rest {stack[p] - spent[p]}",
                    f"pot num {sum(spent.values())} current bet {max(spent.values())} least raise {BIG}",
                ]
            else:
                lines.append(f"player {act[0]} time out")
    lines += [f"player {p} show down: {KINDS[p]} [{HOLES[p].replace(',', '] [')}]" for p in shows]
    lines += [f"player {p} win pot: {chips}" for p, chips in wins.items()]
    after = {p: chips + money - spent[p] + wins.get(p, 0) for p, chips, money in seats}
    after |= totals or {}
    return lines + [f"score of {p}: {number} 0 {after[p]} 0" for p in stack]


def replay(*hands: Sequence[str]) -> str:
    lines = ["game start(id=replay)", *(f"reg: player id={p} name=same money=3000" for p in HOLES)]
    lines += [line for each in hands for line in each]
    return "".join(
        f"-{k}>\n{line}\n" if line and line[0] in "gprs" else f"{line}\n" for k, line in enumerate(lines)
    )
