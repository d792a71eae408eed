select t.*, label from (/*over_matches tendencies*/) t join statistics using (statistic) order by place
