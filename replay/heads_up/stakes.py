"""The stakes of a heads-up match: those of the rules, or those found from its lines."""

import numpy as np

from ...jit.compile import part, rare
from ...parsers import events as ev
from ...parsers.reading import Events
from ...parsers.record_values import AGREED
from .. import findings, records, stakes
from ..findings import Report
from . import state as s
from .state import Engines, find

_BLINDS_WITHIN = 6
"""Lines from a hand's first in which its blinds are looked for."""


@part
def _put_in(found: Events, k: int, permutes: int) -> tuple[int, int]:
    """Each player's contribution in a street line, in its order; half of the pot if it prints the pot."""
    values = found.values
    at: int = found.args[k] + 0
    at += values[at] + 1
    if permutes:
        at += values[at] + 1
    if found.codes[k] >= ev.POT_FLOP:
        half = values[at] // 2
        return half, values[at] - half
    return values[at + 1] + 0, values[at + 3] + 0


@part
def _has_chips(code: int, engines: Engines) -> bool:
    """True for the line of a street that says more than its name."""
    return engines.streets[code] > 0 and (code < ev.BARE_FLOP or code >= ev.POT_FLOP)


@part
def _is_known(engines: Engines, stack: int) -> bool:
    """True for a stack that the game's engines have had."""
    for profile in range(len(engines.masks)):  # noqa: SIM110 - a generator would not compile
        if engines.stacks[profile] == stack:
            return True
    return False


@part
def _printed(found: Events, k: int, match: np.void) -> int:
    """The stack by a line of stacks below a street's line: chips left and chips put in; 0 for none."""
    values, at = found.values, found.args[k] + 0
    put, other_put = _put_in(found, k - 1, match["permutes"])
    stack: int = values[at] + put
    return stack if stack == values[at + 1] + other_put and 0 < stack <= stakes.LARGEST_STACK else 0


@part
def _printed_stack(found: Events, first: int, last: int, match: np.void, engines: Engines) -> int:
    """The stack that nearly all lines of stacks agree on, 0 if there is none.

    The first few lines are enough if they agree on a stack that an engine of the game has had, as in nearly all logs,
    or if nearly all of them agree on another one: what follows may be of another match.
    """
    usual = votes = lines = others = agree = differ = 0
    for again in range(2):
        for k in range(first + 1, last):
            if found.codes[k] != ev.STACKS or not _has_chips(found.codes[k - 1] + 0, engines):
                continue
            stack = _printed(found, k, match)
            if again:
                agree += stack == usual
                differ += stack != usual
                continue
            # The only one that can be the majority's; all lines before its first count against it.
            if votes == 0:
                usual, others = stack, lines + 0
            votes += 1 if stack == usual else -1
            lines += 1
            others += stack != usual
            believed = stakes.believed(lines - others, others)
            if usual and (believed or (votes == stakes.ENOUGH and _is_known(engines, usual))):
                return usual
    known = agree > differ and _is_known(engines, usual)
    return usual if known or stakes.believed(agree, differ) else 0


@part
def _has_amount(code: int) -> bool:
    """True for the event of a blind, a bet or a raise, which has the player's chips of the street."""
    return (ev.BLIND <= code <= ev.RAISE and code not in _NO_AMOUNT) or code == ev.AMOUNT_ONLY


