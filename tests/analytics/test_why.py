"""Why a player loses to another: figures counted by other means, the planted leak, and what the command prints."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from arena.planted import Honest, Planted, matches
from conftest import Run
from rich.cells import cell_len

from railbird import cli
from railbird.analytics import luck
from railbird.analytics.exploit.search import BEYOND, SURE
from railbird.analytics.players import Player, find_player, rules_of
from railbird.analytics.store import Store, open_store
from railbird.analytics.why import ENOUGH, Loss, Why, WhyError, met_in, weaknesses, why
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.reports import why as printed
from railbird.reports.exploit import habits
from railbird.reports.terminal import json_value

HANDS, MATCHES = 2400, 12


@pytest.fixture(scope="module")
def store_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve logs of a bot that folds to small turn bets, read by the command `ingest`."""
    folder = tmp_path_factory.mktemp("why")
    logs = folder / "cup"
    logs.mkdir()

    def planted(rng: Random) -> Planted:
        return Planted(rng, "folds_to_small_turn_bets")

    texts = matches("holdem-mit", planted, lambda rng: Honest(rng), HANDS, 3, MATCHES)
    for number, text in enumerate(texts):
        (logs / f"match-{number}.txt").write_text(text, encoding="utf-8")
    assert cli.main(["ingest", str(logs), "--store", str(folder / "store")]) == 0
    return folder / "store"


@pytest.fixture(scope="module")
def store(store_folder: Path) -> Iterator[Store]:
    with open_store(store_folder) as opened:
        yield opened


@pytest.fixture(scope="module")
def found(store: Store) -> Why:
    return why(store, find_player(store, "Planted"), find_player(store, "Honest"))


def test_twelve_logs_and_two_commands_say_why(run: Run, store_folder: Path) -> None:
    # The first command is the fixture's.
    code, out, err = run("why", "Planted", "--against", "Honest", "--store", store_folder)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) <= 45
    assert max(map(cell_len, lines)) <= 80
    assert " Honest in 2,400 hands of 12 matches: " in out
    first = out.partition("What Planted gives away (2,400 hands against Honest")[2].partition("\n1. ")[2]
    assert first.startswith("folds-too-much: Planted folds to ")
    assert " turn bets " in " ".join(first.partition("Fold less")[0].split())
    assert "   Fold less there. Hands " in first
    assert "What Honest gives away (2,400 hands against Planted" in out
    hand = first.partition("Hands ")[2].split()[0].rstrip(",")
    assert hand.startswith("match-") and ".txt#" in hand
    assert run("replay", hand, "--store", store_folder)[0] == 0


def test_the_figures_are_those_of_luck(store: Store, found: Why) -> None:
    (row,) = (
        row for row in luck.winnings(store, "opponent").iter_rows(named=True) if row["player"] == "Planted"
    )
    outcome = found.outcome
    assert (outcome.hands, outcome.matches) == (row["hands"], row["matches"]) == (HANDS, MATCHES)
    assert outcome.won == pytest.approx((row["delta"], row["delta_low"], row["delta_high"]))
    assert outcome.adjusted == pytest.approx(
        tuple(row[f"chance_adjusted{end}"] for end in ("", "_low", "_high"))
    )
    assert outcome.cards == pytest.approx(row["delta"] - row["chance_adjusted"])


def test_the_parts_of_a_breakdown_add_up(found: Why) -> None:
    parts = found.parts
    assert [*dict.fromkeys(part.breakdown for part in parts)] == ["street", "position", "hole"]
    for breakdown in ("street", "position", "hole"):
        some = [part for part in parts if part.breakdown == breakdown]
        assert sum(part.hands for part in some) == found.outcome.hands
        assert sum(part.bb for part in some) == pytest.approx(found.outcome.bb)
        assert sum(part.won[0] or 0.0 for part in some) == pytest.approx(found.outcome.won[0])
        for part in some:
            mean, low, high = part.won
            assert mean is not None and low is not None and high is not None
            assert low < mean < high or part.hands == 0


