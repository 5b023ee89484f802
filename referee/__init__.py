"""The referee: games, the table they are played on, and matches between bots."""