@rare
def _stack_by_runouts(found: Events, first: int, last: int, match: np.void, engines: Engines) -> int:
    """The stack where an all-in ends the lines of the board: what was put in by a showdown before the last street.

    Hands count whose loser pays what was put in; one whose lines are lost or doubled hardly does. A street's line with
    that stack in the pot contradicts it: no street follows an all-in.
    The first few are enough if they agree: hands below may be of another match.
    0 if nearly all such showdowns do not agree, or there is none. A single one is enough only for a stack that an
    engine of the game has had, or where the match has its own blinds.
    """
    usual = votes = agree = differ = others = 0
    for again in range(2):
        # Put in before the street; the most; at a showdown before the last street, 0 for none; the street
        before = top = shown = street = 0
        for k in range(first, last):
            code = found.codes[k] + 0
            if code == ev.ROUND:
                before = top = shown = street = 0
            elif _has_amount(code):
                top, shown = max(top, before + found.values[found.args[k] + 1]), 0
            elif code == ev.FOLD or code == ev.CALL or code == ev.CHECK:
                shown = 0
            elif _has_chips(code, engines):
                put, other_put = _put_in(found, k, match["permutes"])
                before, street = max(put, other_put), engines.streets[code] + 0
                top, shown = before, 0
            elif code == ev.SHOW:
                if found.codes[k - 1] != ev.SHOW and street < match["last_street"] and top > before:
                    shown = top
            elif code == ev.AWARD and street >= 0:
                paid = abs(found.values[found.args[k] + 1])
                if shown and (paid == 0 or paid == shown):
                    if again:
                        agree += shown == usual
                        differ += shown != usual
                    else:
                        if votes == 0:
                            usual = shown
                        votes += 1 if shown == usual else -1
                        others += shown != usual
                        if votes == stakes.ENOUGH and others == 0 and usual <= stakes.LARGEST_STACK:
                            return usual
                elif before >= usual and (paid == 0 or paid >= before):
                    differ += again
                    others += usual > 0
                # A hand's first award counts.
                street = -1
    few = 1 if match["written_stakes"] or _is_known(engines, usual) else 2
    sure = agree >= few and agree >= stakes.FOR_ONE * differ
    return usual if sure and 0 < usual <= stakes.LARGEST_STACK else 0


Most = tuple[int, int, int, int, int, int, int]
"""The most that a player put in; in how many hands, in how many of them by a raise below the minimum; two of the
amounts that are printed of it, which are those of a street, and how many of these there are, up to _MANY_WAYS; in how
many of the hands the other player called."""

_MANY_WAYS = 3
_NO_AMOUNT = (ev.DEALT, ev.FOLD, ev.CALL, ev.CHECK)


@part
def _once_more(most: Most, short: int, amount: int, called: int) -> Most:
    """Another hand that came to the same."""
    top, hands, by_short, one, two, ways, calls = most
    if ways < _MANY_WAYS and amount not in (one, two):
        two, ways = amount, ways + 1
    return top, hands + 1, by_short + short, one, two, ways, calls + called


@part
def _with_hand(
    most: tuple[Most, Most, Most], top: int, short: int, amount: int, called: int
) -> tuple[Most, Most, Most]:
    """The three largest amounts that were the most of a hand, and one hand more."""
    first, second, third = most
    new = (top, 1, short, amount, amount, 1, called)
    if top > first[0]:
        return new, first, second
    if top == first[0]:
        return _once_more(first, short, amount, called), second, third
    if top > second[0]:
        return first, new, second
    if top == second[0]:
        return first, _once_more(second, short, amount, called), third
    if top > third[0]:
        return first, second, new
    if top == third[0]:
        return first, second, _once_more(third, short, amount, called)
    return most


@part
def _called_all_in(most: tuple[Most, Most, Most], largest: int, engines: Engines) -> int:
    """The stack that nearly all of the largest bets so far were called at, 0 if there is none.

    largest: of the stacks that the game's engines have had, which are believed as one above it is; a smaller one may
    be what players like to bet.
    """
    further = 0
    for place in range(len(most)):
        stack, hands, calls = most[place][0], most[place][1], most[place][6]
        if stakes.believed(calls, further):
            fits = _is_known(engines, stack) or largest < stack <= stakes.LARGEST_STACK
            return stack if fits else 0
        further += hands
    return 0


