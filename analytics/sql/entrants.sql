-- name: entrants
-- grain: match x seat
-- table: in a small store
-- columns:
--   match_id  UBIGINT  key of the match
--   seat  TINYINT  seat in the match, from 0
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   namesake_seat  TINYINT  as in the view players
--   unit  DOUBLE  chips per bb
--   lineup  UBIGINT  hash of the players at the table, independent of their seats
--   stratum  UBIGINT  group that is resampled separately: the lineup; 0 for all lineups that were dealt common cards
--   pair_unit  UBIGINT  matches of the lineup on the same cards: the duplicate group, else the match
--   table_unit  UBIGINT  matches of the stratum on the same cards: the card set, else pair_unit
--   reset  VARCHAR  the unit of play after which the game resets: block of 25 rounds, hand, match, duplicate match or card set
-- definition: who competed with whom on which cards; the view players says who a player is. Lineups that were dealt
--   one card set (common seeds) are one stratum, because their results rise and fall together. A match against
--   oneself is not a duplicate of another. In ACPC games a player's memory is reset with each match, or with each
--   set of matches on the same cards, in Koper with the match; in Bounty new ranks are drawn every 25 rounds; the
--   other games reset the stacks with each hand.
with named as (
  select
    p.match_id, p.seat, p.event, p.game, p.unit, g.cluster, g.cluster_hands, g.seats_rotate, g.shared_cards, m.card_set, m.duplicate_group, p.player, p.namesake_seat
  from players as p
  join matches as m on m.match_id = p.match_id
  join stored.games as g on g.game = p.game
),
seated as (
  select
    match_id, event, game,
    hash(list_sort(list({'player': player, 'seat': namesake_seat}))) as lineup,
    if(bool_or(namesake_seat is not null and not seats_rotate), null, any_value(card_set)) as card_set,
    if(bool_or(namesake_seat is not null and not seats_rotate), null, any_value(duplicate_group)) as duplicate_group
  from named
  group by match_id, event, game
),
dealt as (
  select *, event || chr(0) || game || chr(0) || card_set as deck
  from seated
),
common as (
  select distinct s.event, s.game, s.lineup
  from dealt as s
  join (select deck from dealt where deck is not null group by deck having count(distinct lineup) > 1) as c
    on c.deck = s.deck
)
select
  n.match_id, n.seat, n.event, n.game, n.player, n.namesake_seat, n.unit, s.lineup,
  if(c.lineup is null, s.lineup, cast(0 as ubigint)) as stratum,
  coalesce(s.duplicate_group, s.match_id) as pair_unit,
  coalesce(if(c.lineup is null, s.duplicate_group, s.card_set), s.match_id) as table_unit,
  case
    when n.cluster = 'numbers' then 'block of ' || n.cluster_hands || ' rounds'
    when not n.shared_cards then 'hand'
    when c.lineup is not null then 'card set'
    when s.duplicate_group is not null then 'duplicate match'
    else 'match'
  end as reset
from named as n
join dealt as s on s.match_id = n.match_id
left join common as c on c.event = n.event and c.game = n.game and c.lineup = s.lineup
