"""Store to answers: DuckDB views over the Parquet parts, one question a file in `sql/`."""
