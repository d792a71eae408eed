"""A second, slow derivation of what railbird computes, to hold it against. It never imports railbird."""
