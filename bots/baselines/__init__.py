"""The bundled bots, each a directory that can be submitted as it is."""
