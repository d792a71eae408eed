-- name: seats
-- grain: hand x player, of a match the viewer sat in
-- columns:
--   hole  VARCHAR[]  of others: null unless shown, in Swap, and if an auction changed the cards dealt
--   hole_changed  VARCHAR[]  of others: null unless shown; of the viewer, null for a card from a redraw
--   (own)
--   bounty_hit  BOOLEAN  of others: null unless they won or split the pot
-- definition: cards are shown after a hand that comes to a showdown, by those who have not folded; Koper shows all
--   cards to the players still in the match. Blotto shows them board by board, in boards. In Toss the card given up
--   joins the board, so two cards shown reveal all three. A spectator has seat -1 and sees what is shown at showdowns. In Swap two cards shown may not be those that were dealt. The
--   opponent sees the card that a redraw replaces; the player never sees its new card.
select * exclude (is_own, is_open, swaps, discards, redraws) replace (
  if(is_own or (is_open and not swaps and (hole_changed is null or discards or redraws)), hole, null) as hole,
  case
    when is_own and redraws
      then list_transform(hole_changed, lambda card: if(list_contains(hole, card), card, null))
    when is_own then hole_changed
    when is_open and swaps then coalesce(hole_changed, hole)
    when is_open then hole_changed
  end as hole_changed,
  /*own*/,
  if(is_own or flags & (flag_bit('won_hand') | flag_bit('tied_showdown')) <> 0, bounty_hit, null) as bounty_hit
)
from (
  select
    t.*, g.swaps, g.discards, g.redraws,
    t.seat = v.seat as is_own,
    (g.shows_folded and w.seat is not null)
    or (h.ended_by = 'showdown' and g.boards = 1 and if(v.seat < 0, t.shown, not g.shows_folded) and f.seat is null) as is_open
  from truth.seats as t
  join truth.viewer as v on v.match_id = t.match_id
  join truth.hands as h on h.match_id = t.match_id and h.hand_index = t.hand_index
  join truth.games as g on g.game = h.game
  left join truth.seats as w on w.match_id = t.match_id and w.hand_index = t.hand_index and w.seat = v.seat
  left join (
    select distinct match_id, hand_index, seat
    from truth.actions
    where action = 'fold' and board_no is null
  ) as f on f.match_id = t.match_id and f.hand_index = t.hand_index and f.seat = t.seat
)
