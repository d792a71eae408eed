select event, game, player, seat, place_of(chips, event, game) as rank from (
    select r.event, r.game, r.player, p.namesake_seat as seat, coalesce(chips_of(r.delta), 0) as chips
    from results r join players p using (match_id, seat) where among(match_id, $ids) group by all
)
