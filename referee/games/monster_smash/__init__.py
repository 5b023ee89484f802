"""Smash Up: Monster Smash (2014): four factions, eight bases, two to four players."""
