-- Of each hand what a list of hands shows and `railbird hands` compares; seats: [seat, chips won] of each player in it.
select h.match_id, h.hand_index, p.played_for as pot, h.streets, h.ended_by, h.verdict,
    list_transform(coalesce(h.board_changed, h.board), lambda card: coalesce(card, '?')) as board, s.seats
from hands h
join pots p using (match_id, hand_index)
join (
    select match_id, hand_index, list(json_array(seat, delta) order by seat) as seats
    from stored.seats where among(match_id, $ids) and hand_index < $most group by all
) s using (match_id, hand_index)
where among(h.match_id, $ids)
