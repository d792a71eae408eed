-- name: card_reuse
-- grain: event x game x sequence of cards that several matches were dealt
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   matches  BIGINT  matches dealt these cards
--   lineups  BIGINT  different groups of players among them; more than 1: common seeds
--   seatings  BIGINT  different lineups and seats among them
--   repeated  BIGINT  matches - seatings: the same players in the same seats on the same cards again
--   match_ids  UBIGINT[]  the matches
-- definition: matches that were dealt the same cards (card_sequences). Seatings of one lineup are duplicates,
--   and common seeds are allowed for (view entrants). Repeated matches add no evidence, but their chips
--   count. Results of the 2016 ACPC were withdrawn because matches had reused one sequence of cards.
select
  event, game,
  count(*) as matches,
  count(distinct lineup) as lineups,
  count(distinct (lineup, players)) as seatings,
  count(*) - count(distinct (lineup, players)) as repeated,
  list(match_id order by match_id) as match_ids
from (
  select m.match_id, m.event, m.game, m.players, e.lineup, c.cards
  from matches as m
  join entrants as e on e.match_id = m.match_id and e.seat = 0
  join card_sequences as c on c.match_id = m.match_id
)
where cards is not null
group by event, game, cards
having count(*) > 1
