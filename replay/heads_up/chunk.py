"""Heads-up games replayed: from the events of some matches to filled sheets, verdicts and tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import new_record
from ...jit.hooks import Hook, HookError, failure, hook
from ...parsers import events
from ...parsers.dialect import MatchText
from ...parsers.reading import Pool, Scanned
from ...parsers.sources import WishError
from ...schema.words import DEALER_FIRST, LOWEST, NUMBERED
from .. import another_game, hooks, records
from ..betting import MOST_OF_STREET
from ..cards import RANKS, RED_SUITS, SUITS
from ..findings import BLIND, DEAL, STACKS, TOO_LARGE
from ..flags import flag_seats
from ..games import ALL_INS_BY_EQUITY, MOST_HOLE_CARDS, MOST_PROFILES, MOST_STEPS, STAKES, Game, Profile
from ..orders import deck_mask
from ..outcome import FOREIGN, NOT_PAID, MatchInfo, Outcome, Rejected
from ..records import Sheets
from ..rows import Assembler, MatchFacts
from ..stakes import FOR_ONE, Stakes, packed
from . import bets_ev, state, table_rows
from .judging import BITS
from .state import Engines
from .steps import STEP
from .walk import walk

_FINDINGS_PER_EVENT = 10
_BEFORE_RIVER = 4
"""Cards on the board."""
_ENOUGH_TELL = 5
"""Streets by which one order of acting must be ahead of the others."""
_CHANGES = [
    events.HOLE,
    events.AUCTION_WON,
    events.REVEALED,
    events.DISCARD,
    events.PASSES,
    events.PASS_PLACES,
    events.REDRAW_HOLE,
    events.REDRAW_BOARD,
]
"""Lines that write a row of changes."""
_ACTIONS = [
    *range(events.FOLD, events.RAISE + 1),
    events.BID,
    events.DISCARD,
    events.ASSIGN,
    events.PASSES,
    events.PASS_PLACES,
    # In short logs a hand's line also represents its blinds.
    events.HAND_ONLY,
    events.AMOUNT_ONLY,
    events.RAISE_BY,
]
"""Lines that write a row of actions, once."""
_NO_SHOWS = "{}.no-shows"
_THIRD_TURN = "{}.limp-third-turn"
_EXPLAINS = {
    "explains_free_fold": "{}.free-fold",
    "explains_no_shows": _NO_SHOWS,
    "explains_bare": "{}.bare-streets",
    "explains_no_run": "{}.run-unreported",
    "explains_tied_run": "{}.tie-won",
    "explains_no_flop": "{}.no-flop-betting",
    "explains_above": "{}.more-than-the-stack",
    "explains_back": "{}.call-takes-back",
    "explains_fold_shown": "{}.fold-shown",
    "explains_third_turn": _THIRD_TURN,
    "explains_price": "{}.raise-of-the-price",
    "explains_doubled": "{}.doubled-minimum-raise",
    "explains_last_chip": "{}.last-chip-raise-refused",
    "explains_open": "{}.small-blind-call-leaves-street-open",
    "explains_no_option": "{}.no-option-for-the-big-blind",
}


@dataclass(frozen=True)
class HeadsUpReplayed:
    """Matches of a heads-up game that were replayed together (`outcome.Replayed`).

    sheets belong to the pool; notes is one a line event (`walk`).
    """

    game: Game
    sheets: Sheets
    notes: NDArray[np.uint8]

    @cached_property
    def _records(self) -> list[dict[str, Any]]:
        """The matches' rows as Python values."""
        rows = self.sheets.matches
        names = rows.dtype.names or ()
        return [dict(zip(names, row, strict=True)) for row in rows.tolist()]

    def outcome(self, place: int) -> Outcome:
        """What was found of a match."""
        game, record = self.game, self._records[place]
        rejected = (Rejected(record["reject_line"], NOT_PAID),) if record["rejected"] else ()
        return Outcome(
            hands=record["hands"],
            last_event=record["end"],
            complete=bool(record["final"]),
            profile=game.profiles[record["profile"]].name,
            profiles=tuple(p.name for k, p in enumerate(game.profiles) if record["ties"] >> k & 1),
            columns={
                "starting_stacks": [record["stack"]] * 2,
                "blinds": [record["small_blind"], record["big_blind"]],
                "unit": record["big_blind"],
                "logged_final": list(map(float, record["finals"][:2])) if record["final"] else None,
                "permutation": self._permutation(place),
                "raise_sizes": list(map(float, game.bets)) or None,
                "raise_caps": [game.most_bets or MOST_OF_STREET] * len(game.bets) or None,
            },
            rejected=rejected,
            fits=game.until_red if game.until_red and not self._red_rivers[place] else "",
            foreign=self._foreign[place],
        )

    @cached_property
    def _foreign(self) -> list[str]:
        """By match, a message if all hands deal another number of cards than the game, else ""."""
        rows = self.sheets.findings[: self.sheets.used[records.FINDINGS]]
        wrong = rows[
            (rows["rule"] == DEAL) & (rows["seat"] >= 0) & (rows["expected"] == self.game.hole_cards)
        ]
        found = [""] * len(self.sheets.matches)
        if not len(wrong):
            return found
        dealt = np.unique(wrong["hand"].astype(np.int64) * 2 + wrong["seat"]) // 2
        both = dealt[1:][dealt[1:] == dealt[:-1]]
        counts = np.bincount(self.sheets.hands["match"][both], minlength=len(found))
        for place in np.flatnonzero((counts > 1) & (counts == self.sheets.matches["hands"])).tolist():
            of = self.sheets.hands["match"][wrong["hand"]] == place
            cards = "/".join(f"{count:g}" for count in np.unique(wrong["logged"][of]))
            found[place] = FOREIGN.format(cards, self.game.name, self.game.hole_cards)
        return found

    @cached_property
    def _red_rivers(self) -> NDArray[np.int64]:
        """By match, the number of hands with a red river card."""
        rows = self.sheets.hands[: self.sheets.used[records.HANDS]]
        counts = rows["board_count"].astype(np.int64)
        at = np.cumsum(counts) - counts + _BEFORE_RIVER
        dealt = counts > _BEFORE_RIVER
        red = np.isin(self.sheets.board[at[dealt]] % len(SUITS), RED_SUITS)
        return np.bincount(rows["match"][dealt][red], minlength=len(self.sheets.matches))

    def _permutation(self, place: int) -> list[str | None] | None:
        """What each rank from 2 to A counts as, None for ranks that the log does not show."""
        if not self.game.permutes:
            return None
        return [RANKS[rank] if rank >= 0 else None for rank in self.sheets.ranks[place].tolist()]

    def tables(self, scanned: Scanned, infos: Sequence[MatchInfo]) -> Assembler:
        """The rows of the matches, with an info a match."""
        game, sheets = self.game, self.sheets
        stacks = np.where(sheets.matches["stack"] > 0, sheets.matches["stack"], game.stack)
        # With antes no player has a small or a big blind.
        positions = NUMBERED[:2] if game.has_antes else DEALER_FIRST
        facts = [MatchFacts(game.name, positions, stack, game.pots == 1) for stack in stacks.tolist()]
        return Assembler(game, sheets, infos, facts, scanned)


