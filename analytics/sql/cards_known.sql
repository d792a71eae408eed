-- name: cards_known
-- suffixes: before_lock
-- grain: event x game x player
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   matches  BIGINT  of the player
--   hands  BIGINT  of the player
--   hands_with_cards  BIGINT  among them, those with hole cards known; Blotto: those of a board at least
--   hands_with_hit  BIGINT  Bounty: among them, those in which it is known whether the player's rank was hit
--   chips_per_bb  DOUBLE  of the match with the least match_id: an event may have several
-- definition: how many of a player's cards the store shows: all where nothing is hidden, the shown ones in a store
--   as a player saw it (docs/visibility.md). Damaged hands are left out, but no player is.
select
  p.event, p.game, p.player, p.namesake_seat as seat,
  count(distinct p.match_id) as matches,
  count(s.match_id) as hands,
  count(*) filter (where s.hole is not null or s.hole_changed is not null or s.sent is not null) as hands_with_cards,
  count(s.bounty_hit) as hands_with_hit,
  arg_min(p.unit, p.match_id) as chips_per_bb
from players as p
left join (
  select s.match_id, s.seat, s.hole, s.hole_changed, s.bounty_hit, b.sent
  from stored.seats as s
  join counted_hands as k on k.match_id = s.match_id and k.hand_index = s.hand_index
  left join (
    select match_id, hand_index, seat, any_value(cards) as sent
    from (select match_id, hand_index, unnest(hole) as cards, unnest(range(len(hole))) as seat from stored.boards)
    group by all
  ) as b on b.match_id = s.match_id and b.hand_index = s.hand_index and b.seat = s.seat
) as s on s.match_id = p.match_id and s.seat = p.seat
group by all
