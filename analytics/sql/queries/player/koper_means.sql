select * from (/*over_matches koper_tendencies koper_history*/) order by place
