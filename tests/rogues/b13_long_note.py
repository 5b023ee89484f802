"""A note of 60 KiB."""

from rogue import answer, decisions

for message in decisions():
    answer(message, note="\U0001f469" * 4_000)
