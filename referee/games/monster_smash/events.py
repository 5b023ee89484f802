"""What happened in a step, for a seat as events and for people as a line of text; both from the state's log.

Every type of note stands here once, with its fields and its words; what a seat may not see of it is left out here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from referee.game import CHANCE, Event
from referee.games.monster_smash.actions import Move, spell_piece
from referee.games.monster_smash.cards import BASE_SLUGS, BASES, CARD_SLUGS, CARDS, FACTION_SLUGS
from referee.games.monster_smash.cards.definition import Piece
from referee.games.monster_smash.state import Note


def _piece(piece: Piece) -> Event:
    return {"id": piece, "card": CARD_SLUGS[piece >> 2 & 1023], "owner": piece & 3}


def _base_name(base: int) -> str:
    return BASES[base].name


def _signed(n: int, one: str) -> str:
    return f"{n:+d} {one}{'' if abs(n) == 1 else 's'}"


def _cards(cards: Sequence[int]) -> str:
    return ", ".join(CARDS[card].name for card in cards) or "nothing"


class Kind(NamedTuple):
    """A type of note: its fields for bots and its words for people.

    `private` fields are for the seat named first; `unseen` are the words for the others then.
    """

    fields: tuple[tuple[str, Callable[[Any], Any] | None], ...]
    """By name, with what makes a value readable, if it is not so already."""
    words: Callable[..., str]
    private: frozenset[str] = frozenset()
    unseen: Callable[..., str] | None = None


_SEAT = ("seat", None)
_CARD = ("card", CARD_SLUGS.__getitem__)
_BASE = ("base", BASE_SLUGS.__getitem__)
_MINION = ("minion", _piece)
_N = ("n", None)


def _slugs(cards: Sequence[int]) -> list[str]:
    return [CARD_SLUGS[card] for card in cards]


KINDS: Final[Mapping[str, Kind]] = {
    "first": Kind((_SEAT,), lambda seat: f"Seat {seat} goes first."),
    "draft": Kind(
        (_SEAT, ("faction", FACTION_SLUGS.__getitem__)),
        lambda seat, faction: f"Seat {seat} takes the {FACTION_SLUGS[faction]}.",
    ),
    "factions": Kind(
        (_SEAT, ("one", FACTION_SLUGS.__getitem__), ("other", FACTION_SLUGS.__getitem__)),
        lambda seat, one, other: f"Seat {seat} is dealt the {FACTION_SLUGS[one]} and the {FACTION_SLUGS[other]}.",
    ),
    "base": Kind((_BASE,), lambda base: f"{_base_name(base)} comes into play."),
    "draw": Kind(
        (_SEAT, _N, ("cards", _slugs)),
        lambda seat, _, cards: f"Seat {seat} draws {_cards(cards)}.",
        frozenset({"cards"}),
        lambda seat, n, _: f"Seat {seat} draws {n} card{'' if n == 1 else 's'}.",
    ),
    "redraw": Kind(
        (_SEAT, ("cards", _slugs)),
        lambda seat, cards: f"Without a minion, seat {seat} shows and discards {_cards(cards)}.",
    ),
    "shuffle": Kind((_SEAT,), lambda seat: f"Seat {seat} shuffles its discard pile into a new deck."),
    "turn": Kind((_SEAT, ("turn", None)), lambda seat, turn: f"Turn {turn}, seat {seat}."),
    "play": Kind((_SEAT, _CARD), lambda seat, card: f"Seat {seat} plays {CARDS[card].name}."),
    "play-from-discard": Kind(
        (_SEAT, _CARD), lambda seat, card: f"Seat {seat} plays {CARDS[card].name} from its discard pile."
    ),
    "enter": Kind((_MINION, _BASE), lambda minion, base: f"{spell_piece(minion)} stands at {_base_name(base)}."),
    "attach": Kind(
        (("action", _piece), _BASE), lambda action, base: f"{spell_piece(action)} lies on {_base_name(base)}."
    ),
    "attach-to": Kind(
        (("action", _piece), _MINION), lambda action, minion: f"{spell_piece(action)} is on {spell_piece(minion)}."
    ),
    "no-target": Kind((_SEAT, _CARD), lambda _, card: f"{CARDS[card].name} finds no minion to go on."),
    "talent": Kind((_SEAT, ("piece", _piece)), lambda seat, piece: f"Seat {seat} uses {spell_piece(piece)}."),
    "trigger": Kind(
        (_SEAT, ("effect", None), ("source", _piece)),
        lambda seat, _, source: f"{spell_piece(source)} acts for seat {seat}.",
    ),
    "base-trigger": Kind(
        (_SEAT, ("effect", None), _BASE), lambda seat, _, base: f"{_base_name(base)} acts for seat {seat}."
    ),
    "extra": Kind((_SEAT, ("kind", None)), lambda seat, kind: f"Seat {seat} may play an extra {kind}."),
    "counters": Kind(
        (("piece", _piece), _N, ("total", None)),
        lambda piece, n, total: f"{spell_piece(piece)} {_signed(n, 'counter')}, now {total}.",
    ),
    "transfer": Kind(
        (("source", _piece), ("target", _piece), _N),
        lambda source, target, n: f"{_signed(n, 'counter')[1:]} from {spell_piece(source)} to {spell_piece(target)}.",
    ),
    "power": Kind((_MINION, _N), lambda minion, n: f"{spell_piece(minion)} {n:+d} power until end of turn."),
    "breakpoint": Kind((_BASE, _N), lambda base, n: f"The breakpoint of {_base_name(base)} is {n} until end of turn."),
    "move": Kind(
        (_MINION, ("source", BASE_SLUGS.__getitem__), _BASE),
        lambda minion, source, base: f"{spell_piece(minion)} moves from {_base_name(source)} to {_base_name(base)}.",
    ),
    "unaffected": Kind((_MINION,), lambda minion: f"{spell_piece(minion)} is unaffected."),
    "indestructible": Kind((_MINION,), lambda minion: f"{spell_piece(minion)} cannot be destroyed."),
    "saved": Kind((_MINION, ("by", _piece)), lambda minion, by: f"{spell_piece(by)} saves {spell_piece(minion)}."),
    "returned": Kind((_MINION,), lambda minion: f"{spell_piece(minion)} goes back to its owner's hand."),
    "destroyed": Kind(
        (_MINION, _BASE, ("by", None)),
        lambda minion, base, by: f"{spell_piece(minion)} at {_base_name(base)} is destroyed by seat {by}.",
    ),
    "discard": Kind((_SEAT, _CARD), lambda seat, card: f"Seat {seat} discards {CARDS[card].name}."),
    "under": Kind(
        (_SEAT, _CARD),
        lambda seat, card: f"Seat {seat} puts {CARDS[card].name} under its deck.",
        frozenset({"card"}),
        lambda seat, _: f"Seat {seat} puts a card under its deck.",
    ),
    "scoring": Kind((_BASE,), lambda base: f"{_base_name(base)} scores."),
    "pass": Kind((_SEAT,), lambda seat: f"Seat {seat} passes."),
    "totals": Kind(
        (_BASE, ("totals", list)),
        lambda base, totals: f"Totals at {_base_name(base)}: {', '.join(map(str, totals))}.",
    ),
    "vp": Kind((_SEAT, ("rank", None), _N), lambda seat, rank, n: f"Seat {seat} is rank {rank}: {n} VP."),
    "cleared": Kind(
        (_BASE, ("pieces", lambda pieces: [_piece(piece) for piece in pieces])),
        lambda base, _: f"All cards leave {_base_name(base)}.",
    ),
    "over": Kind((("reason", None),), lambda reason: reason),
}
"""By type."""


PRIVATE: Final = frozenset(name for name, kind in KINDS.items() if kind.private)
"""The types that not everybody sees whole."""


def write(log: Sequence[Note], seat: int | None) -> list[Event]:
    """What a seat saw of a step, in order; None sees everything."""
    return [_write(note, seat) for note in log]


def write_all(log: Sequence[Note], seats: int) -> list[list[Event]]:
    """`write` for every seat; what is the same for several is written once."""
    knowing = {note[1] for note in log if note[0] in PRIVATE}
    if not knowing:
        return [write(log, None)] * seats
    others = write(log, CHANCE)
    return [
        [_write(note, seat) if note[0] in PRIVATE else event for note, event in zip(log, others, strict=True)]
        if seat in knowing
        else others
        for seat in range(seats)
    ]


def _write(note: Note, seat: int | None) -> Event:
    name = note[0]
    kind = KINDS[name]
    event: Event = {"type": name}
    blind = kind.private if seat is not None and name in PRIVATE and note[1] != seat else ()
    for (field, encode), value in zip(kind.fields, note[1:], strict=True):
        if field not in blind:
            event[field] = encode(value) if encode else value
    return event


def tell(log: Sequence[Note], actions: Mapping[int, Move], to: int | None = None) -> str:
    """A step in one line for people, or what the seat `to` saw of it; a choice without effect is told by itself."""
    told = " ".join([_words(note, to) for note in log])
    if told:
        return told
    ((seat, move),) = actions.items()
    if to is not None and to != seat:
        return f"Seat {seat} makes a choice."
    return f"{'Nature' if seat == CHANCE else f'Seat {seat}'}: {move}."


def _words(note: Note, to: int | None) -> str:
    kind = KINDS[note[0]]
    words = kind.words if to is None or to == note[1] or kind.unseen is None else kind.unseen
    return words(*note[1:])
