"""The static site: ranked tables, bots, matches and replays, made from plain values."""
