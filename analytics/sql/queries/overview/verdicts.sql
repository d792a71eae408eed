select verdict, sum(hands)::bigint as hands from verdicts where list_contains($ids, match_id)
group by all order by hands desc
