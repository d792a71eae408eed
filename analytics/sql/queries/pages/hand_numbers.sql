-- Runs of consecutive hand numbers. Most logs number their hands without a gap; only others are looked at hand by hand.
with shifts as (
    select match_id, min(hand_no - hand_index) as low, max(hand_no - hand_index) as high
    from hands where list_contains($ids, match_id) group by all
)
select match_id, 0 as hand_index, low as hand_no from shifts where low = high
union all
select match_id, hand_index, hand_no from (
    select h.match_id, h.hand_index, h.hand_no,
        lag(h.hand_no - h.hand_index) over (partition by h.match_id order by h.hand_index) as before
    from hands h join shifts using (match_id) where low < high
) where before is distinct from hand_no - hand_index
order by match_id, hand_index
