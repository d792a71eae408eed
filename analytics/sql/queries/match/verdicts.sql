select * from verdicts where among(match_id, $ids) order by match_id, hands desc, verdict