def _prints(game: Game, profile: Profile) -> int:
    shows = _NO_SHOWS.format(game.name) not in profile.deviations
    return sum(BITS[word] for word in profile.prints) + shows * BITS["shows"]


def _streets(game: Game) -> NDArray[np.int64]:
    """By event code, the street that its line begins, 0 for none; a bare line has a code of its own."""
    streets = np.zeros(256, np.int64)
    for number, name in enumerate(game.streets):
        for event in (name, f"bare_{name}", f"pot_{name}"):
            if number and event in events.CODES:
                streets[events.CODES[event]] = number
    return streets


@cache
def engines_of(game: Game) -> Engines:
    """A game's engine profiles as the kernels read them."""
    return Engines(
        np.array([game.mask(p.deviations) for p in game.profiles], np.int64),
        np.array([_prints(game, p) for p in game.profiles], np.int64),
        np.array([game.stack_of(p) for p in game.profiles], np.int64),
        _streets(game),
        np.stack([game.order.table(), game.engine_order.table()]),
        _steps(game),
        _handlers(game),
    )


def _steps(game: Game) -> NDArray[np.void]:
    """The game's steps as the kernels read them."""
    found = np.zeros(MOST_STEPS, STEP)
    who = {"dealer": 0, "other": 1}
    for one, step in zip(found, game.steps, strict=False):
        one["before"] = game.streets.index(step.before)
        for field in ("does", "declines", "told"):
            name = getattr(step, field)
            one[field] = events.code_of(name) if name else 0
        one["asked"] = [*(who[name] for name in step.asked), -1][:2]
        one["must"], one["price"], one["to_other"] = step.must, step.price, step.to == "other"
        one["sees_board"], one["sees_other"] = step.sees == "board", step.sees == "other"
        one["gives"], one["to_board"], one["takes"] = step.gives, step.goes_to == "board", step.takes
    return found


