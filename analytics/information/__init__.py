"""Whether players' choices depend on what the rules hide from them (`railbird audit information`)."""
