"""What the repository is kept with: its pages, its sample logs, the benchmarks' tournaments. No wheel holds it."""
