select *, tenth_name(chance_bin) as chance from (/*over_matches koper_folds koper_history*/)
order by chance_bin