def _hook(function: Callable[[Any], float]) -> Hook:
    """A function of a user's file; WishError if it cannot be called."""
    try:
        return hook(function, state.PAY, hooks.NAMES)
    except HookError as error:
        raise WishError(str(error)) from None


def _handlers(game: Game) -> NDArray[np.int64]:
    """The functions for lines of the game's own."""
    found = np.full((256, 2), -1, np.int64)
    for name, function in game.lines.items():
        found[events.code_of(name)] = _hook(function)
    return found


def _run_functions(game: Game, play: state.Play, walk_them: Callable[[], None]) -> None:
    """Replay matches whose game may have functions of a user's file; WishError if one of them fails."""
    if callable(game.payout):
        play.facts["pay_place"], play.facts["pay_address"] = _hook(game.payout)
    try:
        walk_them()
    except HookError as error:
        found = error
    else:
        if not play.facts["failed"]:
            return
        found = failure(int(play.facts["failed"]) - 1, play.facts)
    raise WishError(f"{found} (hand {int(play.facts['number'])})") from None


def _who_deals_all(scanned: Scanned, matches: Sequence[MatchText], game: Game) -> list[int]:
    """By match, 1 + the seat that deals nearly all hands; 0 if the deal alternates or both names are equal."""
    first, found = scanned.first_event.tolist(), scanned.events
    dealers = [0] * (len(first) - 1)
    if game.seats_may_stay:
        for place, (begin, end) in enumerate(pairwise(first)):
            if matches[place].names[0] == matches[place].names[1]:
                continue
            at = found.args[begin:end][found.codes[begin:end] == events.ROUND]
            second = int(found.values[at + 1].sum())
            for seat, count in ((0, len(at) - second), (1, second)):
                if len(at) > 1 and count >= FOR_ONE * (len(at) - count):
                    dealers[place] = seat + 1
    return dealers


def _who_leads(scanned: Scanned, game: Game) -> list[int]:
    """By match, the first to act after the first street (constants of `table_rows`), from most of its streets.

    Once one order has been right _ENOUGH_TELL times more often than any other, no later street changes it.
    """
    first = scanned.first_event.tolist()
    usual = table_rows.LEADS_DEALER if game.dealer_leads else table_rows.LEADS_OTHER
    found = [usual] * (len(first) - 1)
    if not game.rows:
        return found
    from ...parsers.cmu_table import says_numbers

    codes, args, values = scanned.events.codes, scanned.events.args, scanned.events.values
    for place, (begin, end) in enumerate(pairwise(first)):
        streets = begin + 1 + np.flatnonzero(_is_street(codes[begin + 1 : max(end - 1, begin + 1)]))
        # Of a hand whose first rows are lost, several streets begin with one row, right behind what was dealt.
        before, after = codes[streets - 1], codes[streets + 1]
        streets = streets[(before != events.DEALT) & ~_is_street(before) & ~_is_street(after)]
        rounds = begin + np.flatnonzero(codes[begin:end] == events.ROUND)
        if len(rounds) and says_numbers(scanned.events, int(rounds[0])):
            found[place] = table_rows.LEADS_FIRST_SEAT
        if not len(streets):
            continue
        leader = values[args[streets + 1]]
        dealer = values[args[rounds[np.searchsorted(rounds, streets) - 1]] + 1]
        fits = {
            table_rows.LEADS_OTHER: leader == 1 - dealer,
            table_rows.LEADS_DEALER: leader == dealer,
            table_rows.LEADS_FIRST_SEAT: leader == 0,
        }
        # The first of equals wins.
        kinds = sorted(fits, key=lambda one: one != found[place])
        counts = np.cumsum([fits[kind] for kind in kinds], axis=1)
        _, second, most = np.sort(counts, axis=0)
        told = np.flatnonzero(most - second >= _ENOUGH_TELL)
        found[place] = kinds[int(counts[:, told[0] if len(told) else -1].argmax())]
    return found


