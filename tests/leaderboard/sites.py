"""Sites to test with: a usual one, one made by people who mean harm, and ways to look into a published one."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from benchmarks.competition import site
from leaderboard.model import Bot, Document, Fault, Match, Replay, Seat, Site

HOSTILE_NAMES = (
    "<script>document.title='owned'</script>",
    "\"><img src=x onerror=document.title='owned'>",
    "</title><script>document.title='owned'</script>",
    "'-alert(1)-'{{ 7 * 7 }}{% raw %}",
    "\u202egnp.exe\u202c\u2066abc",
    "a\x00b\x1b[31mred\x07\r\nnext",
    "x" * 10_000,
    "w\u0300\u0301\u0302\u0303\u0304\u0305" * 300,
    "amber-badger",
    "аmber-bаdger",
    "\u200b\u2800\u3164",
    "../../../etc/passwd",
    "index",
    "INDEX",
    "日本語の名前" * 30,
)


def usual(folder: Path) -> Site:
    """Eight bots, two of them in several versions, some hundred matches, replays and documentation."""
    file = folder / "match.jsonl.gz"
    file.write_bytes(b"a replay")
    made = _in_versions(site(8, 240, replay=Replay(file, sha256(b"a replay").hexdigest(), 8)))
    documents = (
        Document(
            "protocol.md",
            "The protocol",
            "# The protocol\n\nSee [a first bot](write-a-bot.md#faults) and [no page](no.md).",
        ),
        Document(
            "write-a-bot.md", "Write a bot", "# Write a bot\n\n## Faults\n\nThe [rules](rules/marshmallow-test.md)."
        ),
    )
    competition = replace(
        made.competition,
        about="A friendly contest for hand-written bots.\nOpen all autumn.\n\nPrize: a cake.",
        contact="cup@example.org",
        address="https://example.org/cup",
    )
    return replace(made, documents=documents, competition=competition)


def _in_versions(made: Site) -> Site:
    """The third bot has played in two of three versions; the last one's second version has not played yet."""
    third, last = made.bots[2], made.bots[-1]
    now, half = third.versions[0], len(made.matches) // 2
    old = replace(now, status="replaced", history=now.history[: len(now.history) // 2])
    many = (old, replace(old, number=2, rating=None, history=()), replace(now, number=3, status="plays"))
    fresh = replace(last.versions[0], number=2, status="plays", rating=None, history=())
    bots = (
        *made.bots[:2],
        replace(third, versions=many),
        *made.bots[3:-1],
        replace(last, versions=(replace(last.versions[0], status="replaced"), fresh), rank=None),
    )
    matches = tuple(
        replace(match, seats=tuple(s._replace(version=3) if s.bot == third.name else s for s in match.seats))
        for match in made.matches[half:]
    )
    return replace(made, bots=bots, matches=(*made.matches[:half], *matches))


def hostile() -> Site:
    """The usual kind of site, but every text that an author can choose, and a few more, is an attack."""
    made = site(len(HOSTILE_NAMES), 160, players=4)
    names = {bot.name: hostile for bot, hostile in zip(made.bots, HOSTILE_NAMES, strict=True)}
    bots = tuple(_renamed(bot, names) for bot in made.bots)
    matches = tuple(_poisoned(match, names) for match in made.matches)
    competition = replace(
        made.competition,
        name=HOSTILE_NAMES[0],
        about="\n".join(HOSTILE_NAMES[1:5]),
        organiser=HOSTILE_NAMES[3],
        contact="javascript:document.title='owned'",
        logs=HOSTILE_NAMES[2],
    )
    return replace(made, bots=bots, matches=matches, competition=competition)


def _renamed(bot: Bot, names: dict[str, str]) -> Bot:
    version = replace(bot.versions[0], language="<b>c</b>\u202e")
    return replace(bot, name=names[bot.name], author=names[bot.name][::-1], versions=(version,))


def _poisoned(match: Match, names: dict[str, str]) -> Match:
    seats = tuple(Seat(names[seat.bot], *seat[1:]) for seat in match.seats)
    fault = Fault(0, 3, "malformed", f"the answer was {HOSTILE_NAMES[len(match.id) % 3]} {'y' * 10_000}")
    tally = ((HOSTILE_NAMES[1], 3),)
    return replace(match, seats=seats, faults=(fault, *match.faults), reason=HOSTILE_NAMES[0] * 30, tally=tally)


def pages(site_folder: Path, most: int = 3) -> list[Path]:
    """The pages of a site, of each folder at most so many."""
    found: list[Path] = []
    folders = [site_folder, *sorted(path for path in site_folder.rglob("*") if path.is_dir())]
    for folder in folders:
        listed = sorted(folder.glob("*.html"))
        found += listed if folder == site_folder else listed[:most]
    return found
