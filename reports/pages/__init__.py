"""The report: a folder of pages, plots and hands that opens from the file system and fetches nothing."""
