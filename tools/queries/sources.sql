-- Where each match comes from: published logs lie in folders called real.
create or replace temp view sources as
select m.match_id, m.game, if(contains('/' || f.path, '/real/'), 'published', 'engine') as source
from matches as m join files as f on f.file_id = m.file_id
