"""The store on disk: parts, the manifest that names them, and safe commits."""
