select * from verdicts where list_contains($ids, match_id) order by match_id, hands desc, verdict
