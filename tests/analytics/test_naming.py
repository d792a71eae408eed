"""`--rename` makes one player of several names, tags become columns, `--split` makes players of a column's values."""

from collections.abc import Sequence
from pathlib import Path
from shutil import copytree

import pytest
from conftest import Run

from railbird.analytics.naming import Naming, _pattern, renamed
from railbird.analytics.players import Player
from railbird.analytics.store import open_store
from railbird.analytics.views import all_views
from railbird.ingest import ingest
from railbird.parsers.sources import WishError
from railbird.storage.editing import tag


@pytest.fixture(scope="module")
def tagged(samples_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of all samples with a tag on half of its events."""
    store = tmp_path_factory.mktemp("naming") / "store"
    copytree(samples_folder, store)
    for event in ("bounty", "acpc", "blotto", "koper"):
        tag(store, [], {"version": "v7"}, event=event)
    return store


@pytest.mark.parametrize(
    ("rename", "name", "shown", "groups"),
    [
        (r"bot-(v\d+)", "bot-v12", "bot", ("v12",)),
        (r"bot-(v\d+)", "a bot-v12", "a bot-v12", (None,)),
        (r"(v\d+)_(.*)", "v3_fox", "v3_fox", ("v3", "fox")),
        (r"(?P<team>\w+)/bot(?:@(?P<host>.*))?", "us/bot", "bot", ("us", None)),
        (r"(\d+)?fox(\d+)?", "fox2", "fox", (None, "2")),
    ],
)
def test_groups_are_taken_out_of_a_name(
    rename: str, name: str, shown: str, groups: Sequence[str | None]
) -> None:
    pattern, _ = _pattern(rename)
    assert renamed(name, pattern) == (shown, groups)


@pytest.mark.parametrize(
    ("rename", "columns"),
    [("(a)", ("version",)), ("(a)(b)(?P<host>c)", ("version", "version_2", "host"))],
)
def test_groups_have_names(rename: str, columns: Sequence[str]) -> None:
    assert _pattern(rename)[1] == columns


@pytest.mark.parametrize(
    ("naming", "said"),
    [
        (Naming("O.*"), "--rename 'O.*' needs a group, such as 'bot-(v[0-9]+)'"),
        (
            Naming("("),
            "--rename '(' is no regular expression: missing ), unterminated subpattern at position 0",
        ),
        (Naming("(?P<hands>O.*)"), "'hands' cannot be a tag: a relation has a column of that name"),
        (
            Naming("", ("versoin",)),
            "--split: no column is called 'versoin'; most like it: 'version'; columns are version",
        ),
    ],
)
def test_wishes_that_cannot_be_followed(naming: Naming, said: str, tagged: Path) -> None:
    with pytest.raises(WishError) as raised:
        open_store(tagged, naming=naming)
    assert str(raised.value) == said


def test_every_view_of_a_tagged_store_has_the_same_rows(tagged: Path, samples_folder: Path) -> None:
    with open_store(tagged) as one, open_store(samples_folder) as other:
        for view in all_views():
            # `event_balance` shows any of several lists of matches. Views before the lock have the same text as others.
            if view.name in ("files", "tags", "event_balance") or view.name.endswith("_before_lock"):
                continue
            # Sums of floats depend on the order of the rows.
            listed = ", ".join(f'"{c.name}"' for c in view.columns if "DOUBLE" not in c.type)
            query = f"select count(*), bit_xor(hash({listed})) from {view.name}"
            assert one.execute(query).fetchall() == other.execute(query).fetchall(), view.name


@pytest.mark.parametrize("relation", ["matches", "hands", "seats", "players", "results"])
def test_a_tag_is_a_column(relation: str, tagged: Path) -> None:
    with open_store(tagged) as store:
        wrong = store.execute(f"""
            select count(*) from {relation} r join matches m on m.match_id = r.match_id
            where r.version is distinct from if(m.event in ('bounty', 'acpc', 'blotto', 'koper'), 'v7', null)
        """).fetchall()
        assert wrong == [(0,)]


def test_renamed_players_are_one_and_their_versions_a_column(tmp_path: Path, sample_logs: Path) -> None:
    text = (sample_logs / "holdem-mit" / "base.txt").read_text()
    for name in ("bot-v1", "bot-v2"):
        (tmp_path / f"{name}.txt").write_text(text.replace("Rook", name))
    ingest([tmp_path], tmp_path / "store", event="cup")
    naming = Naming(r"bot-(v\d+)")
    with open_store(tmp_path / "store", naming=naming) as store:
        assert store.execute("select distinct players from matches").fetchall() == [(["bot", "Magpie"],)]
        by_version = store.execute("""
            select player, version, count(*), sum(delta) from seats group by all order by all
        """).fetchall()
        assert [row[:2] for row in by_version] == [("Magpie", None), ("bot", "v1"), ("bot", "v2")]
        assert by_version[1][2:] == by_version[2][2:]
        (both,) = store.execute("select sum(hands) from results where player = 'bot'").fetchall()
        assert both == (2 * by_version[1][2],)
        seen = store.as_seen_by(Player("cup", "holdem-mit", "bot"))
        assert seen.execute("select count(*) from seats where player = 'bot'").fetchall() == [both]
        seen.close()
    with open_store(tmp_path / "store", naming=Naming(naming.rename, ("version",))) as store:
        found = store.execute("select distinct player from players order by player").fetchall()
        assert found == [("Magpie",), ("bot [v1]",), ("bot [v2]",)]


def test_a_name_without_the_group_has_the_tag(tmp_path: Path, sample_logs: Path) -> None:
    ingest([sample_logs / "holdem-mit" / "base.txt"], tmp_path / "store", tags={"version": "old"})
    with open_store(tmp_path / "store", naming=Naming("Ro(ok)", ("version",))) as store:
        found = store.execute("select distinct player, version from seats order by player").fetchall()
        assert found == [("Magpie [old]", "old"), ("Ro [ok]", "ok")]


def test_commands_take_names_and_tags(run: Run, tmp_path: Path, sample_logs: Path) -> None:
    store = tmp_path / "store"
    log = sample_logs / "holdem-mit" / "base.txt"
    assert run("ingest", log, "--store", store, "--tag", "version=v7")[0] == 0
    code, out, _ = run("tag", "base.txt", "version=v8", "server=aws", "--store", store)
    assert (code, out.startswith("tagged 1 match, ")) == (0, True)
    code, out, _ = run("bankroll", "--store", store, "--split", "version", "--format", "csv")
    assert code == 0
    assert "Magpie [v8]" in out
    code, out, _ = run("stats", "--store", store, "--rename", "Ro(ok)", "--format", "csv")
    assert code == 0
    assert ",Ro," in out
    assert run("stats", "--store", store, "--rename", "nobody(x)") == (
        2,
        "",
        "railbird: no player's name matches --rename 'nobody(x)'\n",
    )
    assert run("forget", "base.txt", "--store", store)[:2] == (0, "forgot 1 match, 60 hands, 1 file\n")
    assert run("forget", "base.txt", "--store", store)[0] == 2
