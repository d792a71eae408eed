select verdict, sum(hands)::bigint from verdicts
where verdict in ('damaged', 'unverified') and among(match_id, $ids)
group by verdict order by verdict
