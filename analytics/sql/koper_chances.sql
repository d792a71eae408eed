-- name: koper_chances
-- grain: match x game x seat x statistic, Koper
-- statistics:
--   koper_fold  21  fold in round 1  Koper: asked in round 1  folds
--   koper_showdown  22  came to a showdown  Koper: bet in round 1  the game came to a showdown and the player was still in it
-- only_if: games: simultaneous
-- table: in a small store
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the game within the match, from 0
--   seat  TINYINT  seat in the match, from 0
--   position  VARCHAR  place in this game
--   statistic  VARCHAR  its name in statistics
--   successes  BIGINT  1 if the opportunity was taken, else 0
-- definition: the opportunities in a game of Koper, which has its own betting: folds of the players asked in round 1,
--   showdowns of those who bet, and showdowns won.
select
  h.match_id, h.hand_index, h.player_index as seat, s.position, t.statistic,
  cast(t.taken as bigint) as successes
from koper_history as h
join stored.seats as s on s.match_id = h.match_id and s.hand_index = h.hand_index and s.seat = h.player_index
cross join lateral (
  values
    ('koper_fold', h.win_prob_1 is not null, h.folded),
    ('koper_showdown', h.bet_1 is not null, h.hand_score is not null),
    ('w$sd', h.hand_score is not null, coalesce(s.win_share, 0) = 1),
    ('tied_showdown', h.hand_score is not null, coalesce(s.win_share, 0) > 0 and s.win_share < 1)
) as t (statistic, chance, taken)
where t.chance