@part
def _stack_by_bets(found: Events, first: int, last: int, match: np.void, engines: Engines) -> int:
    """Of the stacks that the game's engines have had the smallest that holds what the players bet.

    Not where amounts of exactly that stack, its all-ins, are the rule and one above it is the exception.

    It is another stack where several hands come to that and hardly any further, and the game's engines have had none as
    large, or some come to it by a raise below the minimum: all-ins. So are bets of many sizes that come to the same
    sum, where no hand goes further. It is the most that a player put in where the
    largest does not hold what they bet in several hands, in one where the match has its own blinds.

    All hands count, since a stack is only seen once somebody is all-in, until called bets of the first hands tell it
    (`_called_all_in`): hands below may be of another match.
    """
    smallest = largest = match["stack"]
    for profile in range(len(engines.masks)):
        smallest, largest = min(smallest, engines.stacks[profile]), max(largest, engines.stacks[profile])
    codes, values, big = found.codes, found.values, match["big_blind"]
    none = (0, 0, 0, 0, 0, 0, 0)
    most = (none, none, none)
    # Put in before the street; the most in the hand, whether that raise was short, the amount printed of it; what
    # both have put in
    before = top = is_short = printed = matched = 0
    bet = raised = 0  # of the street: the chips to match, and how many more they are than those before
    at_smallest = above = all_ins = beyond = short = 0
    for k in range(first, last + 1):
        code = codes[k] if k < last else ev.ROUND
        if code == ev.CALL or (code == ev.AMOUNT_ONLY and values[found.args[k] + 1] == bet):
            raised, matched = 0, before + bet
        elif _has_amount(code) or code == ev.BID or code == ev.RAISE_BY:
            amount = values[found.args[k] + 1]
            if code == ev.RAISE_BY:
                if k + 1 < last and codes[k + 1] == ev.AWARD:
                    # Nobody answers a raise that is refused.
                    continue
                amount += bet
            put = before + amount
            if put > top:
                top, is_short, printed = put, 0, amount + 0
            if code == ev.BID:
                continue
            if code != ev.BLIND:
                at_smallest += put == smallest
                above += put > smallest
                if amount < bet + max(raised, big):
                    short += 1
                    is_short = 1 if put == top else is_short
            bet, raised = amount, amount - bet
        elif code == ev.ROUND:
            all_ins += top == largest
            beyond += top > largest
            called = 1 if 0 < top == matched else 0
            most = _with_hand(most, top + 0, is_short + 0, printed + 0, called)
            if called and top >= smallest:
                stack = _called_all_in(most, largest, engines)
                if stack:
                    return stack
            before = top = is_short = printed = bet = raised = matched = 0
        elif _has_chips(code + 0, engines):
            one, other_one = _put_in(found, k, match["permutes"])
            # Rows say no pot: both have matched the street's bets.
            before = before + bet if match["rows"] else max(one, other_one)
            above += before > smallest
            bet = raised = 0
    fitting: int = largest if above and above >= at_smallest else smallest
    further = 0
    for place in range(len(most)):
        stack, hands, by_short, _, _, ways, _ = most[place]
        # The blinds alone may reach this once they are above the stack; far more hands reach the stack.
        below = most[place + 1][1] if place + 1 < len(most) else 0
        if stakes.believed(hands, further) and not stakes.believed(below, hands + further):
            if _is_known(engines, stack):
                return fitting
            own = stakes.FOR_ONE * hands >= all_ins
            if stack < largest:
                own = by_short > 1 + stakes.FOR_ONE * (short - by_short) or (
                    ways == _MANY_WAYS and not further
                )
            if own and stack <= stakes.LARGEST_STACK:
                return stack
        further += hands
    enough = 1 if match["written_stakes"] else stakes.ENOUGH
    other = beyond >= enough and beyond >= stakes.FOR_ONE * all_ins
    return most[0][0] if other and most[0][0] <= stakes.LARGEST_STACK else fitting


