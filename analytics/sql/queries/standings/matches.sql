-- $unsure: a pattern of the ledger's reason where the game may be another.
select event, game, complete, unit, coalesce(reason like $unsure, false) as unsure
from matches left join (select file_id, reason from stored.files) using (file_id)
