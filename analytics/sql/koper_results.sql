-- name: koper_results
-- grain: match x seat
-- columns:
--   match_id  UBIGINT  key of the match
--   file_id  UBIGINT  the log, in v2 a tournament
--   event  VARCHAR  tournament or event of the match
--   match_no  INTEGER  of the file, from 1
--   entrant  INTEGER  the player's place in the first match of the tournament, from 0: seats rotate, names may repeat
--   seat  TINYINT  place in this match, from 0
--   player  VARCHAR  name of the player in the log
--   games  BIGINT  games the player was in
--   wins  DOUBLE  wins as the engine counts them, a draw in parts
--   start  DOUBLE  chips at the beginning
--   final  DOUBLE  chips at the end, start + profit
--   profit  DOUBLE  chips won; less than a cent left to an eliminated player is rounding and counts as 0
--   profit_written  DOUBLE  chips won if every game were paid as written
--   eliminated_in  BIGINT  number of the game in which the player was eliminated, else null
--   rank_by_wins  BIGINT  place in the match by wins, then by profit
--   rank_by_profit  BIGINT  place in the match by profit, then by wins
--   complete  BOOLEAN  the log ends like that of a finished match
-- definition: what each player of a Koper match won, with both orders in which the engines rank them.
select
  match_id, file_id, event, match_no, entrant, seat, player, games, wins, start, start + profit as final,
  profit, profit_written, eliminated_in,
  rank() over (partition by match_id order by wins desc, profit desc) as rank_by_wins,
  rank() over (partition by match_id order by profit desc, wins desc) as rank_by_profit,
  complete
from (
  select * replace (if(eliminated_in is not null and start + profit < 0.01, -start, profit) as profit)
  from (
    select
      m.match_id, m.file_id, m.event, m.match_no,
      cast(entrant_of(g.seats_rotate, m.players, s.seat, m.seating) as integer) as entrant,
      s.seat,
      m.players[s.seat + 1] as player,
      count(*) as games,
      round(sum(s.win_share), 9) as wins,
      m.starting_stacks[s.seat + 1] as start,
      chips_of(s.delta) as profit,
      chips_of(s.delta + coalesce(s.written_off, 0)) as profit_written,
      max(h.hand_no) filter (where s.eliminated) as eliminated_in,
      m.complete
    from stored.seats as s
    join matches as m on m.match_id = s.match_id
    join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
    join stored.games as g on g.game = m.game and g.win_cap is not null
    group by all
  )
)
