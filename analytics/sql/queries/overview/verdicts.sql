select verdict, sum(hands)::bigint as hands from verdicts where among(match_id, $ids)
group by all order by hands desc