def test_the_parts_are_counted_from_the_stored_rows(store: Store, found: Why) -> None:
    last: dict[tuple[int, int], int] = {}
    for match, hand, street, origin in store.sql(
        "select match_id, hand_index, street, origin from actions"
    ).fetchall():
        if origin == "choice":
            last[match, hand] = max(last.get((match, hand), 0), street)
    counts: dict[tuple[str, str | int], tuple[int, float]] = {}
    for match, hand, position, hole, delta in store.sql(
        "select match_id, hand_index, position, hole, delta from stored.seats where player = 'Planted'"
    ).fetchall():
        (one, suit), (other, suit_too) = hole
        kind = "pair" if one == other else "suited" if suit == suit_too else "offsuit"
        for key in (("street", last.get((match, hand), 0)), ("position", position), ("hole", kind)):
            hands, bb = counts.get(key, (0, 0.0))
            counts[key] = (hands + 1, bb + delta / 2)
    assert {(part.breakdown, part.value): part.hands for part in found.parts} == {
        key: hands for key, (hands, _) in counts.items()
    }
    for part in found.parts:
        assert part.bb == pytest.approx(counts[part.breakdown, part.value][1])
    assert [part.value for part in found.parts] == [0, 1, 2, 3, "SB", "BB", "pair", "suited", "offsuit"]


def test_the_hands_to_look_at_are_the_largest_losses_without_uncalled_bets(store: Store, found: Why) -> None:
    rows = store.sql(
        "select match_id, hand_index, list(contribution order by player desc), "
        "list(delta order by player desc) from stored.seats group by all"
    ).fetchall()
    # "Planted" comes after "Honest".
    lost = {(match, hand): (won[0] / 2, min(put)) for match, hand, put, won in rows}
    assert [loss.won for loss in found.losses] == sorted(won for won, _ in lost.values())[:3]
    for loss in found.losses:
        won, matched = lost[loss.match_id, loss.hand_index]
        assert (loss.won, loss.pot) == (won, matched)
        assert loss.street is not None and loss.equity is not None and 0 <= loss.equity <= 1
    assert [loss.equity for loss in found.losses] == sorted(loss.equity or 0.0 for loss in found.losses)


def test_the_planted_leak_is_first_and_habits_of_both_come_last(found: Why) -> None:
    first = found.own.found[0]
    assert (first.leak.kind, first.leak.street) == ("folds-too-much", 2)
    assert first.leak.listed and first.leak.low > 0
    assert first.theirs is not None and first.theirs[0] is not None and first.leak.does[0] is not None
    assert first.beyond > BEYOND and first.leak.does[0] > first.theirs[0] + 0.2
    order = [(not one.is_own, not one.leak.listed) for one in found.own.found]
    assert order == sorted(order)
    assert all(one.leak.low > 0 and one.leak.listed for one in found.of_other.found)
    assert all(one.beyond >= SURE and one.leak.low <= 0 for one in found.own.found if not one.leak.listed)
    assert all(len(one.leak.hands) >= 3 for one in found.own.found)
    assert sum(one.is_own for one in found.own.found if not one.leak.listed) <= 3
    assert found.own.of_the_two and found.own.hands == HANDS


def test_a_habit_is_what_the_stored_decisions_say(store: Store, found: Why) -> None:
    # A fold to a first bet of the turn of over a quarter and up to half the pot.
    counts = {"Planted": [0, 0], "Honest": [0, 0]}
    for name, action in store.sql(
        "select s.player, a.action from actions as a join stored.seats as s using (match_id, hand_index, seat) "
        "where a.street = 2 and a.origin = 'choice' and a.to_call > 0 and a.bet_level = 1 "
        "and a.to_call / (a.pot_before - a.to_call) > 0.25 and a.to_call / (a.pot_before - a.to_call) <= 0.5"
    ).fetchall():
        counts[name][0] += action == "fold"
        counts[name][1] += 1
    first = found.own.found[0]
    assert (first.leak.spot, first.leak.size, first.leak.n) == ("bet", 2, counts["Planted"][1])
    assert first.leak.does[0] == pytest.approx(counts["Planted"][0] / counts["Planted"][1])
    assert first.theirs is not None
    assert first.theirs[0] == pytest.approx(counts["Honest"][0] / counts["Honest"][1])


