"""Logs of engines found in the wild, each in a store of its own, against the counts of another program."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest

IIT: Final = (
    "bad-bid-is-zero",
    "late-not-folded",
    "bad-action-not-folded",
    "free-fold-refused",
    "bad-raise-not-folded",
    "fold-shown",
    "limp-third-turn",
)

DEVIATIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "build4good-2025": {"split pot paid to the dealer": "build4good.tie-paid-to-dealer"},
    "tacs-2026": {},
    "mit-forks": {
        "no flop betting after the auction": "auction.no-flop-betting",
        "more than the stack": "husky.more-than-the-stack",
        "call of nothing": "husky.call-takes-back",
    },
    "iit-2026": {f"{game}.{name}": f"{game}.{name}" for game in ("sneak-peek", "anaconda") for name in IIT},
}
"""By folder of the corpus: the name of a deviation in its `expected.json`, and railbird's."""

PLANTED: Final[Mapping[str, Mapping[str, str]]] = {
    "tacs-2026": {
        "award differs from the rules": "award",
        "redraw and reveal differ": "reveal-missing",
        "reveal names the wrong seat": "reveal-seat",
        "reveal shows another card": "reveal",
    }
}
"""Errors that no engine makes: their name in `expected.json`, and the rule of railbird's finding."""

KIN: Final = "acpc-kin"

READ: Final[Mapping[str, tuple[str, ...]]] = {
    "mit-forks": ("auction-early-2024", "cambridge-2022", "hpi-2025", "husky-2024", "pokercamp-kuhn"),
}
"""The engines of a folder that railbird reads, where it does not read all."""

BY_DEVIATION = """
    with hands_of as (select match_id, hand_index, unnest(deviations) as deviation from hands),
    paid as (select match_id, hand_index, deviation, true as moves from findings where rule = 'award')
    select deviation, player, count(*), sum(if(moves, delta - delta_written, 0))
    from hands_of join seats using (match_id, hand_index) left join paid using (match_id, hand_index, deviation)
    group by all
"""


def of_iit(folder: Path) -> dict[str, Any]:
    """The expected values of IIT's engines in the words of the other folders."""
    found: dict[str, Any] = {}
    for kind, files in json.loads((folder / "expected.json").read_text()).items():
        for name, said in files.items():
            lines = (folder / kind / name).read_text().splitlines()
            deviations: dict[str, dict[str, Any]] = {}
            for what, counted in said["deviations"].items():
                # The hands in which the bad answer changed no pay are counted apart.
                short = what.removesuffix(" (same pay)").replace(
                    "fold at auction shows both hands", "fold-shown"
                )
                both = deviations.setdefault(f"{said['game'].split()[0]}.{short}", {"hands": 0, "chips": {}})
                both["hands"] += counted["hands"]
                both["chips"] = counted["chips"] or both["chips"]
            found[f"{kind}/{name}"] = {
                "variant": said["game"],
                "hands": said["hands"],
                "deviations": deviations,
                "damaged": [
                    {"why": why, "round": int(lines[line - 1].split(",")[0].removeprefix("Round #"))}
                    for line, why in said["damaged"]
                ],
                "unknown_lines": said["unknown_lines"],
                "bank_carry_breaks": len(said["carry_breaks"]),
                "showdowns_board_hidden": 0,
                "counts": {},
                "final": list(said["final"].items()) if isinstance(said["final"], dict) else said["final"],
                "final_agrees": said["final_matches"],
            }
    return found


CMU: Final = "cmu"


def of_cmu(folder: Path) -> dict[str, Any]:
    """The expected values of the logs of 2024, by file: the tables beside them, and later ones, have no hands here."""
    said = json.loads((folder / "expected.json").read_text())
    return {
        f"{kind}/{name}": wanted
        for kind, files in said.items()
        for name, wanted in files.items()
        if wanted["game"] == "cmu-2024"
    }


def expected_in(folder: Path) -> dict[str, Any]:
    """The expected values of a folder, by file."""
    if folder.name == "iit-2026":
        return of_iit(folder)
    if folder.name == CMU:
        return of_cmu(folder)
    values: dict[str, Any] = json.loads((folder / "expected.json").read_text())
    return values


def expected_values(groups: Iterable[str]) -> list[Any]:
    """The files of folders of the corpus, with their expected values; one that says so where there is no corpus."""
    from conftest import corpus_root

    root = corpus_root()
    if root is None:
        return [pytest.param("", "", {}, id="no corpus")]
    return [
        pytest.param(group, name, wanted, id=f"{group}/{name}")
        for group in groups
        for name, wanted in expected_in(root / group).items()
        if (root / group / name).exists() and (group not in READ or wanted["variant"] in READ[group])
    ]


def one(store: Store, query: str) -> Any:
    ((value,),) = store.execute(query).fetchall()
    return value


