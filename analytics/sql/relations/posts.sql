-- name: posts
-- grain: forced post that follows from its hand
-- columns:
--   match_id  UBIGINT  derived: of the hand
--   hand_index  INTEGER  derived: of the hand
--   line  BIGINT  derived: hands.line + stored.hands.posts, the big blind's on the next; the ACPC's: hands.line
--   action  VARCHAR  derived: post
--   origin  VARCHAR  derived: post
--   street  TINYINT  derived: 0
--   seat  TINYINT  derived: heads-up the dealer, then the opponent; the ACPC's: by position, from the one after the dealer
--   seq  SMALLINT  derived: in that order, from 0
--   bet_level  SMALLINT  derived: 0
--   active_players  TINYINT  derived: hands.n_players
--   raise_to  DOUBLE  derived: chips, by matches.blinds or matches.blinds_by_position
--   pip_before  DOUBLE  derived: chips, 0
--   to_call  DOUBLE  derived: chips, 0
--   pot_before  DOUBLE  derived: chips, those of the posts before
-- definition: heads-up posts that follow the rules and each other in the log, which are nearly all, and those of
--   ACPC games in which all positions begin with the same stack. They are a quarter of all actions and take no rows
--   on disk; stored.actions and actions have them.
select
  h.match_id, h.hand_index, h.line + h.posts + p.line as line,
  'post' as action, 'post' as origin, 0::tinyint as street,
  ((h.dealer_seat + p.place) % h.n_players)::tinyint as seat,
  p.seq, 0::smallint as bet_level, h.n_players as active_players,
  p.raise_to, 0.0::double as pip_before, 0.0::double as to_call, p.pot_before
from stored.hands as h
join (
  select
    match_id, place, raise_to,
    (row_number() over before - 1)::smallint as seq,
    coalesce(sum(raise_to) over (before rows between unbounded preceding and 1 preceding), 0) as pot_before,
    if(on_one_line, 0, seq) as line
  from (
    select
      match_id,
      blinds_by_position is not null as on_one_line,
      unnest(coalesce(blinds_by_position, blinds)) as raise_to,
      unnest(range(len(coalesce(blinds_by_position, blinds)))) + on_one_line::integer as place
    from stored.matches
  )
  where raise_to > 0
  window before as (partition by match_id order by place)
) as p on p.match_id = h.match_id
where h.posts is not null
