"""The id of another decision."""

from rogue import answer, decisions

for message in decisions():
    answer({"id": message["id"] + 1})