def test_a_sure_habit_is_shown_although_its_price_is_not_certain(run: Run, tmp_path: Path) -> None:
    logs = tmp_path / "cup"
    logs.mkdir()
    texts = matches(
        "holdem-mit", lambda rng: Planted(rng, "calls_any_draw"), lambda rng: Honest(rng), 3000, 2, 2
    )
    for number, text in enumerate(texts):
        (logs / f"{number}.txt").write_text(text, encoding="utf-8")
    ingest([logs], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        store.count_equities()
        player, other = find_player(store, "Planted"), find_player(store, "Honest")
        sure = weaknesses(store, player, other, every=True)
        assert all(one.leak.listed for one in weaknesses(store, player, other).found)
        rules = rules_of(store, "holdem-mit")
    unsure = [one for one in sure.found if not one.leak.listed]
    assert unsure and all(one.beyond >= SURE for one in unsure)
    (draws,) = (one for one in unsure if one.leak.holding == "draw")
    rate, theirs = draws.leak.does[0], draws.theirs
    assert draws.leak.kind == "calls-too-much" and rate is not None and rate > 0.9
    assert theirs is not None and theirs[0] is not None and theirs[0] < 0.7
    said = printed._leak(draws, "Planted", rules)
    assert said["certain"] is False and said["own_habit"] is True
    # `exploit` has it, too, behind what wins for certain.
    code, out, _ = run("exploit", "Planted", "--store", tmp_path / "store", "--format", "json")
    rows = json.loads(out)["leaks"]
    (habit,) = (row for row in rows if row["own_habit"] and row["holding"] == "draw")
    assert code == 1 and (habit["leak"], habit["listed"], habit["street"]) == ("calls-too-much", False, 2)
    assert habit["gain_low"] < 0 < habit["gain"] and habit["rate"] == rate
    assert habit["others"] == pytest.approx(theirs[0])
    assert f" with a draw (its opponents: {100 * theirs[0]:.1f}%); " in habit["sentence"]
    assert [row["listed"] for row in rows] == sorted((row["listed"] for row in rows), reverse=True)
    out = " ".join(run("exploit", "Planted", "--store", tmp_path / "store")[1].split())
    known, _, below = out.partition(
        "Sure habits that its opponents do not have, at a price that is not certain: "
    )
    assert " with a draw (its" not in known and " with a draw (its" in below and "may win nothing" not in out
    assert said["sentence"].startswith("Planted calls or raises ") and " with a draw; " in said["sentence"]


def test_json_has_the_contract_and_every_hand(run: Run, store_folder: Path, store: Store, found: Why) -> None:
    rules = rules_of(store, "holdem-mit")
    document = json.loads(json.dumps(json_value(printed.answer(found, rules))))
    assert len(document["leaks"]) == len(found.own.found) > 0
    for row, one in zip(document["leaks"], found.own.found, strict=True):
        assert row["certain"] is (row["cost_low"] > 0)
        assert {"leak", "street", "cost", "cost_low", "cost_high", "sentence", "hands"} <= row.keys()
        assert not {"gain", "listed"} & row.keys()
        assert row["cost_low"] <= row["cost"] <= row["cost_high"] and row["cost"] > 0
        assert len(row["hands"]) == len(one.leak.hands) >= 3
    planted = document["leaks"][0]
    assert planted["leak"] == "folds-too-much"
    assert (planted["change"], planted["street"], planted["certain"]) == ("fold less there", 2, True)
    assert [row["value"] for row in document["where"]][:4] == ["preflop", "flop", "turn", "river"]
    assert sum(row["hands"] for row in document["where"] if row["part"] == "street") == document["hands"]
    assert len(document["look_at"]) == 3
    assert run("replay", document["look_at"][0]["hand"], "--store", store_folder)[0] == 0
    every = "\n".join(printed._Text(found, rules, {}).lines(every=True))
    # Several plays that cost against one habit are one line.
    leaks = [one.leak for one in found.own.found]
    does = [(leak.kind, leak.street, leak.spot, leak.size, leak.holding, leak.does) for leak in leaks]
    once = habits(leaks)
    assert every.count(". Hands ") == len(once) == len(set(does)) < len(does)
    assert habits([replace(leaks[0], low=leaks[0].low - 1), *leaks]) == once
    for leak in once:
        mine = does[leaks.index(leak)]
        assert leak.low == max(one.low for one, key in zip(leaks, does, strict=True) if key == mine)
    assert "--all shows" not in every


def test_as_of_a_match_no_later_one_counts(store: Store, found: Why) -> None:
    player, other = found.player, found.against
    third = found.met.ids[2]
    early = why(store, player, other, third)
    assert early.met.ids == found.met.ids[:3]
    assert early.outcome.hands == HANDS // 4
    assert {loss.match_id for loss in early.losses} <= {*early.met.ids}
    (planted,) = early.own.found
    assert (planted.leak.kind, planted.leak.street) == ("folds-too-much", 2)
    assert {match for match, _ in planted.leak.hands} <= {*early.met.ids}
    assert early.own.hands == HANDS // 4


def test_few_hands_have_no_leaks_but_say_where_the_chips_went(run: Run, tmp_path: Path) -> None:
    logs = tmp_path / "few"
    logs.mkdir()
    for number, other in enumerate(("Bob", "Eve")):
        text = simulate("holdem-mit", [("Ann", "loose-aggressive"), (other, "maniac")], 40, number)
        (logs / f"{number}.txt").write_text(text, encoding="utf-8")
    ingest([logs], tmp_path / "store")
    code, out, err = run("why", "Ann", "--against", "Bob", "--store", tmp_path / "store")
    assert (code, err) == (0, "")
    said = " ".join(out.split())
    assert "Ann" in out and " Bob in 40 hands of 1 match: " in said
    assert (
        "What Ann gives away (all its 80 hands; those against Bob are fewer than 1,000): nothing that is certain; "
        "these are too few to price a change of play."
    ) in said
    # Bob met nobody else.
    assert "What Bob gives away (40 hands against Ann): nothing that is certain" in said
    assert " hole cards " in out and "Hands that Ann lost most in" in out
    as_json = run("why", "Ann", "--against", "Bob", "--store", tmp_path / "store", "--format", "json")
    document = json.loads(as_json[1])
    assert as_json[0] == 0 and document["leaks"] == document["uses"] == []
    assert document["leaks_from"] == {
        "hands": 80,
        "matches": 2,
        "of_the_two": False,
        "looked": 0,
        "reason": None,
    }
    with open_store(tmp_path / "store") as few:
        ann, bob = find_player(few, "Ann"), find_player(few, "Bob")
        assert not weaknesses(few, ann, bob).of_the_two and ENOUGH > 80
        with pytest.raises(WhyError, match="'Eve' did not meet"):
            met_in(few, bob, find_player(few, "Eve"))


@pytest.mark.parametrize(
    ("event", "game", "breakdown"),
    [
        ("koper", None, "hole cards"),
        ("blotto", None, "ended by"),
        ("acpc", "acpc/holdem.nolimit.6p", "hole cards"),
        ("river-of-blood", None, "hole cards"),
        ("acpc", "acpc/leduc.limit.2p", "ended by"),
    ],
)
def test_every_kind_of_game_says_where_the_chips_went(
    run: Run, samples: Store, samples_folder: Path, event: str, game: str | None, breakdown: str
) -> None:
    at, of, name, other = samples.sql(
        "select p.event, p.game, p.player, o.player from players as p join players as o using (match_id) "
        "where contains(lower(p.event), $event) and ($game is null or p.game = $game) and p.player <> o.player "
        "and p.namesake_seat is null and o.namesake_seat is null order by all limit 1",
        event=event,
        game=game,
    ).fetchall()[0]
    code, out, err = run(
        "why", name, "--against", other, "--event", at, "--game", of, "--store", samples_folder
    )
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) <= 45 and max(map(cell_len, lines)) <= 80
    assert breakdown in out and "last choice" in out
    assert f"What {name} gives away" in out


