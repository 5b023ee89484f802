"""How numbers, times and texts are spelled on the pages; every function is a filter of the templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from markupsafe import Markup, escape

from leaderboard.names import TEXT_LENGTH, shown

_CODE: Final = re.compile("(?<!`)`([^`]+)`(?!`)")
_SEATS: Final = re.compile(r"(\b(?:seats [0-9](?:(?:, | and )[0-9])*|seat [0-9])(?![0-9]))", re.IGNORECASE)
_NUMBER: Final = re.compile("([0-9])")
_ISOLATED: Final = Markup('<bdi dir="auto">{}</bdi>')


@lru_cache(1 << 14)
def name(text: str) -> Markup:
    """A name that somebody chose: made safe, and kept from turning the text around it."""
    return _ISOLATED.format(shown(text) or "(no name)")


def prose(text: str, limit: int = TEXT_LENGTH) -> Markup:
    """A sentence that may quote somebody, made safe in the same way; what stands between backticks is shown as code."""
    parts = _CODE.split(shown(text, limit))
    made = (Markup("<code>{}</code>").format(part) if n % 2 else escape(part) for n, part in enumerate(parts))
    return _ISOLATED.format(Markup("").join(made))


def named(text: str, bots: Sequence[str]) -> Markup:
    """A sentence of a game with the bots' names where it says seats: "seat 2", or "seats 0, 1 and 2".

    `bots` has a name a seat. A name that sits twice keeps its seat's number; a seat that is not there stays a seat.
    """
    return _ISOLATED.format(Markup("").join(_named(text, name, bots)))


def named_plainly(text: str, bots: Sequence[str]) -> str:
    """The same without markup, for files that machines read."""
    return "".join(_named(text, shown, bots))


def _named(text: str, spell: Callable[[str], str], bots: Sequence[str]) -> Iterator[str]:
    for phrase in _SEATS.split(shown(text, TEXT_LENGTH)):
        if not _SEATS.fullmatch(phrase):
            yield phrase
            continue
        for n, word in enumerate(_NUMBER.split(phrase.partition(" ")[2])):
            if n % 2 == 0:
                yield word
            elif (seat := int(word)) >= len(bots):
                yield f"seat {seat}"
            else:
                yield spell(bots[seat])
                yield "" if bots.count(bots[seat]) == 1 else f" (seat {seat})"


def paragraphs(text: str) -> list[Markup]:
    """Plain text as paragraphs, made safe: an empty line parts them, the end of a line ends a line."""
    found: list[list[Markup]] = [[]]
    for line in text.splitlines():
        if line.strip():
            found[-1].append(_ISOLATED.format(shown(line, 1_000)))
        else:
            found.append([])
    return [Markup("<br>").join(lines) for lines in found if lines]


def contact(text: str) -> Markup:
    """An e-mail address or a page as a link; anything else as it stands, without one."""
    bare = text.removeprefix("mailto:")
    if not text.isprintable() or not re.fullmatch(r"https?://\S+|[^\s@:/?&]+@[^\s@:/?&]+", bare):
        return name(text)
    target = bare if bare.startswith(("http://", "https://")) else f"mailto:{bare}"
    return Markup('<a href="{}">{}</a>').format(target, name(bare))


def count(value: float) -> str:
    """A whole number with thin groups of three, such as 20,000."""
    return f"{value:,.0f}"


def decimal(value: float, digits: int = 1) -> str:
    """A number with a true minus sign, so that columns line up and screen readers say it."""
    return f"{value:,.{digits}f}".replace("-", "\u2212")


def score(value: float) -> str:
    """A score as the game gives it: whole where it is whole."""
    return decimal(value, 0 if float(value).is_integer() else 2)


def percent(value: float) -> str:
    """A share from 0 to 1 as whole per cent."""
    return f"{100 * value:.0f}\u202f%"


def duration(ms: float) -> str:
    """A time span for people: 0.4 ms, 35 ms, 1.2 s, 3 min 20 s."""
    if ms < 10:
        return f"{ms:.1f} ms"
    if ms < 1_000:
        return f"{ms:.0f} ms"
    if ms < 60_000:
        return f"{ms / 1_000:.1f} s".replace(".0 s", " s")
    minutes, seconds = divmod(round(ms / 1_000), 60)
    return f"{minutes} min {seconds} s" if seconds else f"{minutes} min"


def size(octets: int) -> str:
    """A file size for people."""
    return f"{octets} bytes" if octets < 1_024 else f"{octets / 1_024:,.0f} KiB"


@lru_cache(1 << 15)  # a match's own stands on the page of each of its bots
def when(moment: datetime) -> Markup:
    """A moment in UTC, for people and for machines."""
    utc = moment.astimezone(UTC).replace(tzinfo=None)
    exact, plain = utc.isoformat(timespec="seconds"), utc.isoformat(" ", "minutes")
    return Markup(f'<time datetime="{exact}Z">{plain}\u202fUTC</time>')  # noqa: S704 (made of digits alone)


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if 10 <= number % 100 <= 20 else ending}"


def words(identifier: str) -> str:
    """A name of a protocol or a setting as words: `step_limit` is step limit."""
    return re.sub(r"[_-]+", " ", shown(identifier))


def plural(number: int, one: str, many: str = "") -> str:
    """A counted noun: 1 match, 2 matches (or `many` where it is not one + s)."""
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


@lru_cache(1 << 12)
def digest(value: str) -> Markup:
    """The beginning of a digest, with the whole to copy in its title."""
    if not value:
        return Markup('<span class="soft">not recorded</span>')
    return Markup('<code class="digest" title="{0}">{1}</code>').format(value, escape(value[:12]))


def step(place: int, players: int) -> int:
    """Which of five colours stands for a place: 0 is the best, 4 the last."""
    return round(4 * (place - 1) / (players - 1)) if players > 1 else 0


@lru_cache(1 << 10)
def place(rank: int, players: int) -> Markup:
    """A place on its colour."""
    return Markup('<span class="place p{}">{}</span>').format(step(rank, players), rank)


FILTERS: Final = {
    made.__name__: made
    for made in (
        name,
        prose,
        named,
        paragraphs,
        contact,
        count,
        decimal,
        score,
        percent,
        duration,
        size,
        when,
        ordinal,
        words,
        plural,
        digest,
        place,
    )
}