@pytest.mark.parametrize(("group", "name", "wanted"), expected_values(DEVIATIONS))
def test_a_log_holds_what_was_counted_in_it(
    group: str, name: str, wanted: dict[str, Any], corpus: Path, tmp_path: Path
) -> None:
    ingest([corpus / group / name], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert one(store, "select sum(hands_seen) from files") == wanted["hands"]
        if not wanted["damaged"]:
            assert one(store, "select sum(lines_unknown) from files") == len(wanted["unknown_lines"])
        found: dict[str, dict[str, float]] = {}
        hands: dict[str, int] = {}
        for deviation, player, count, chips in store.execute(BY_DEVIATION).fetchall():
            found.setdefault(deviation, {})[player] = chips
            hands[deviation] = max(count, hands.get(deviation, 0))
        errors = PLANTED.get(group, {})
        for what, said in wanted["deviations"].items():
            if what in errors:
                assert lines_and_chips(store, errors[what]) == (said["first_lines"], said["chips"])
        due = {
            DEVIATIONS[group][what]: said for what, said in wanted["deviations"].items() if what not in errors
        }
        assert {what: chips for what, chips in found.items() if what in due} == {
            what: pytest.approx(said["chips"] or dict.fromkeys(found[what], 0.0))
            for what, said in due.items()
        }
        known = set(DEVIATIONS[group].values())
        assert {what for what in found if what in known} == set(due)
        same_names = len(set(dict(wanted["final"]))) == 1 if wanted["final"] else False
        for what, said in due.items():
            assert hands[what] == said["hands"] * (2 if same_names else 1)
        wrong = one(store, "select count(*) from hands where verdict in ('violation', 'damaged')")
        planted = any(what in errors for what in wanted["deviations"]) or any(
            each["why"] for each in wanted["damaged"] if not is_cut(store, each)
        )
        assert (wrong > 0) == (planted or wanted["bank_carry_breaks"] > 0)
        unverified = one(store, "select count(*) from hands where verdict = 'unverified'")
        hidden = wanted["showdowns_board_hidden"]
        # Of damage the other program stops at the first line, and a hand that is wrong otherwise is not unverified.
        assert hidden - wrong <= unverified <= hidden
        for target, kind in (("hole", "redraw"), ("board", "board_redraw")):
            redraws = one(store, f"select count(*) from stored.changes where kind = '{kind}'")
            assert wrong or redraws == wanted["counts"].get(f"redraw {target}", 0)
        planted_in = {each["round"] for each in wanted["damaged"] if each["why"] and not is_cut(store, each)}
        of_rounds = store.execute("select hand_no from hands where verdict in ('violation', 'damaged')")
        assert planted_in <= {number for (number,) in of_rounds.fetchall()}
        final = store.execute("select players, logged_final from matches").fetchall()
        if wanted["final_agrees"]:
            ((players, banks),) = final
            assert sorted(zip(players, banks, strict=True)) == sorted(map(tuple, wanted["final"]))


def lines_and_chips(store: Store, rule: str) -> tuple[list[int], dict[str, float]]:
    """First lines of the hands that break a rule, and the chips that each player was paid too much in them."""
    hands = "(select (match_id, hand_index) from findings where rule = $rule and verdict = 'violation')"
    query = f"select line from hands where (match_id, hand_index) in {hands} order by line"
    lines = [line for (line,) in store.execute(query, rule=rule).fetchall()]
    paid = store.execute(
        f"""
        select player, sum(delta - delta_written) as chips from seats
        where (match_id, hand_index) in {hands} group by player having chips <> 0""",
        rule=rule,
    )
    return lines, dict(paid.fetchall())


def is_cut(store: Store, damage: Mapping[str, Any]) -> bool:
    """True for damage at the log's end: railbird leaves that hand out."""
    cut: bool = one(store, "select coalesce(sum(hands_rejected), 0) from files") > 0
    return cut and bool(damage["round"] > one(store, "select max(hand_no) from hands"))


FAULTS_OF_CMU: Final[Mapping[str, tuple[str, str]]] = {
    "illegal NoneType": ("misformatted", ""),
    "raised an exception": ("misformatted", ""),
    "ran out of time": ("late", ""),
    "timed out": ("late", ""),
}
"""Kind and text of a fault that is not an illegal action of a class."""
ENDINGS_OF_CMU: Final = """
    select case when ended_by = 'fold' then 'fold' when len(board) < 2 then 'equity' when delta = 0 then 'tie'
        else 'showdown' end as ending, count(*)
    from hands join seats using (match_id, hand_index) where seat = 0 group by all"""


@pytest.mark.parametrize(("group", "name", "wanted"), expected_values((CMU,)))
def test_a_log_of_four_cards_holds_what_was_counted_in_it(
    group: str, name: str, wanted: dict[str, Any], corpus: Path, tmp_path: Path
) -> None:
    ingest([corpus / group / name], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert one(store, "select sum(hands_seen) from files") == wanted["hands"] == wanted["complete_hands"]
        assert one(store, "select sum(lines_unknown) from files") == len(wanted["unknown_lines"])
        assert not wanted["damaged"]
        three = wanted["revision"].startswith("three-card")
        assert one(store, "select game from matches") == ("cmu-2024-three-card" if three else "cmu-2024")
        verdicts = dict(store.execute("select verdict, count(*) from hands group by all").fetchall())
        right = wanted["paid_as_rules"]
        due = {"ok": right, "engine_deviation": wanted["paid_as_engine"] - right}
        assert verdicts == {verdict: count for verdict, count in due.items() if count}
        moved = [0, 0]
        for deviation in wanted["deviations"].values():
            moved = [chips + more for chips, more in zip(moved, deviation["chips"], strict=True)]
        assert store.execute(
            "select sum(delta - delta_written) from seats group by seat order by seat"
        ).fetchall() == [(chips,) for chips in moved]
        deviations = {
            name for (names,) in store.execute("select deviations from hands").fetchall() for name in names
        }
        assert deviations == ({"cmu-2024.hand-order"} if wanted["deviations"] else set())
        banks = store.execute(
            "select last(bankroll_before + delta order by hand_index) from seats group by seat order by seat"
        ).fetchall()
        assert banks == [(bank,) for bank in wanted["final"]]
        assert one(store, "select logged_final from matches") == (None if three else wanted["final"])
        faults: dict[tuple[str, str], int] = {}
        for what, count in wanted["faults"].items():
            key = FAULTS_OF_CMU.get(what, ("illegal", what.removeprefix("illegal ")))
            faults[key] = faults.get(key, 0) + count
        found = store.execute(
            "select kind, split_part(text, ' ', 1), count(*) from faults group by all"
        ).fetchall()
        assert {(kind, text): count for kind, text, count in found} == faults
        assert dict(store.execute(ENDINGS_OF_CMU).fetchall()) == wanted["ended"]


TABLES_OF_CMU: Final = ("cmu-2025", "cmu-2026")
NAMES_OF_CMU: Final[Mapping[str, str]] = {"ace-high-straight-not-counted": "hand-order"}
"""The name of a deviation in the expected values, where railbird's is another."""
OTHER_COUNTS: Final[Mapping[str, frozenset[str]]] = {
    "engine/2025num_01_random_random.csv": frozenset(
        {"no-option-for-the-big-blind", "small-blind-call-leaves-street-open"}
    ),
}
"""Deviations that the two programs count otherwise. That log's engine ends the first street by team 1's calls alone.

The other program counts ten calls of a raise as limps without an option, which end the street by the rules, too; and no
hand in which team 0's call of a raise does not end it, as by the rules it does.
"""
STREETS_LEFT_OPEN: Final = "small-blind-call-leaves-street-open"
"""Counted there by calls, of which a hand may have several."""


def tables_of_cmu() -> list[Any]:
    """The tables of 2025 and 2026, with their expected values; one that says so where there is no corpus."""
    from conftest import corpus_root

    root = corpus_root()
    if root is None:
        return [pytest.param("", {}, id="no corpus")]
    said = json.loads((root / CMU / "expected.json").read_text())
    return [
        pytest.param(f"{kind}/{name}", wanted, id=f"{CMU}/{kind}/{name}")
        for kind, files in said.items()
        for name, wanted in files.items()
        if wanted["game"] in TABLES_OF_CMU and wanted["rows"] and (root / CMU / kind / name).exists()
    ]


@pytest.mark.parametrize(("name", "wanted"), tables_of_cmu())
def test_a_table_of_actions_holds_what_was_counted_in_it(
    name: str, wanted: dict[str, Any], corpus: Path, tmp_path: Path
) -> None:
    ingest([corpus / CMU / name], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert one(store, "select sum(hands_seen) from files") == wanted["hands"]
        joined = "joined" in name
        # The lines above a match are no unknown ones.
        unknown = 0 if joined else len(wanted["unknown_lines"])
        assert one(store, "select coalesce(sum(lines_unknown), 0) from files") == unknown
        if not wanted["complete_hands"]:
            assert one(store, "select count(*) from hands") == 0
            return
        assert store.execute("select distinct game from matches").fetchall() == [(wanted["game"],)]
        banks = store.execute(
            "select last(bankroll_before + delta order by hand_index) from seats group by seat order by seat"
        ).fetchall()
        assert banks == [(bank,) for bank in wanted["final"]]
        found = dict(
            store.execute(
                "select deviation, count(*) from (select unnest(deviations) as deviation from hands) group by all"
            ).fetchall()
        )
        other = OTHER_COUNTS.get(name, frozenset())
        if STREETS_LEFT_OPEN not in other:
            calls = one(store, "select count(*) from findings where rule = 'street-open'")
            assert calls == wanted["deviations"].get(STREETS_LEFT_OPEN, {"hands": 0})["hands"]
            other |= {STREETS_LEFT_OPEN}
        due = {
            f"{wanted['game']}.{NAMES_OF_CMU.get(what, what)}": said["hands"]
            for what, said in wanted["deviations"].items()
            if not what.startswith("fold-") and what not in other
        }
        assert {what: hands for what, hands in found.items() if what.split(".")[1] not in other} == due
        moved = store.execute("select sum(delta - delta_written) from seats group by seat order by seat")
        if not wanted["damaged"]:
            chips = wanted["deviations"].get("ace-high-straight-not-counted", {"chips": [0, 0]})["chips"]
            assert moved.fetchall() == [(each,) for each in chips]
            assert one(store, "select count(*) from hands where verdict in ('violation', 'damaged')") == 0
            assert one(store, "select count(*) from faults") == sum(wanted["faults"].values())
        elif not joined and wanted["aborted_hand"]["after"] != "INVALID":
            assert one(store, "select count(*) from hands where verdict in ('violation', 'damaged')") > 0


def test_rich_text_is_refused_by_its_name(tmp_path: Path) -> None:
    log = tmp_path / "match.csv"
    log.write_text("{\\rtf1\\ansi\n# Team 0: A, Team 1: B\\\nhand_number,street\\\n")
    (account,) = ingest([log], tmp_path / "store").files
    assert "rich text" in account.problem


JARS: Final = "mit-2012-2019"
GAMES_OF_JARS: Final[Mapping[str, str]] = {
    "pineapple13": "pineapple-2013",
    "omaha16": "omaha-2016",
    "redraw17": "redraw-2017",
    "holdem17": "holdem-2017",
    "seats12": "seats-2012",
    "sidepots15": "sidepots-2015",
}
"""The name of a game in the expected values of MIT's engines of 2012 to 2019, and railbird's."""
FINDINGS_OF_JARS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "turn order": ("turn-order", ("turn",)),
    "option not asked": ("option-not-asked", ("not-asked",)),
    "betting stops": ("betting-stops", ("street-early",)),
    "raise under the minimum": ("low-raise", ("too-small",)),
    "raise not over the bet": ("low-raise", ("raise",)),
    "call of nothing": ("free-fold", ("call",)),
    "fold when a check is free": ("free-fold", ("free-fold",)),
    "uncalled amount": ("returned-too-much", ("uncalled",)),
    "pay at showdown": ("side-pot-missing", ("award",)),
    "pot printed": ("pots-printed", ("pot",)),
    "award lines in another form": ("pots-printed", ("award-lines",)),
    "bankroll not as the award lines say": ("returned-too-much", ("bankroll",)),
}
"""By the name of a deviation there: railbird's, without the game, and the rules of its findings."""
OF_HANDS: Final = {"pay at showdown", "bankroll not as the award lines say"}
"""Deviations counted by hands; the others are counted by lines."""
ABOUT_PLAYERS: Final = {"uncalled amount", *OF_HANDS}
"""Deviations whose chips are by player. Those of a pot are what lines print too much, of a raise what it lacks."""
PLANTED_PAY: Final = {"pay at showdown", "pay after folds"}
"""Wrong pay, in games whose engines always pay right."""


@pytest.mark.parametrize(("group", "name", "wanted"), expected_values((JARS,)))
def test_a_log_of_whole_pots_holds_what_was_counted_in_it(
    group: str, name: str, wanted: dict[str, Any], corpus: Path, tmp_path: Path
) -> None:
    game = GAMES_OF_JARS[wanted["game"]]
    ingest([corpus / group / name], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert one(store, "select sum(hands_seen) from files") == wanted["hands"]
        assert one(store, "select sum(lines_unknown) from files") == wanted["unknown"]
        assert one(store, "select count(*) from matches") == wanted["matches"]
        assert store.execute("select distinct game from matches").fetchall() == [(game,)]
        assert violations(store) == planted(wanted)
        assert deviations(store) == due_deviations(wanted, game)
        last = one(store, "select max(hand_no) from hands")
        damaged = {hand for hand, *_ in wanted["damaged"] if hand <= last}
        found = store.execute("select hand_no from hands where verdict = 'damaged'").fetchall()
        # A hand that follows damage may be damaged, too.
        assert {hand for (hand,) in found} >= damaged
        assert bool(found) == bool(damaged)
        if wanted["final"]:
            banks = store.execute("""
                select player, last(bankroll_before + delta order by hand_index)
                from seats join matches using (match_id)
                where match_no = (select max(match_no) from matches)
                group by player""").fetchall()
            assert dict(banks) == wanted["final"]
        if "logged_final" in wanted:
            ((players, logged),) = store.execute("select players, logged_final from matches").fetchall()
            assert dict(zip(players, logged, strict=True)) == wanted["logged_final"]


TABLES: Final = "other-engines"
AT_TABLES: Final[Mapping[str, str]] = {
    "legality acts though out or all-in": "huawei-2015.blind-all-in-is-asked",
    "legality acts though nothing is open": "huawei-2015.asked-though-nothing-is-open",
    "legality raise though not reopened": "huawei-2015.raise-not-reopened",
}
"""By the name of a deviation in the expected values of tables at which players leave: railbird's."""
AS_WRITTEN: Final[Mapping[str, str]] = {
    "legality the last player is still asked": """
        select count(distinct (match_id, hand_index)), 0 from actions where active_players = 1 and origin = 'choice'""",
    "legality fold when a check was free": """
        select count(distinct (match_id, hand_index)), 0 from actions where action = 'fold' and to_call = 0""",
    "rule all fold: the pot is thrown away": """
        select count(*), -sum(chips) from (
            select sum(delta) as chips from seats group by match_id, hand_index having sum(delta) <> 0)""",
}
"""By a name there: how many hands there are, and chips, of what the rules allow."""


@pytest.mark.parametrize(
    ("group", "name", "wanted"),
    [
        case
        for case in expected_values((TABLES,))
        if not case.values[0] or case.values[2]["dialect"] in ("huawei-replay", "huawei-log")
    ],
)
def test_a_log_of_a_table_holds_what_was_counted_in_it(
    group: str, name: str, wanted: dict[str, Any], corpus: Path, tmp_path: Path
) -> None:
    ingest([corpus / group / name], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert one(store, "select count(*) from hands") == wanted["hands"]
        assert one(store, "select sum(hands_rejected) from files") == len(wanted["incomplete_hands"])
        assert one(store, "select sum(lines_unknown) from files") == wanted["facts"].get("unknown lines", 0)
        assert store.execute("select distinct dialect from matches").fetchall() == [(wanted["dialect"],)]
        wrong = one(store, "select count(*) from hands where verdict not in ('ok', 'engine_deviation')")
        assert wrong == len(wanted["damaged_hands"])
        assert one(store, "select count(*) from seats where delta_written <> delta") == 0
        paid = wanted["paid_as_rules"]
        assert (
            one(store, "select count(distinct (match_id, hand_index)) from seats where delta_written = delta")
            == paid
        )
        found = {
            what: (hands, chips)
            for what, query in AS_WRITTEN.items()
            for hands, chips in store.execute(query).fetchall()
            if hands
        }
        known = store.execute(
            "select deviation, count(*) from (select unnest(deviations) as deviation from hands) group by all"
        )
        names = {deviation: what for what, deviation in AT_TABLES.items()}
        found |= {names[deviation]: (hands, 0) for deviation, hands in known.fetchall()}
        assert found == {what: (said["hands"], said["chips"]) for what, said in wanted["deviations"].items()}
        assert wanted["final_bankroll"] == dict(
            store.execute("select player, sum(delta) from seats group by player").fetchall()
        )
        shown = one(store, "select count(*) from hands where ended_by = 'showdown'")
        assert shown == wanted["showdowns"]
        assert one(store, "select max(len(players)) from matches") == wanted["players"]
        two = one(store, "select count(*) from hands where n_players = 2")
        # A hand left out may be one of two.
        assert 0 <= wanted["facts"].get("hands of two", 0) - two <= len(wanted["incomplete_hands"])


PEOPLE: Final = "people"
GAMES_OF_PEOPLE: Final[Mapping[str, str]] = {
    "No Limit Texas Hold'em": "pokernow",
    "Pot Limit Omaha Hi": "pokernow-omaha",
}
"""The name of a game that people play in the expected values, and railbird's."""
PLANTED_IN_PEOPLES: Final[Mapping[str, float]] = {"pay": 2.0, "pay pot is not what is collected": 1.0}
"""By the name of an error there: how often the differences of the players' pay count each chip of it."""


@pytest.mark.parametrize(("group", "name", "wanted"), expected_values((PEOPLE,)))
def test_a_log_of_people_holds_what_was_counted_in_it(
    group: str, name: str, wanted: dict[str, Any], corpus: Path, tmp_path: Path
) -> None:
    ingest([corpus / group / name], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert one(store, "select count(*) from hands where verdict <> 'damaged'") == wanted["hands"]
        lost = one(store, "select sum(hands_rejected + lines_unknown) from files")
        damaged = one(store, "select count(*) from hands where verdict = 'damaged'")
        assert lost + damaged == len(wanted["damaged_hands"]) + wanted["unknown_lines"]
        games = dict(store.execute("select game, sum(hands) from matches group by game").fetchall())
        due = {GAMES_OF_PEOPLE[game]: hands for game, hands in wanted.get("games", {}).items()}
        assert games == (due or {"irc": wanted["hands"]})
        verdicts = dict(store.execute("select verdict, count(*) from hands group by all").fetchall())
        assert verdicts["ok"] == wanted["paid_as_rules"]
        unverified = store.execute(
            "select message, count(*) from findings where kind = 'unverified' group by all"
        )
        assert dict(unverified.fetchall()) == wanted["unverified"]
        wrong = store.execute("""
            select hand_no, sum(abs(delta - delta_written)) from hands join seats using (match_id, hand_index)
            where verdict = 'violation' group by all order by all""").fetchall()
        assert wrong == sorted(
            (hand, said["chips"] * PLANTED_IN_PEOPLES[what])
            for what, said in wanted["deviations"].items()
            for hand in said["where"]
        )
        assert one(store, "select count(*) from hands where len(deviations) > 0") == 0
        won = store.execute("select player, sum(delta) from seats group by player").fetchall()
        assert {player: pytest.approx(chips, abs=0.001) for player, chips in won} == wanted["final_bankroll"]
        shown = one(
            store, "select count(*) from hands where ended_by = 'showdown' and verdict <> 'violation'"
        )
        planted = {"pay": 1}
        assert shown == wanted["showdowns"] - sum(
            said["hands"] * planted.get(what, 0) for what, said in wanted["deviations"].items()
        )
        assert one(store, "select count(distinct player) from seats") == wanted["players"]


def planted(wanted: Mapping[str, Any]) -> dict[int, dict[str, float]]:
    """The hands that were edited, and the chips by player, of engines that have no deviation of that name."""
    if wanted["game"] == "sidepots15":
        return {}
    return {
        said["first_hand"]: said["chips"]
        for what, said in wanted["deviations"].items()
        if what in PLANTED_PAY
    }


def violations(store: Store) -> dict[int, dict[str, float]]:
    """The hands in violation, and how much more each player is paid than by the rules."""
    found: dict[int, dict[str, float]] = {}
    for hand, player, chips in store.execute("""
        select hand_no, player, delta - delta_written from hands join seats using (match_id, hand_index)
        where verdict = 'violation'""").fetchall():
        found.setdefault(hand, {}).update({player: chips} if chips else {})
    return found


Counted = dict[str, tuple[int, dict[str, float]]]


def due_deviations(wanted: Mapping[str, Any], game: str) -> Counted:
    """By deviation: how often it is there by the expected values, and the chips by player."""
    if wanted["game"] not in ("sidepots15", "seats12"):
        return {}
    return {
        what: (said["count"], said["chips"] if what in ABOUT_PLAYERS or what == "pot printed" else {})
        for what, said in wanted["deviations"].items()
    }


def deviations(store: Store) -> Counted:
    """The same by the findings."""
    found: Counted = {}
    for what, (deviation, rules) in FINDINGS_OF_JARS.items():
        count = "count(distinct (match_id, hand_index))" if what in OF_HANDS else "count(*)"
        where = """
            from findings f join hands h using (match_id, hand_index)
            where list_contains($rules, rule) and split_part(deviation, '.', 2) = $deviation
            and h.verdict <> 'damaged'"""
        ((number,),) = store.execute(
            f"select {count} {where}", rules=list(rules), deviation=deviation
        ).fetchall()
        chips: list[Any] = []
        if what in ABOUT_PLAYERS:
            chips = store.execute(
                f"select player, sum(chips) {where} group by player having sum(chips) <> 0",
                rules=list(rules),
                deviation=deviation,
            ).fetchall()
        elif what == "pot printed":
            chips = store.execute(
                f"select '', sum(logged::double - expected::double) {where}",
                rules=list(rules),
                deviation=deviation,
            ).fetchall()
        if number:
            found[what] = number, dict(chips)
    return found


OF_THE_KIN: Final[Mapping[str, str]] = {
    "log checks after the all-in": "acpc.all-in-checks",
    "log note": "acpc.noted",
}
"""The name of a deviation in the expected values of the ACPC's kin, and railbird's."""
PLANTED_IN_THE_KIN: Final[Mapping[str, str]] = {
    "pay": "award",
    "log AIVAT is not chips less corrections": "published",
}
"""The name of a planted error there, and the rule of railbird's finding."""
PLACES: Final[Mapping[str, str]] = {"aivat-csv": "line"}
"""By dialect what tells a hand there: its line where it has no number."""
ADJUSTED: Final = {"lbr": "BR", "aivat-csv": "person"}
"""Whose luck-adjusted results are added up there."""


@pytest.mark.parametrize(("group", "name", "wanted"), expected_values((KIN,)))
def test_a_log_of_the_acpcs_kin_holds_what_was_counted_in_it(
    group: str, name: str, wanted: dict[str, Any], corpus: Path, tmp_path: Path
) -> None:
    dialect = wanted["dialect"]
    place = PLACES.get(dialect, "hand_no")
    damaged = [where for where, _ in wanted["damaged_hands"]]
    ingest([corpus / group / name], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.execute("select distinct dialect from matches").fetchall() == [(dialect,)]
        left_out = [line for (line,) in store.execute("select line from unknown_lines").fetchall()]
        incomplete = wanted.get("incomplete_hands", ())
        seen = wanted["hands"] + len(damaged) + wanted["unknown_lines"] + len(incomplete)
        assert one(store, "select sum(hands_seen) from files") == seen
        assert one(store, "select sum(hands_rejected) from files") == len(left_out)
        whole = f"from hands where not list_contains($damaged, {place})"
        assert store.execute(f"select count(*) {whole}", damaged=damaged).fetchone() == (wanted["hands"],)
        showdowns = f"select count(*) {whole} and ended_by = 'showdown'"
        assert store.execute(showdowns, damaged=damaged).fetchone() == (wanted["showdowns"],)
        for what, said in wanted["deviations"].items():
            rule = PLANTED_IN_THE_KIN.get(what)
            found = (
                "list_contains(deviations, $name)"
                if rule is None
                else "(match_id, hand_index) in (select (match_id, hand_index) from findings where rule = $name)"
            )
            hands = store.execute(
                f"select {place} from hands where {found} order by 1", name=rule or OF_THE_KIN[what]
            ).fetchall()
            assert len(hands) == said["hands"]
            assert [where for (where,) in hands][:5] == said["where"]
        wrong = store.execute(f"select {place} from hands where verdict = 'violation'").fetchall()
        due = {
            at for what in PLANTED_IN_THE_KIN for at in wanted["deviations"].get(what, {}).get("where", ())
        }
        assert {where for (where,) in wrong} == due | (set(damaged) - set(left_out))
        moved = store.execute(
            f"""
            select coalesce(sum(abs(delta - delta_written)), 0) / 2 from seats
            where (match_id, hand_index) in (select (match_id, hand_index) {whole})""",
            damaged=damaged,
        ).fetchone()
        assert moved == (sum(said["chips"] for said in wanted["deviations"].values()),)
        won = store.execute(
            f"""
            select player, sum(delta), sum(published_adjusted) from seats
            where (match_id, hand_index) in (select (match_id, hand_index) {whole}) group by player""",
            damaged=damaged,
        ).fetchall()
        assert {player: chips for player, chips, _ in won if chips is not None} == wanted["final_bankroll"]
        adjusted = {player: value for player, _, value in won}
        assert adjusted.get(ADJUSTED.get(dialect)) == pytest.approx(wanted.get("luck_adjusted"), abs=0.001)
        unverified = store.execute(
            "select message, count(*) from findings where kind = 'unverified' group by 1"
        )
        assert dict(unverified.fetchall()) == wanted["unverified"]
        if "own_seat" in wanted:
            only = {f"seat{seat}" for seat in wanted["own_seat"]}
            known = store.execute("select distinct player from seats where hole is not null and not shown")
            assert {player for (player,) in known.fetchall()} == only
            assert one(store, "select count(*) from faults") == wanted["answers_changed_by_the_dealer"]
        assert one(store, "select bool_and(complete) from matches") is wanted.get("finished", False)
        if wanted.get("totals_agree"):
            final = store.execute("select players, logged_final from matches").fetchone()
            assert final is not None
            assert dict(zip(*final, strict=True)) == wanted["final_bankroll"]


ARENAS: Final = "json-arenas"
OF_TABLES: Final = ("pypokerengine-replay", "live-poker-bench", "husky-pokerden")
"""Dialects of records that are JSON documents, a file each."""
RULES_AT_TABLES: Final[Mapping[str, str]] = {
    "legality acts though out or all-in": "asked-all-in",
    "legality acts though nothing is open": "asked-for-nothing",
    "legality raise though not reopened": "not-reopened",
    "legality raise-not-reopened": "not-reopened",
    "legality act-when-closed": "again",
    "legality bb-has-no-option": "not-asked",
    "legality call-nothing": "call",
    "legality raise-below-min": "too-small",
    "legality street-early": "street-early",
    "legality turn": "turn",
    "legality more-than-the-stack": "more-than-stack",
    "log board-card-after-the-end": "board-after-end",
    "log hand_info names another hand": "hand-kind",
    "rule chips taken from a player short of the blind": "chips-gone",
    "carry finalMoney": "chips-after",
    "pay": "award",
}
"""By the name of a deviation there: the rule of railbird's findings."""
PAID_OTHERWISE: Final[Mapping[str, tuple[str, str]]] = {
    "pay other": ("two-pair-kicker-ignored", "sum(abs(delta - delta_written)) / 2"),
    "pay odd chips dropped": ("odd-chip-dropped", "sum(delta_written - delta)"),
}
"""By the name of a deviation there: railbird's without the game, and how its chips are counted."""
STATED_AT_TABLES: Final[Mapping[str, str]] = {
    "legality fold when a check was free": AS_WRITTEN["legality fold when a check was free"],
    "legality fold-free": AS_WRITTEN["legality fold when a check was free"],
    "legality of two players the button is the big blind": """
        select count(*), 0 from hands join seats using (match_id, hand_index)
        where n_players = 2 and seat = dealer_seat and (match_id, hand_index, seat) in (
            select (match_id, hand_index, seat) from actions where action = 'post' and seq = 1)""",
    "log bust-player-no-hand": """
        select count(*), 0 from hands where (match_id, hand_index) not in (
            select (match_id, hand_index) from actions)""",
    "carry negative-money": """
        select count(distinct (match_id, hand_index)), 0 from seats where stack_start + delta < 0""",
}
"""By the name of a deviation there: how many hands there are, and chips, of what railbird's rules allow."""
TOLD_ELSEWHERE: Final = {
    # Of `pay other`.
    "log winners are not the best hands",
    # No row is stored of a player who is out.
    "log stack_start of a player who is out",
}
RULES_NOT_COUNTED: Final = {
    # The other program takes an all-in of less than the bet as any call.
    "call-amount"
}
MORE_AT_TABLES: Final[Mapping[str, Mapping[str, int]]] = {
    # The opponent is all-in on the turn, and the engine asks on the river.
    "NousResearch__huskyholdem-bench__13_06.json": {"asked-for-nothing": 1},
}
"""By file: the rules whose findings the other program does not count."""


def tables_expected() -> list[Any]:
    """The documents of tables, with their expected values; one that says so where there is no corpus."""
    from conftest import SKIPPED, corpus_root

    root = corpus_root()
    if root is None:
        return [pytest.param("", {}, id="no-corpus", marks=SKIPPED.marks)]
    found = []
    for group in (TABLES, ARENAS):
        for name, wanted in json.loads((root / group / "expected.json").read_text()).items():
            if wanted["dialect"] in OF_TABLES and wanted.get("hands"):
                (place,) = (root / group).glob(name) if "/" in name else (root / group).glob(f"*/{name}")
                found.append(pytest.param(place, wanted, id=f"{group}/{name}"))
    return found


@pytest.mark.parametrize(("place", "wanted"), tables_expected())
def test_a_record_of_a_table_holds_what_was_counted_in_it(
    place: Path, wanted: dict[str, Any], tmp_path: Path
) -> None:
    due = {what: said for what, said in wanted["deviations"].items() if what not in TOLD_ELSEWHERE}
    rules_due = {
        RULES_AT_TABLES[what]: said["hands"] for what, said in due.items() if what in RULES_AT_TABLES
    }
    rules_due |= {"deck": len(wanted["damaged_hands"])} if wanted["damaged_hands"] else {}
    rules_due |= MORE_AT_TABLES.get(place.name, {})
    ingest([place], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert one(store, "select count(*) from hands") == wanted["hands"]
        assert one(store, "select sum(hands_rejected) from files") == 0
        assert store.execute("select distinct dialect from matches").fetchall() == [(wanted["dialect"],)]
        rules = dict(
            store.execute(
                "select rule, count(distinct (match_id, hand_index)) from findings group by all"
            ).fetchall()
        )
        for what, (deviation, chips) in PAID_OTHERWISE.items():
            paid = f"list_contains(deviations, '{GAME_OF[wanted['dialect']]}.{deviation}')"
            query = f"""
                select count(distinct (match_id, hand_index)), coalesce({chips}, 0)
                from hands join seats using (match_id, hand_index) where {paid}"""
            said = due.get(what, {"hands": 0, "chips": 0})
            assert store.execute(query).fetchall() == [(said["hands"], said["chips"])]
            if said["hands"]:
                rules_due["award"] = rules_due.get("award", 0) + said["hands"]
        assert {rule: hands for rule, hands in rules.items() if rule not in RULES_NOT_COUNTED} == rules_due
        for what, query in STATED_AT_TABLES.items():
            if what in due:
                assert one(store, f"select count from ({query}) as t (count, chips)") == due[what]["hands"]
        taken = "select coalesce(sum(chips), 0) from findings where rule = 'chips-gone'"
        said = due.get("rule chips taken from a player short of the blind", {"chips": 0})
        assert one(store, taken) == -said["chips"]
        wrong = one(store, "select count(*) from hands where verdict not in ('ok', 'engine_deviation')")
        assert wrong == len({"pay", "carry finalMoney"} & due.keys() and [1]) + len(wanted["damaged_hands"])
        key = "player" if wanted["dialect"] == "husky-pokerden" else "'seat' || (seat + $first)"
        first = 1 if wanted["dialect"] == "live-poker-bench" else 0
        won = store.execute(
            f"select {key}, sum(delta) from seats where $first >= 0 group by 1", first=first
        ).fetchall()
        assert dict(won) == {
            name: chips for name, chips in wanted["final_bankroll"].items() if name in dict(won)
        }
        assert all(chips == 0 for name, chips in wanted["final_bankroll"].items() if name not in dict(won))
        if "showdowns" in wanted:
            shown = one(store, "select count(*) from hands where ended_by = 'showdown'")
            assert shown == wanted["showdowns"]


GAME_OF: Final[Mapping[str, str]] = {
    "pypokerengine-replay": "pypokerengine",
    "live-poker-bench": "live-poker-bench",
    "husky-pokerden": "husky-bench",
}


PHH: Final = "phh"
NO_RULES: Final = "stud or draw variant"
OF_PHH: Final[Mapping[str, str]] = {
    "pay odd-chip": "engine_deviation",
    "pay winnings-not-pot": "engine_deviation",
    "pay": "violation",
    "legality raise-below-min": "violation",
    "legality turn": "violation",
}
"""By the name of a deviation there: railbird's verdict."""


@pytest.mark.parametrize(("group", "name", "wanted"), expected_values((PHH,)))
def test_a_published_hand_holds_what_was_counted_in_it(
    group: str, name: str, wanted: dict[str, Any], corpus: Path, tmp_path: Path
) -> None:
    summary = ingest([corpus / group / name], tmp_path / "store")
    damaged = wanted["damaged_hands"]
    if not any(account.matches for account in summary.files):
        # A file of one hand that cannot be read.
        assert damaged
        assert len(summary.complaints) == 1
        return
    with open_store(tmp_path / "store") as store:
        assert one(store, "select sum(hands_seen) from files") == wanted["hands"]
        assert one(store, "select sum(lines_unknown) from files") == wanted["unknown_lines"]
        verdicts = dict(store.execute("select verdict, count(*) from hands group by all").fetchall())
        assert verdicts.get("unverified", 0) == sum(wanted["unverified"].values())
        wrong: dict[str, int] = {}
        for what, said in wanted["deviations"].items():
            wrong[OF_PHH[what]] = wrong.get(OF_PHH[what], 0) + said["hands"]
            if what.startswith("pay"):
                moved = "select sum(abs(delta - delta_written)) / 2 from seats"
                gained = "select sum(greatest(delta - delta_written, 0)) from seats"
                assert said["chips"] in (one(store, moved), one(store, gained))
        left_out = one(store, "select sum(hands_rejected) from files")
        bad = verdicts.get("damaged", 0) + verdicts.get("violation", 0) - wrong.get("violation", 0)
        assert bad == len(damaged) - left_out
        assert verdicts.get("engine_deviation", 0) == wrong.get("engine_deviation", 0)
        assert one(store, "select coalesce(sum(rake), 0) from hands") == pytest.approx(wanted.get("rake", 0))
        if wanted["unverified"].get(NO_RULES) or damaged or "hole cards unknown" in wanted["unverified"]:
            return
        # The other program leaves the rake in the pots, and nameless players out.
        found = store.execute("""
            with raked as (
                select match_id, hand_index, player, delta + if(delta > 0, coalesce(rake, 0), 0) as gross
                from seats join hands using (match_id, hand_index))
            select player, sum(gross) from raked group by player""").fetchall()
        gross = {player: chips for player, chips in found if player in wanted["final_bankroll"]}
        assert gross == pytest.approx(wanted["final_bankroll"])