def test_hostile_names_and_many_leaks_fit(store: Store, found: Why) -> None:
    rules = rules_of(store, "holdem-mit")
    many = replace(found.own, found=found.own.found * 9)
    for one, other in (("x" * 100_000, "x" * 99_999), ("拍" * 300, "\u202eevil\x1b[31m\n"), (" ", "  ")):
        player, against = replace(found.player, name=one), replace(found.against, name=other)
        hostile = replace(found, player=player, against=against, own=many, of_other=many)
        lines = printed._Text(hostile, rules, {}).lines(every=False)
        assert len(lines) <= 45
        assert max(map(cell_len, lines)) <= 80
        assert all(line.isprintable() for line in lines)
        names = printed._Text(hostile, rules, {}).name, printed._Text(hostile, rules, {}).other
        assert names[0] != names[1]


def test_briefly_told_a_leak_is_the_change_of_play(store: Store, found: Why) -> None:
    text = printed._Text(found, rules_of(store, "holdem-mit"), {})
    said = " ".join(" ".join(text._weaknesses(found.own, "Planted", "Honest", 1, brief=True)).split())
    assert " 1. folds-too-much: betting " in said and said.endswith(" bb/100.")
    assert "Planted folds" not in said and " Hands " not in said


def test_the_words_of_a_lost_hand(store: Store) -> None:
    rules = rules_of(store, "holdem-mit")
    loss = Loss(1, 2, -100.0, 200.0, 2, 3, "call", 0.0)
    said = printed.loss_said
    assert said(loss, rules) == "−100 bb of a 200 bb pot; river call with 0% to expect: behind"
    assert said(replace(loss, equity=0.8), rules).endswith("river call with 80% to expect: bad luck")
    assert said(replace(loss, action="fold", equity=0.8), rules).endswith("80% to expect: folded the best")
    assert said(replace(loss, equity=0.5), rules).endswith("50% to expect: even")
    assert said(replace(loss, players=3, equity=0.2), rules).endswith("river call with 20% to expect")
    assert said(replace(loss, equity=None), rules).endswith("; last a river call")
    assert said(replace(loss, street=None, action=None), rules).endswith("pot, without a choice")


