-- In a store as spectators saw it, the hands in which some cards that the log has were shown to nobody else.
select match_id, hand_index from truth.seats t
join stored.seats s using (match_id, hand_index, seat)
join truth.matches m using (match_id)
join truth.games g on g.game = m.game
where among(match_id, $ids) and g.boards = 1 and t.hole is not null and s.hole is null and s.hole_changed is null
union
select match_id, hand_index from truth.boards t
join stored.boards b using (match_id, hand_index, board_no)
where among(match_id, $ids)
    and len(list_filter(t.hole, lambda cards: cards is not null)) > len(list_filter(b.hole, lambda cards: cards is not null))
order by match_id, hand_index
