-- name: equities
-- grain: hand x street x board x seat still in, of a match the viewer sat in
-- columns:
--   equity_own  DOUBLE  of others: null unless the hand of that street was shown; in Permutation and Swap null
--   equity_actual  DOUBLE  null unless all players still in showed their hands, and the viewer knows the cards that cannot come or none is to come
--   value_before  DOUBLE  null unless the cards held before the street, and those that cannot be dealt, were shown; null in Bounty, which needs the bounty ranks
--   value  DOUBLE  like equity_actual, with the cards held when the street's cards were dealt; null in Bounty
-- definition: what follows from the cards that the viewer saw. Cards of players who folded, and in Blotto those
--   sent to boards that somebody folded, cannot come: where the log has them and the viewer did not see them, the viewer
--   could not have counted them out, except on the last street. If an auction changed a hand, its cards from the flop on
--   are known, in Swap those on the river. equity_own leaves out of the deck the cards that its player exchanged, which
--   would reveal them. Nobody sees the order in Permutation, so nothing can be computed there.
with told as (
  select t.match_id, t.hand_index, bool_and(t.is_told) as all_told
  from (
    select t.match_id, t.hand_index, t.seat = v.seat or s.hole is not null or s.hole_changed is not null as is_told
    from truth.seats as t
    join truth.viewer as v on v.match_id = t.match_id
    join stored.matches as m on m.match_id = t.match_id
    join stored.seats as s on s.match_id = t.match_id and s.hand_index = t.hand_index and s.seat = t.seat
    join truth.games as g on g.game = m.game
    where g.boards = 1 and t.hole is not null
    union all
    select t.match_id, t.hand_index, len(list_filter(t.hole, lambda cards: cards is not null))
      = len(list_filter(b.hole, lambda cards: cards is not null))
    from truth.boards as t
    join stored.boards as b on b.match_id = t.match_id and b.hand_index = t.hand_index and b.board_no = t.board_no
  ) as t
  group by all
)
select
  * exclude (own_known, is_known, was_known, held_known, cards_told, all_told, all_known, all_held, all_were_known, bounties)
  replace (
    if(own_known, equity_own, null) as equity_own,
    if(all_known, equity_actual, null) as equity_actual,
    if(all_were_known and not bounties, value_before, null) as value_before,
    if(all_held and not bounties, value, null) as value
  )
from (
  select
    *,
    bool_and(is_known and cards_told) over same_time as all_known,
    bool_and(held_known and cards_told) over same_time as all_held,
    bool_and(was_known and all_told) over same_time as all_were_known
  from (
    select
      t.*, g.bounties,
      not g.permutes and (
        t.seat = v.seat or coalesce(b.hole[t.seat + 1], s.hole) is not null
        or (g.auctions and t.street > 1 and s.hole_changed is not null)
      ) as was_known,
      was_known or (s.hole_changed is not null and t.street >= if(g.auctions, 1, 3)) as is_known,
      was_known or (is_known and g.swaps) as held_known,
      is_known and (not g.swaps or t.seat = v.seat) as own_known,
      coalesce(c.all_told, true) as all_told,
      all_told or is_last_street(t.street, g.runs, coalesce(m.board_cards, g.board_cards)) as cards_told
    from truth.equities as t
    join truth.viewer as v on v.match_id = t.match_id
    join stored.matches as m on m.match_id = t.match_id
    join truth.games as g on g.game = m.game
    left join stored.seats as s on s.match_id = t.match_id and s.hand_index = t.hand_index and s.seat = t.seat
    left join stored.boards as b
      on b.match_id = t.match_id and b.hand_index = t.hand_index and b.board_no = t.board_no
    left join told as c on c.match_id = t.match_id and c.hand_index = t.hand_index
  )
  window same_time as (partition by match_id, hand_index, street, board_no)
)