def test_what_cannot_be_answered_is_one_line(run: Run, store_folder: Path, found: Why) -> None:
    for arguments, said in (
        (("Nobody", "--against", "Honest"), "no player is called 'Nobody'"),
        (("Planted", "--against", "Nobody"), "'Nobody' has not met 'Planted'"),
        (("Planted", "--against", "Planted"), "'Planted' has not met 'Planted'"),
        (("Planted",), "Missing option '--against'"),
        (("Planted", "--against", "Honest", "--format", "csv"), "an answer to why is not a table"),
        (("Planted", "--against", "Honest", "--as-of", "nothing"), "no match is called 'nothing'"),
    ):
        code, out, err = run("why", *arguments, "--store", store_folder)
        assert (code, out) == (2, ""), arguments
        assert said in err and err.count("\n") == 1
    with open_store(store_folder) as store, pytest.raises(WhyError, match="with itself"):
        met_in(store, found.player, Player(found.player.event, found.player.game, "Planted"))


def test_opponent_says_first_what_wins(run: Run, store_folder: Path) -> None:
    code, out, err = run("opponent", "Planted", "--store", store_folder)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "Planted: holdem-mit, event cup"
    assert lines[3].startswith("What wins against it (2,400 hands")
    assert lines[4].startswith("1. folds-too-much: Planted folds to ")
    assert len(lines) <= 45 and max(map(cell_len, lines)) <= 80
    hand = out.partition("Hands ")[2].split()[0].rstrip(",")
    assert run("replay", hand, "--store", store_folder)[0] == 0
