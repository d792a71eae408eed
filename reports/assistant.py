"""Questions of an assistant: the tools of a server of the Model Context Protocol, on standard input and output.

Every tool only reads. The store is opened anew for each question, so answers follow a store that grows.
"""

import json
from typing import Any, Final

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from ..analytics.naming import Naming
from ..analytics.players import SeveralPlayers, UnknownMatch, UnknownName, find_player
from ..analytics.store import AS_LOGGED, open_store
from ..storage.locations import Place
from ..storage.manifest import StoreError
from . import UserError, frames
from .bounded_sql import BoundedSql
from .matches import all_matches, one_match, rows_of
from .replayer import headline, load_hand, parse_name, rows_of_steps
from .terminal import json_value

_READS: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_MOST: Final = 200
"""Rows of an answer; more would fill an assistant's memory."""
_ABOUT: Final = (
    "Answers about poker matches that railbird read from bots' logs. Chips are in the log's unit, bb_per_100 in big "
    "blinds per 100 hands, low and high are the ends of 95% intervals. A hand is named MATCH#HAND. A player is "
    "(event, game, name): give event or game if a name occurs in several."
)

Answer = dict[str, Any]


class Questions:
    """The questions over a store; a request that cannot be fulfilled raises ToolError with one line."""

    def __init__(self, place: Place, naming: Naming = AS_LOGGED) -> None:
        """naming: which names are one player."""
        self._place, self._naming = place, naming
        self._sql = BoundedSql(str(place), naming)

    def list_matches(
        self, event: str | None = None, game: str | None = None, player: str | None = None, offset: int = 0
    ) -> Answer:
        """The matches of the store: match_id, event, game, players, hands, file; 200 from offset on, of total."""
        with open_store(self._place, naming=self._naming) as store:
            found = [
                match
                for match in all_matches(store)
                if event in (None, match.event)
                and game in (None, match.game)
                and (player is None or player in match.players)
            ]
        offset = max(offset, 0)
        rows = [
            {
                "match_id": str(match.match_id),
                "event": match.event,
                "game": match.game,
                "players": list(match.labels),
                "hands": match.hands,
                "file": match.file,
            }
            for match in found[offset : offset + _MOST]
        ]
        return {"total": len(found), "matches": rows}

    def tendencies(
        self,
        player: str,
        before: str | None = None,
        event: str | None = None,
        game: str | None = None,
        seat: int | None = None,
    ) -> Answer:
        """How a player plays: each statistic with opportunities, successes, rate and its 95% interval.

        before: MATCH#HAND; then only what was played before this hand counts, as a bot could know it at that time:
        earlier matches, and earlier hands of this match. A player of this match need not be told from others of its
        name by event and game.
        """
        with open_store(self._place, naming=self._naming) as store:
            if before is None:
                who = find_player(store, player, event, game, seat)
                limited = store.matches_of(who)
            else:
                name, hand = parse_name(before)
                match = one_match(store, name, "before names one match")
                if player in match.players:
                    event, game = event or match.event, game or match.game
                who = find_player(store, player, event, game, seat)
                limited = store.before(who, match.match_id, hand)
            with limited:
                rows = rows_of(
                    limited,
                    "select statistic, label, street, position, opportunities, successes, rate, low, high "
                    "from all_rates where event = $event and game = $game and player = $player "
                    "and seat is not distinct from $seat "
                    "order by place, street, position",
                    event=who.event,
                    game=who.game,
                    player=who.name,
                    seat=who.seat,
                )
        return {"player": who.name, "event": who.event, "game": who.game, "tendencies": json_value(rows)}

    def find_hands(
        self,
        player: str | None = None,
        against: str | None = None,
        did: str | None = None,
        street: str | None = None,
        situation: str | None = None,
        pot: list[str] | None = None,
        showdown: bool = False,
        match: str | None = None,
        event: str | None = None,
        game: str | None = None,
        sort: str = "play",
        limit: int = 20,
    ) -> Answer:
        """Hands by what was done in them, at most 200.

        did: fold check call bet raise check-raise 3bet limp cbet, or the game's own; situation: 3bet-pot,
        all-in-before-river, missed-draw, folded-the-best and others; pot: comparisons such as ">100" or ">20bb";
        sort: play, pot, won, lost.
        """
        with open_store(self._place, naming=self._naming) as store:
            found = frames.hands(
                store,
                player=player,
                against=against,
                did=did,
                street=street,
                situation=situation,
                pot=pot or (),
                showdown=showdown,
                match=match,
                event=event,
                game=game,
                sort=sort,
                limit=min(max(limit, 1), _MOST),
            )
        return {"hands": json_value(found.drop("match_id", "hand_index").to_dicts())}

    def show_hand(self, hand: str) -> Answer:
        """One hand, MATCH#HAND, step by step: cards, decisions, amounts, what else was allowed, awards, verdict."""
        with open_store(self._place, naming=self._naming) as store:
            found = load_hand(store, hand)
        columns, rows = rows_of_steps(found)
        steps = [dict(zip(columns, json_value(row), strict=True)) for row in rows]
        findings = [row["message"] for row in found.findings]
        return {"about": headline(found), "findings": findings, "steps": steps}

    def sql(self, query: str) -> Answer:
        """One query that only reads, in DuckDB's SQL.

        `describe hands` lists the columns of a table, `select string_agg(name, ' ') from (show all tables)`
        the tables. hands.pot counts all chips that were put in, pots.played_for those that could be won: without a
        last bet that nobody called. At most 200 rows are given (truncated says if there are more), within 30 seconds
        and 2 GB.
        """
        told: Answer = json.loads(self._sql.answer(query))
        told["truncated"] = told["truncated"] or len(told["rows"]) > _MOST
        told["rows"] = told["rows"][:_MOST]
        return told

    def stop(self) -> None:
        """End the queries that run."""
        self._sql.stop()


def server(questions: Questions, version: str) -> MCPServer:
    """The server of some questions."""
    made = MCPServer("railbird", instructions=_ABOUT, version=version, log_level="ERROR")
    for ask in (
        questions.list_matches,
        questions.tendencies,
        questions.find_hands,
        questions.show_hand,
        questions.sql,
    ):
        made.tool(annotations=_READS)(_told(ask))
    return made


def _told(ask: Any) -> Any:
    """A tool whose errors, where the question is at fault, are answers of one line."""
    from functools import wraps

    @wraps(ask)
    def answer(*given: Any, **named: Any) -> Answer:
        try:
            found: Answer = ask(*given, **named)
        except SeveralPlayers as error:
            # Tools have arguments, not options.
            said = error.said(lambda name, value: f"{name}={json.dumps(value, ensure_ascii=False)}")
            raise ToolError(" ".join(said.split())) from None
        except (UserError, StoreError, UnknownName, UnknownMatch) as error:
            raise ToolError(" ".join(str(error).split())) from None
        return found

    return answer
