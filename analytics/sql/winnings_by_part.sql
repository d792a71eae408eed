-- name: winnings_by_part
-- suffixes: by_opponent
-- grain: event x game x player x part x value
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   part  VARCHAR  position, seat, street, end, kind or hand
--   value  VARCHAR  position, seat in the match, street of the player's last choice (none: it had none), end of the hand (showdown, others folded, folded), kind of hole cards (pair, suited, offsuit, other), hole cards (hole_class); null where not known
--   place  SMALLINT  order of the values of a part; equal for hole cards
--   hands  BIGINT  hands of the part whose award is in the log
--   delta  DOUBLE  chips won in them, as logged
--   bb_per_100  DOUBLE  bb won per 100 of them
--   bb_per_100_low  DOUBLE  lower end of its 95% interval; null with one unit of sampling
--   bb_per_100_high  DOUBLE  upper end
--   bb_of_all  DOUBLE  bb won in them per 100 hands of all; over a part they add up to winnings.bb_per_100
--   blocks  BIGINT  units of sampling
-- definition: a player's winnings by part of play, luck included. Each part splits all hands whose award is
--   in the log, damaged ones too, so its rows add up to the view winnings. In Blotto a hand without a
--   showdown counts as folded for each player who folded on some board. Cards are those dealt first. Hands
--   whose cards the log does not show have no value. Losing hands are often not shown, so the known cards are
--   not a fair sample. Intervals and units of sampling as in winnings.
-- unseen: a part must add up to all chips won, and hands that nobody saw would be missing from it
with split_hands as (
  select
    p.event, p.game, p.player, p.namesake_seat as seat,
    /*by_opponent p.opponent, */
    s.match_id, s.hand_index, s.seat as at, s.position, s.hole, s.delta, s.delta / p.unit as bb,
    h.ended_by,
    deck_of(m.match_id, m.card_set) as deck,
    unit_of(g.cluster, g.cluster_hands, g.shared_cards, s.hand_index, h.hand_no) as block
  from stored.seats as s
  join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
  join players as p on p.match_id = s.match_id and p.seat = s.seat
  join stored.matches as m on m.match_id = s.match_id
  join stored.games as g on g.game = p.game
  where s.delta is not null
),
acts as (
  select
    match_id, hand_index, seat as at, max(street) filter (where origin = 'choice') as street, bool_or(action = 'fold') as folded
  from stored.actions
  group by all
),
parted as (
  select
    h.event, h.game, h.player, h.seat,
    /*by_opponent h.opponent, */
    h.delta, h.bb, h.deck, h.block,
    unnest([
      {'part': 'position', 'value': h.position, 'place': position_place(h.position)},
      {'part': 'seat', 'value': cast(h.at as varchar), 'place': h.at},
      {'part': 'street', 'value': coalesce(street_name(c.street, h.game), 'none'), 'place': coalesce(c.street, -1)},
      {
        'part': 'end',
        'value': if(h.ended_by is distinct from 'fold', 'showdown', if(coalesce(c.folded, false), 'folded', 'others folded')),
        'place': if(h.ended_by is distinct from 'fold', 0, if(coalesce(c.folded, false), 2, 1))
      },
      {
        'part': 'kind',
        'value': kind_of_hole(h.hole),
        'place': list_position(['pair', 'suited', 'offsuit', 'other'], kind_of_hole(h.hole))
      },
      {'part': 'hand', 'value': hole_class(h.hole), 'place': 0}
    ], recursive := true)
  from split_hands as h
  left join acts as c on c.match_id = h.match_id and c.hand_index = h.hand_index and c.at = h.at
)
select
  event, game, player, seat,
  /*by_opponent opponent, */
  part, value, place, hands, delta,
  100 * bb / hands as bb_per_100,
  100 * (bb / hands - t_975(blocks - 1) * ratio_se(bb / hands, hands, blocks, squares, products, hands_squares)) as bb_per_100_low,
  100 * (bb / hands + t_975(blocks - 1) * ratio_se(bb / hands, hands, blocks, squares, products, hands_squares)) as bb_per_100_high,
  100 * bb / sum(hands) over (partition by event, game, player, seat, /*by_opponent opponent, */part) as bb_of_all,
  blocks
from (
  select
    event, game, player, seat,
    /*by_opponent opponent, */
    part, value, cast(any_value(place) as smallint) as place,
    cast(sum(n) as bigint) as hands, sum(chips) as delta, sum(won) as bb,
    count(*) as blocks, sum(won * won) as squares, sum(won * n) as products, sum(n * n) as hands_squares
  from (
    select
      event, game, player, seat,
      /*by_opponent opponent, */
      part, value, place, deck, block,
      count(*) as n, sum(delta) as chips, sum(bb) as won
    from parted
    group by all
  )
  group by event, game, player, seat, /*by_opponent opponent, */part, value
)