def _is_street(codes: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return (codes >= events.POT_FLOP) & (codes <= events.POT_RIVER)


def _settings(
    game: Game,
    matches: Sequence[MatchText],
    given: Stakes,
    deals_all: Sequence[int],
    leads: Sequence[int],
) -> NDArray[np.int64]:
    one = new_record(state.MATCH)
    one["payout"] = game.payout_kind
    one["stack"] = int(game.stack)
    one["small_blind"], one["big_blind"] = (int(blind) for blind in game.blinds)
    one["given_stack"] = given.stack or 0
    one["given_blinds"] = packed(*given.blinds) if given.blinds else 0
    for field, name in _EXPLAINS.items():
        one[field] = game.explained_by(name.format(game.name))
    one["stakes_deviation"] = game.mask((game.name + STAKES,)) if game.may_have_own_stakes else 0
    one["hole_cards"], one["last_street"] = game.hole_cards, len(game.boards) - 1
    one["runs"], one["ev_rule"] = game.run_mask, bets_ev.RULES[game.bets_ev]
    one["boards"][: len(game.boards)] = game.boards
    one["pots"] = game.pots
    one["free"][: game.pots] = np.multiply(game.free_chips, game.blinds[-1])
    one["permutes"], one["changes"] = game.permutes, game.changes
    one["auctions"], one["discards"] = game.auctions, game.discards
    one["exchanges"] = len(game.passes) > 0
    one["passes"][: len(game.passes)] = game.passes
    one["third_turns"] = any(d.name == _THIRD_TURN.format(game.name) for d in game.deviations)
    one["looks"], one["bids_told"] = game.looks, game.bids_told
    one["dead_antes"], one["steps"], one["most_bets"] = game.dead_antes, len(game.steps), game.most_bets
    one["functions"] = callable(game.payout) or len(game.lines) > 0
    one["bets"][: len(game.bets)] = game.bets
    one["antes"], one["free_folds"] = game.antes, game.free_folds
    if game.blind_levels is not None:
        one["level_hands"], one["level_small"], one["level_big"] = map(int, game.blind_levels)
    one["redraws"] = game.redraws
    one["hides_runouts"] = game.hides_runouts or game.payout == ALL_INS_BY_EQUITY
    one["not_in_deck"] = ~deck_mask(*game.deck) & deck_mask(RANKS + LOWEST, SUITS)
    one["rows"], one["keeps"] = game.rows, game.keeps
    one["bare_rounds"], one["calls_raises"] = game.bare_rounds, game.calls_raises
    for kind, name in enumerate(vars(game.faults).values()):
        one["folds"][kind] = game.mask((name,)) if name else 0
        one["explains_fold"][kind] = game.explained_by(name)
    one["rank"] = -1
    # A street without cards and chips names its engine, whatever else the match has.
    one["due"][state.BARE_LINES] = 1
    settings = np.full(len(matches), one)
    settings["number"] = np.arange(len(matches))
    settings["deals_all"] = deals_all
    # Rows have seats.
    settings["same_names"] = [m.names[0] == m.names[1] and not game.rows for m in matches]
    settings["leads"] = leads
    settings["header_fits"] = [m.header_fits for m in matches]
    settings["cut"] = [m.cut_short for m in matches]
    return settings.view(np.int64).reshape(len(matches), -1)


def _kinds_of_hands(sheets: Sheets, rows: NDArray[np.int64]) -> list[NDArray[np.bool_]]:
    """Hands by the streets they see and how they end, with a raise before the flop or none, by actions in them."""
    hands, acts = sheets.hands[rows], records.actions_of(sheets, int(rows[0]), int(rows[-1]))
    raises = np.isin(acts["action"], (records.BET, records.RAISE))
    opened = np.isin(rows, acts["hand"][raises & (acts["street"] == 0)])
    streets = hands["streets"]
    kinds = [streets > 1, streets > 2, streets > 3, (streets > 1) & opened, (streets > 1) & ~opened]
    kinds += [hands["ended_by"] == records.BY_SHOWDOWN, hands["ended_by"] == records.BY_FOLD]
    kinds += [np.isin(rows, acts["hand"][raises])]
    kinds += [np.isin(rows, acts["hand"][acts["action"] == kind]) for kind in (records.CHECK, records.CALL)]
    return kinds


def replay_heads_up(
    scanned: Scanned, matches: Sequence[MatchText], game: Game, pool: Pool, given: Stakes
) -> HeadsUpReplayed:
    """Re-execute the hands of matches that were scanned together; the arrays belong to the pool.

    given: the stakes that the user gives.
    """
    first, last = scanned.first_event, int(scanned.first_event[-1])
    count = scanned.tally
    hands = int(count[events.ROUND])
    own = int(count[events.FIRST_OWN : events.FIRST_OWN + events.MOST_OWN].sum())
    # One line may both give up and deal cards.
    changes = int(count[_CHANGES].sum()) + own
    # A showdown may be the first to print a card won in an auction.
    changes += int(count[events.SHOW]) if game.auctions else 0
    pots, cards = game.pots, 2 * game.hole_cards * hands
    acts = pots * int(count[[events.BLIND, events.BLINDS]].sum()) + int(count[_ACTIONS].sum()) + own
    several = {
        "limits": acts,
        "pots": pots * hands,
        "pot_cards": pots * game.boards[-1] * hands,
        "pot_holes": pots * cards,
    }
    sheets = records.new_sheets(
        pool,
        len(matches),
        hands=hands,
        seats=2 * hands,
        actions=acts,
        faults=int(count[events.FIRST_FAULT :].sum()) + hands * game.rows,
        findings=_FINDINGS_PER_EVENT * last + 64,
        holes=cards,
        card_lines=(64 if game.runs else 16 if pots == 1 else 20) * hands,
        finals=16 * hands if changes else 0,
        changes=changes,
        changed=MOST_HOLE_CARDS * changes,
        board_finals=game.boards[-1] * hands if count[events.REDRAW_BOARD] else 0,
        **(
            several
            if pots > 1
            else {"board": (state.MOST_BOARD_CARDS if game.runs else game.boards[-1]) * hands}
        ),
    )
    notes = pool.take("notes", last, np.uint8)
    settings = _settings(
        game, matches, given, _who_deals_all(scanned, matches, game), _who_leads(scanned, game)
    )
    if pots > 1:
        # Compiled and loaded only if a log needs it.
        from ..blotto.walk import replay_boards

        replay_boards(scanned, settings, game, sheets, notes)
        records.check_room(sheets.used, game.name)
    else:
        size = MOST_PROFILES * hands
        awards = pool.take("awards", size, np.float64)[:size].reshape(hands, MOST_PROFILES)
        engines, play = engines_of(game), state.new_play(sheets)
        _run_functions(
            game, play, lambda: walk(scanned.events, first, settings, engines, play, sheets, awards, notes)
        )
        records.check_room(sheets.used, game.name)
        flag_seats(
            sheets.hands[: sheets.used[records.HANDS]],
            sheets.seats,
            sheets.actions[: sheets.used[records.ACTS]],
            np.full(len(matches), game.hole_cards > 1),
        )
    sheets.used[records.FINDINGS] = another_game.tell(
        sheets.matches,
        sheets.hands,
        sheets.findings,
        int(sheets.used[records.FINDINGS]),
        lambda rows: _kinds_of_hands(sheets, rows),
        ((BLIND,) if given.blinds else ()) + ((STACKS, TOO_LARGE) if given.stack else ()),
    )
    return HeadsUpReplayed(game, sheets, notes)