@part
def _posted(found: Events, first: int, k: int) -> int:
    """Both blinds of a hand where the second is posted directly after the first, else 0."""
    codes = found.codes
    if (
        codes[k] != ev.BLIND
        or k == first
        or codes[k - 1] != ev.BLIND
        or (k > first + 1 and codes[k - 2] == ev.BLIND)
    ):
        return 0
    small, big = found.values[found.args[k - 1] + 1], found.values[found.args[k] + 1]
    return stakes.packed(small, big) if 0 <= small <= big < stakes.BLIND_LIMIT and big > 0 else -1


@part
def _usual_blinds(found: Events, first: int, last: int) -> int:
    """Both blinds that the first hands agree on; 0 for none, and where no few hands agree, those that most hands post.

    Hands below may be of another match, or of a higher level (`rise`).
    """
    usual = votes = 0
    for k in range(first, last):
        posted = _posted(found, first, k)
        if posted == 0:
            continue
        if votes == 0:
            usual = posted
        votes += 1 if posted == usual else -1
        if votes == AGREED:
            return usual
    return usual


@part
def _until_others(found: Events, first: int, last: int, blinds: int) -> int:
    """The first event of hands in a row with other blinds, more than errors explain; `last` for none."""
    others, begin, opened = 0, last, last
    for k in range(first, last):
        if found.codes[k] == ev.ROUND:
            opened = k
        posted = _posted(found, first, k)
        if posted == 0:
            continue
        others = others + 1 if posted != blinds else 0
        begin = min(opened, k) if others == 1 else begin
        if others == AGREED:
            return begin
    return last


@part
def _are_played(found: Events, first: int, last: int, match: np.void, engines: Engines, blinds: int) -> bool:
    """True if nearly all hands post the blinds, and hands without a raise have them in the pot on the flop.

    Folds to them must not lose what the rules' blinds are.
    """
    small, big = blinds // stakes.BLIND_LIMIT, blinds % stakes.BLIND_LIMIT
    unraised = folded = False
    agree = differ = confirm = deny = 0
    for k in range(first, last):
        code = found.codes[k]
        posted = _posted(found, first, k)
        if posted:
            unraised = posted == blinds
            agree += unraised
            differ += not unraised
        elif code == ev.ROUND or code == ev.RAISE or code == ev.AMOUNT_ONLY:
            unraised = folded = False
        elif code == ev.FOLD:
            unraised, folded = False, unraised
        elif folded and code == ev.AWARD:
            lost = -found.values[found.args[k] + 1]
            deny += lost == match["small_blind"] and lost != small and lost != big
        elif unraised and _has_chips(code + 0, engines):
            put, other_put = _put_in(found, k, match["permutes"])
            called = put == big and other_put == big
            confirm += called
            deny += not called
            unraised = False
    few = agree < stakes.ENOUGH and differ == 0 and (agree > 1 or confirm > 0)
    return (few or stakes.believed(agree, differ)) and confirm >= stakes.FOR_ONE * deny


@part
def _paid(found: Events, first: int, last: int, match: np.void) -> int:
    """The end of the last paid hand: a rejected hand is no evidence of the stakes."""
    for k in range(last - 1, first, -1):
        code = found.codes[k]
        if match["prints"][s.COUNT_LINES]:
            paid = code == ev.COUNTS
        elif match["bids_told"]:
            paid = code == ev.BIDS or code == ev.NO_AUCTION
        else:
            before = found.codes[k - 1]
            paid = (code == ev.AWARD or code == ev.SWAP_AWARD) and (
                before == ev.AWARD or before == ev.SWAP_AWARD
            )
        if paid:
            return k + 1
    return first


