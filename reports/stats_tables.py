"""The tables of `railbird stats --show`: of each its view, its columns with their SQL, and what stands with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from . import Show

WHO: Final = {"event": "event", "game": "game", "player": "player"}
_RATE: Final = {"n": "opportunities", "rate": "rate", "95% interval": "[low, high]"}


@dataclass(frozen=True)
class Table:
    """A view as a terminal table; the SQL calls the view v.

    columns   the heading and the SQL of each; a list of two is an interval. The seat follows a name of two players
    order     of the rows, after event, game and player
    suffixes  of its view that may be requested
    chips     headings that are no shares
    counts    whose decisions are counted
    where     which rows of the view
    minor     headings that a narrow terminal leaves out first, behind game, event and player that all rows have
    lacking   what a store has none of where the table has no row, where that is another thing than hands
    about     the games that it is about, and the condition on their properties (relation `games`); none: all
    seconds   headings of seconds, and of intervals of them
    count     the heading of n, by which a row is faint
    then      a second table of the same rows, under the first; its order, suffixes and the like do not count
    """

    title: str
    view: str
    columns: Mapping[str, str]
    order: str = "all"
    suffixes: frozenset[str] = frozenset()
    chips: frozenset[str] = field(default_factory=frozenset)
    counts: str = "Own choices only"
    about: tuple[str, str] | None = None
    where: str = "true"
    minor: tuple[str, ...] = ()
    lacking: str = ""
    seconds: frozenset[str] = frozenset()
    then: "Table | None" = None
    count: str = "n"


BOTH: Final = frozenset(("by_opponent", "before_lock"))
_OPPONENT: Final = frozenset(("by_opponent",))
_ALL_HANDS: Final = "All hands, whoever acted"
_STREET: Final = {"street": "street_name(street, game)"}
_LABEL: Final = "(select label from {} as k where k.statistic = v.statistic)"
_PLACE: Final = _LABEL.replace("label", "place")
_PART: Final = {
    "n": "hands", "chips": "delta", "bb/100": "bb_per_100", "95%, bb/100": "[bb_per_100_low, bb_per_100_high]",
    "of all, bb/100": "bb_of_all",
}  # fmt: skip
_PART_CHIPS: Final = frozenset(("chips", "bb/100", "95%, bb/100", "of all, bb/100"))
SLOW_CHIPS: Final = frozenset(
    ("slow, bb/100", "95%, slow", "others, bb/100", "95%, others", "slow − others", "95%, difference")
)
_BOUNTIES: Final = "games with bounties", "bounties"
_BOARDS: Final = "games with several boards", "boards > 1"
_AT_ONCE: Final = "games in which all bet at once", "simultaneous"
_ORDERED: Final = "v.event, v.game, v.player, v.seat, v.street"

TABLES: Final[Mapping[Show, Table]] = {
    Show.STREETS: Table(
        "Street by street",
        "street_tendencies",
        {**WHO, **_STREET, "statistic": _LABEL.format("street_statistics"), **_RATE},
        f"{_ORDERED}, {_PLACE.format('street_statistics')}",
        BOTH,
    ),
    Show.FACED: Table(
        "Answers to a bet, by its size; a player that folds more often than 1 − MDF can be bluffed at a profit",
        "bets_faced",
        {
            **WHO, **_STREET, "position": "position", "size": "coalesce(size_name(size_bin), 'blinds')",
            "answer": "answer", **_RATE, "MDF": "mdf",
        },
        f"{_ORDERED}, position_place(v.position), v.size_bin, v.answer",
        BOTH,
    ),
    Show.MADE: Table(
        "Sizes of bets and raises that a player chooses",
        "bets_made",
        {
            **WHO, **_STREET, "position": "position", "action": "action", "size": "size_name(size_bin)",
            **_RATE, "mean size": "mean_size", "mean to, bb": "mean_to_bb",
        },
        f"{_ORDERED}, position_place(v.position), v.action, v.size_bin",
        BOTH,
        frozenset(("mean to, bb",)),
    ),
    Show.WINNINGS: Table(
        "Winnings, luck included",
        "winnings",
        {
            **WHO, "matches": "matches", "n": "hands", "chips": "delta", "showdown": "showdown",
            "non-showdown": "non_showdown", "bb/100": "bb_per_100", "95%, bb/100": "[bb_per_100_low, bb_per_100_high]",
            "mbb/h": "mbb_per_hand", "SD/100": "sd_per_100",
        },
        "event, game, player, seat",
        _OPPONENT,
        frozenset(("chips", "showdown", "non-showdown", "bb/100", "95%, bb/100", "mbb/h", "SD/100")),
        _ALL_HANDS,
        minor=("SD/100", "mbb/h", "matches"),
    ),
    Show.TELLS: Table(
        "Does the size of a bet tell the hand? P(a bet for value is larger than a bluff); 50%: it tells nothing",
        "size_tells",
        {
            **WHO, **_STREET, "n": "bets", "for value": "bets_for_value", "bluffs": "bluffs", "P(larger)": "auc",
            "95% interval": "[low, high]", "value size": "value_size", "bluff size": "bluff_size",
        },
        _ORDERED,
        frozenset(("before_lock",)),
        counts="Own bets and raises whose cards are known",
    ),
    Show.RANGES: Table(
        "Hands played preflop, by position and by what is faced (1 the blinds, 2 a raise, 3 a re-raise ...)",
        "ranges",
        {
            **WHO, "position": "position", "faced": "bet_level", "cards": "coalesce(hole_class, 'not seen')",
            "n": "decisions", "folds": "folds", "checks": "checks", "calls": "calls", "raises": "raises",
            "plays on": "continues", "95% interval": "[low, high]",
        },
        "event, game, player, seat, position_place(v.position), v.bet_level, v.continues desc, v.decisions desc",
        frozenset(("before_lock",)),
    ),
    Show.ACTIONS: Table(
        "What a player does on each street in each position",
        "action_rates",
        {**WHO, **_STREET, "position": "position", "facing": "facing", "action": "action", **_RATE},
        f"{_ORDERED}, position_place(v.position), v.facing desc, "
        "list_position(['fold', 'check', 'call', 'bet', 'raise'], v.action)",
        BOTH,
    ),
    Show.STRENGTH: Table(
        "How often each action with each strength (equity against an unseen hand)",
        "strength_rates",
        {
            **WHO, **_STREET, "facing": "facing", "equity": "coalesce(tenth_name(decile - 1), 'not known')",
            "action": "if(facing = 'nothing' and action = 'raise', 'bet/raise', action)", **_RATE,
        },
        f"{_ORDERED}, list_position(['nothing', 'blind', 'bet'], v.facing), v.decile, "
        "list_position(['fold', 'check', 'call', 'raise'], v.action)",
        BOTH,
        counts="Own choices only; view actions_by_strength has them by position and size faced",
        where="(facing <> 'nothing' or action <> 'fold' or successes > 0)",
    ),
    Show.WHERE: Table(
        "Where the chips come from, luck included; the rows of a part add up to all hands",
        "winnings_by_part",
        {**WHO, "part": "part", "value": "coalesce(value, 'not seen')", **_PART},
        "v.event, v.game, v.player, v.seat, "
        "list_position(['position', 'seat', 'street', 'end', 'kind'], v.part), v.place",
        _OPPONENT,
        _PART_CHIPS,
        _ALL_HANDS,
        where="part <> 'hand'",
        minor=("of all, bb/100",),
    ),
    Show.HANDS: Table(
        "Winnings by starting hand, luck included",
        "winnings_by_part",
        {**WHO, "cards": "coalesce(value, 'not seen')", **_PART},
        "v.event, v.game, v.player, v.seat, v.delta desc",
        _OPPONENT,
        _PART_CHIPS,
        _ALL_HANDS,
        where="part = 'hand'",
    ),
    Show.BOUNTY: Table(
        "Bounties: hits, and what they brought and cost",
        "bounty_hits",
        {
            **WHO, "n": "hands", "hit": "hit_rate", "95% interval": "[hit_rate_low, hit_rate_high]", "wins": "wins",
            "hit when winning": "rate_when_winning",
            "its 95% interval": "[rate_when_winning_low, rate_when_winning_high]",
            "brought": "chips_brought", "cost": "chips_cost",
        },
        "event, game, player, seat",
        _OPPONENT,
        frozenset(("brought", "cost")),
        _ALL_HANDS,
        about=_BOUNTIES,
    ),
    Show.SHIFT: Table(
        "Play while a win would bring the own bounty (live), and otherwise (else)",
        "bounty_shift",
        {
            **WHO, **_STREET, "answer": "answer", "n live": "live_opportunities", "live": "live_rate",
            "n": "opportunities", "else": "rate", "shift": "shift", "95% interval": "[shift_low, shift_high]",
        },
        f"{_ORDERED}, answer",
        BOTH,
        about=_BOUNTIES,
    ),
    Show.RUN: Table(
        "River and run, by depth and by the chance that the next card is black",
        "run_tendencies",
        {
            **WHO, "depth": "depth", "last card": "last_card", "black next": "tenth_name(black_bin)",
            "answer": "answer", **_RATE,
        },
        "event, game, player, seat, depth, last_card desc, black_bin, answer",
        BOTH,
        about=("games with a run", "runs"),
    ),
    Show.BOARDS: Table(
        "Board by board",
        "blotto_tendencies",
        {"event": "event", "player": "player", "board": "board_no", "statistic": _LABEL.format("statistics"), **_RATE},
        f"event, player, seat, {_PLACE.format('statistics')}, board_no",
        BOTH,
        about=_BOARDS,
    ),
    Show.ALLOCATION: Table(
        "Where the strongest pair goes",
        "blotto_allocation",
        {
            "event": "event", "player": "player", "board": "board_no", **_RATE, "Chen points": "points",
            "entropy, bits": "entropy", "95%, bits": "[entropy_low, entropy_high]",
        },
        "event, player, seat, board_no",
        BOTH,
        frozenset(("Chen points", "entropy, bits", "95%, bits")),
        about=_BOARDS,
        minor=("Chen points",),
    ),
    Show.TRIGGERS: Table(
        "Facing a bet once the opponent is all-in on this board or another",
        "blotto_triggers",
        {"event": "event", "player": "player", "all-in": "trigger", "answer": "answer", **_RATE},
        "event, player, seat, trigger, answer",
        BOTH,
        about=_BOARDS,
    ),
    Show.KOPER: Table(
        "All bet at once: bets, steps and caps, means over games",
        "koper_tendencies",
        {
            "event": "event", "player": "player", "mean of": "label", "matches": "matches", "n": "n", "mean": "mean",
            "95% interval": "[low, high]",
        },
        "event, player, seat, place",
        chips=frozenset(("mean", "95% interval")),
        about=_AT_ONCE,
    ),
    Show.FOLDS: Table(
        "All bet at once: folds and bets of round 1, by the equity that the engine gave",
        "koper_folds",
        {
            "event": "event", "player": "player", "engine equity": "tenth_name(chance_bin)", **_RATE, "bets": "bets",
            "R1, chips": "bet_1", "95%, chips": "[bet_1_low, bet_1_high]",
        },
        "event, player, seat, chance_bin",
        chips=frozenset(("R1, chips", "95%, chips")),
        about=_AT_ONCE,
    ),
    Show.BIDS: Table(
        "Bids, what they cost, and the hands after them, luck included",
        "bids",
        {
            **WHO, "outcome": "outcome", **_RATE, "bid, bb": "bid", "95%, bb": "[bid_low, bid_high]",
            "median": "median_bid", "price, bb": "price", "bb/100": "bb_per_100",
            "95%, bb/100": "[bb_per_100_low, bb_per_100_high]",
        },
        "event, game, player, seat, outcome desc",
        BOTH,
        frozenset(("bid, bb", "95%, bb", "median", "price, bb", "bb/100", "95%, bb/100")),
        about=("games with auctions", "auctions"),
        minor=("median", "price, bb", "95%, bb"),
    ),
    Show.EXCHANGES: Table(
        "Exchanged cards, and the hands with and without an exchange, luck included",
        "exchanges",
        {
            **WHO, **_STREET, "kind": "replace(kind, '_', ' ')", "done": "if(exchanged, 'yes', 'no')", **_RATE,
            "bb/100": "bb_per_100", "95%, bb/100": "[bb_per_100_low, bb_per_100_high]",
        },
        f"{_ORDERED}, kind, exchanged desc",
        BOTH,
        frozenset(("bb/100", "95%, bb/100")),
        "Hands in which cards could be exchanged",
        about=("games with exchanges", "swaps or redraws or list_contains(decisions, 'discard')"),
    ),
    Show.DISCARDS: Table(
        "Which cards a player gives up",
        "discards",
        {**WHO, "statistic": "label", **_RATE},
        "event, game, player, seat, place",
        BOTH,
        about=("games with discards", "list_contains(decisions, 'discard')"),
    ),
    Show.PERMUTED: Table(
        "Showdowns whose result a secret order of the ranks changed, beside what the printed ranks would have paid",
        "permuted_showdowns",
        {
            **WHO, "result": "outcome", **_RATE, "bb/100": "bb_per_100",
            "95%, bb/100": "[bb_per_100_low, bb_per_100_high]", "moved, chips": "moved",
        },
        "event, game, player, seat, outcome",
        BOTH,
        frozenset(("bb/100", "95%, bb/100", "moved, chips")),
        "Showdowns",
        about=("games with secret ranks", "permutes"),
    ),
    Show.LIMIT: Table(
        "Bets of fixed sizes, by round and bets faced",
        "limit_tendencies",
        {**WHO, **_STREET, "bets faced": "bets_faced", "answer": "answer", **_RATE},
        f"{_ORDERED}, bets_faced, answer",
        _OPPONENT,
        about=("games with bets of fixed sizes", "fixed_sizes"),
    ),
    Show.TIMES: Table(
        "Seconds a decision, where the log has them",
        "decision_times",
        {
            **WHO, **_STREET, "n": "n", "mean": "mean", "95%, seconds": "[low, high]", "median": "median",
            "worst": "worst", "total": "total", "of bank": "bank_share",
        },
        _ORDERED,
        _OPPONENT,
        counts=(
            "All decisions whose time the log has; of bank: what they took of the time bank; others: hands on the "
            "street without a slow decision; luck included"
        ),
        lacking="no log here says how long a decision took",
        seconds=frozenset(("mean", "95%, seconds", "median", "worst", "total")),
        minor=("total", "median"),
        then=Table(
            "Do slow decisions lose? Hands with one of the slowest tenth on the street",
            "decision_times",
            {
                **WHO, **_STREET, "slow over, s": "slow_from", "n slow": "slow_hands",
                "slow, bb/100": "slow_bb_per_100", "95%, slow": "[slow_low, slow_high]", "n others": "other_hands",
                "others, bb/100": "other_bb_per_100", "95%, others": "[other_low, other_high]",
                "slow − others": "slow_difference",
                "95%, difference": "[slow_difference_low, slow_difference_high]",
            },
            chips=SLOW_CHIPS,
            minor=("95%, others", "95%, slow"),
            count="n slow",
            seconds=frozenset(("slow over, s",)),
        ),
    ),
    Show.CLAIMS: Table(
        "What players say of their own cards, and how often it is wrong (each statement: view claims)",
        "claims_by_kind",
        {
            **WHO, "kind": "kind", "n": "opportunities", "hands": "hands", "wrong": "successes", "rate": "rate",
            "95% interval": "[low, high]",
        },
        "v.event, v.game, v.player, v.seat, v.kind <> 'all kinds', v.kind",
        counts="Statements that begin with 'I have' or a like form",
        lacking="no player here says what it holds",
    ),
    Show.BELIEFS: Table(
        "Chances to win that players noted, and what was true: hands won, exact equity against the hands held",
        "beliefs",
        {
            **WHO, "noted": "if(tenth is null, 'all', tenth_name(tenth - 1))", "n": "opportunities",
            "noted on average": "believed", "won": "rate", "95% interval": "[low, high]", "against held": "equity",
            "off by": "off", "95%, off by": "[off_low, off_high]", "against unseen": "unseen",
        },
        "v.event, v.game, v.player, v.seat, v.tenth nulls first",
        counts="Own decisions beside which a chance to win was noted (ingest --join, or the log's own)",
        minor=("against unseen",),
        lacking="no chance to win is noted beside a decision; `ingest --join` ties a bot's own log to its decisions",
    ),
}  # fmt: skip
