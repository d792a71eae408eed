select verdict, sum(hands)::bigint from verdicts
where verdict in ('damaged', 'unverified') and list_contains($ids, match_id)
group by verdict order by verdict