@rare
def fit(found: Events, first: int, last: int, match: np.void, engines: Engines) -> None:
    """Set the blinds and the stack that a match was played with; where the rules have others, note those.

    The user's options decide; without them, the lines do.
    """
    stack = match["given_stack"]
    match["written_stakes"] = 0
    last = _paid(found, first, last, match)
    written = stakes.packed(match["small_blind"], match["big_blind"])
    match["written_blinds"] = written
    usual = match["given_blinds"]
    if match["level_hands"]:
        # The rules fix the stakes of a game whose blinds rise.
        usual = written if usual == 0 else usual
        stack = match["stack"] if stack == 0 else stack
    if usual == 0:
        usual = _usual_blinds(found, first, last)
        # The blinds of rows are those that most of them say.
        said = match["rows"] > 0 or usual == written
        if usual > 0 and not said:
            until = _until_others(found, first, last, usual)
            if not _are_played(found, first, until, match, engines, usual):
                usual = written
    if usual > 0 and usual != written:
        match["small_blind"], match["big_blind"] = usual // stakes.BLIND_LIMIT, usual % stakes.BLIND_LIMIT
        match["written_stakes"] = written
    if stack == 0 and match["prints"][s.STACK_LINES]:
        stack = _printed_stack(found, first, last, match, engines)
    if stack == 0 and match["hides_runouts"]:
        stack = _stack_by_runouts(found, first, last, match, engines)
    if stack == 0:
        stack = _stack_by_bets(found, first, last, match, engines)
    match["own_stack"] = not _is_known(engines, stack)
    match["stack"] = stack
    if match["own_stack"]:
        match["written_stakes"] = written


@part
def rise(found: Events, event: int, last: int, match: np.void, engines: Engines) -> None:
    """Change the match's blinds where a hand and the next ones post others than the hands before.

    Blinds that the user gives stay. One hand, or two in a row, with other blinds are an error of the log.
    event, last: of the hand's round line; where the match ends.
    """
    if match["given_blinds"]:
        return
    if match["level_hands"]:
        _rise_as_written(found, event, last, match)
        return
    posted = 0
    for k in range(event + 2, min(event + _BLINDS_WITHIN, last)):
        if posted == 0 and found.codes[k] == ev.BLIND:
            posted = _posted(found, event, k)
    if posted > 0 and posted != stakes.packed(match["small_blind"], match["big_blind"]):
        _rise_to(found, event, last, match, engines, posted)


@rare
def _rise_as_written(found: Events, event: int, last: int, match: np.void) -> None:
    """Set the blinds of a hand by the game's levels; no level begins with the last hand of a match."""
    number = found.values[found.args[event]] + 0
    level = number // match["level_hands"]
    if level > 0 and number % match["level_hands"] == 0:
        following = event + 1
        while following < last and found.codes[following] != ev.ROUND:
            following += 1
        level -= following == last
    match["small_blind"] = match["written_blinds"] // stakes.BLIND_LIMIT
    match["big_blind"] = match["written_blinds"] % stakes.BLIND_LIMIT
    if level > 0:
        match["small_blind"], match["big_blind"] = level * match["level_small"], level * match["level_big"]


@rare
def _rise_to(found: Events, event: int, last: int, match: np.void, engines: Engines, posted: int) -> None:
    """Set the match's blinds if the hands from one on post these."""
    hands, k = 0, event + 1
    while k < last and hands < stakes.ENOUGH:
        if found.codes[k] == ev.BLIND:
            other = _posted(found, event, k)
            if other != 0 and other != posted:
                return
            hands += other == posted
        k += 1
    # To the end of the last of these hands
    while k < last and found.codes[k] != ev.ROUND:
        k += 1
    if hands < AGREED or not _are_played(found, event, k, match, engines, posted):
        return
    match["small_blind"], match["big_blind"] = posted // stakes.BLIND_LIMIT, posted % stakes.BLIND_LIMIT
    if posted != match["written_blinds"]:
        match["written_stakes"] = match["written_blinds"]


@rare
def tell(report: Report, line: int) -> None:
    """Report in the first hand that the match's stakes differ from the rules."""
    match = report.match
    played = stakes.packed(match["small_blind"], match["big_blind"])
    found = find(report, line, -1, findings.STAKES, float(match["written_stakes"]), float(played))
    report.findings[found]["verdict"] = records.DEVIATION
    report.findings[found]["deviation"] = match["stakes_deviation"]
    match["written_stakes"] = 0
