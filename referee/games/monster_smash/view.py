"""What leaves the engine of a state: the view of a seat, the whole of it, and the way back from a view to a state.

A view is built up from nothing: what is public is written for everyone, then what this seat alone knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from referee.game import Json, View, encode
from referee.games.monster_smash.cards import (
    BASE_EFFECTS,
    BASE_NO,
    BASE_SLUGS,
    BREAKPOINTS,
    CARD_NO,
    CARD_SLUGS,
    CARDS,
    FACTION_DECK,
    FACTION_NO,
    FACTION_SLUGS,
    IS_MINION,
)
from referee.games.monster_smash.cards.definition import Fallen, Frame, Goes, Piece, serial
from referee.games.monster_smash.plays import ON_THE_WAY
from referee.games.monster_smash.state import State, new_state, without

Cards = tuple[int, ...]


def write(s: State, seat: int | None) -> bytes:
    """Everything that a seat may know now, as JSON; for None everything there is."""
    if seat is None:
        own = b'"hands":[%b],"unders":[%b],"decks":[%b]' % (_piles(s.hands), _piles(s.under), _piles(s.rest))
    else:
        own = b'"seat":%d,"hand":%b,"under":%b' % (seat, _cards(s.hands[seat]), _cards(s.under[seat]))
    return _VIEW % (
        s.turn,
        s.current,
        s.first,
        encode(s.vp),
        s.minion_plays,
        s.action_plays,
        b",".join([_write_player(s, player) for player in range(s.seats)]),
        b",".join([(s.shown[base] or _keep_base(s, base))[1] for base in s.bases]),
        _bases(s.base_deck),
        _bases(s.out_bases),
        _BASES[s.scoring] if s.scoring >= 0 else b"null",
        encode(s.winners),
        s.serials,
        encode(s.deaths),
        encode([_write_frame(f) for f in s.stack]),
        encode(s.over) if s.over else b"null",
        own,
    )


_VIEW: Final = (
    b'{"turn":%d,"player":%d,"first":%d,"vp":%b,"plays":{"minions":%d,"actions":%d},"players":[%b],"bases":[%b],'
    b'"base_deck":%b,"base_discard":%b,"scoring":%b,"winners":%b,"entered":%d,"fallen":%b,"pending":%b,"over":%b,%b}'
)
_CARDS: Final = tuple(encode(slug) for slug in CARD_SLUGS)
_BASES: Final = tuple(encode(slug) for slug in BASE_SLUGS)
_FACTIONS: Final = tuple(encode(slug) for slug in FACTION_SLUGS)


def _cards(cards: Sequence[int]) -> bytes:
    return b"[%b]" % b",".join([_CARDS[card] for card in cards]) if cards else b"[]"


def _bases(bases: Sequence[int]) -> bytes:
    return b"[%b]" % b",".join([_BASES[base] for base in bases]) if bases else b"[]"


def _piles(piles: Sequence[Cards]) -> bytes:
    return b",".join([_cards(pile) for pile in piles])


def _write_frame(f: Frame) -> Json:
    """A frame as a list: effect, step, seat, source, picks; the source by its name if it is a card or a base."""
    effect, at, seat, source, picks = f
    names = SOURCES.get(effect)
    if not picks:
        plain: Json = []
    elif effect == "triggers":
        plain = [_write_frame(Frame(name, 0, who, of, rest)) for name, who, of, rest in picks]
    else:
        plain = _plain(picks)
    return [effect, at, seat, names[source] if names else source, plain]


def _read_frame(shown: Json) -> Frame:
    effect, at, seat, source, picks = shown
    names = SOURCES.get(effect)
    if effect == "triggers":
        waiting = (_read_frame(one) for one in picks)
        picks = [(one.effect, one.seat, one.source, one.picks) for one in waiting]
    return Frame(effect, at, seat, names.index(source) if names else source, _tuple(picks))


SOURCES: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(ON_THE_WAY, CARD_SLUGS),
    **dict.fromkeys((card.slug for card in CARDS if card.goes is not Goes.MINION), CARD_SLUGS),
    **dict.fromkeys((*BASE_EFFECTS, "score", "window"), BASE_SLUGS),
}
"""The effects whose source is a card or a base by number, with the names to show instead."""


def _plain(value: Any) -> Json:
    return [_plain(one) if type(one) is not int else one for one in value] if isinstance(value, tuple) else value


def _write_player(s: State, player: int) -> bytes:
    """What a view shows of a player, kept in the state as long as all that it depends on is the same."""
    parts = (
        s.factions[player],
        s.hands[player],
        s.rest[player],
        s.under[player],
        s.discards[player],
        s.known[player],
        s.either[player],
        s.holds_minion[player],
    )
    kept = s.rows[player]
    if kept is None or kept[0] != parts:
        kept = s.rows[player] = parts, _row(*parts)
    return kept[1]


def _row(
    factions: Cards, hand: Cards, rest: Cards, under: Cards, discards: Cards, known: Cards, either: Cards, minion: bool
) -> bytes:
    return _PLAYER % (
        b",".join([_FACTIONS[faction] for faction in factions]),
        len(hand),
        len(rest) + len(under),
        len(under),
        _cards(discards),
        _cards(known),
        _cards(either),
        b"true" if minion else b"false",
    )


_PLAYER: Final = (
    b'{"factions":[%b],"hand":%d,"deck":%d,"under":%d,"discard":%b,"known":%b,"known_or_under":%b,"holds_minion":%b}'
)


def _keep_base(s: State, base: int) -> tuple[int, bytes]:
    """The power at a base and what a view shows of it, kept in the state for the views to come."""
    totals = s.totals(base, powers := s.powers(base))
    s.shown[base] = kept = sum(totals), encode(_write_base(s, base, totals, powers))
    return kept


def _write_base(s: State, base: int, totals: Sequence[int], powers: Sequence[int]) -> Json:
    minions, actions = s.minions_at[base], s.actions_at[base]
    changed = s.breakpoints.get(base)
    return {
        "base": BASE_SLUGS[base],
        "breakpoint": BREAKPOINTS[base] if changed is None else changed,
        "totals": totals,
        "minion_played": base in s.played_at,
        "second_talent_used": -1 - base in s.used,
        "actions": _write_actions(s, actions) if actions else [],
        "minions": _write_minions(s, minions, powers) if minions else [],
    }


def _write_minions(s: State, minions: Sequence[Piece], powers: Sequence[int]) -> Json:
    counters, strengths, used = s.counters.get, s.strengths.get, s.used.get
    played, attached = s.played, s.attached
    return [
        {
            "id": minion,
            "card": CARD_SLUGS[minion >> 2 & 1023],
            "owner": minion & 3,
            "power": power,
            "counters": counters(minion, 0),
            "until_end": strengths(minion, 0),
            "talent_used": used(minion, 0),
            "played_at": BASE_SLUGS[played[minion]] if minion in played else None,
            "actions": _write_actions(s, attached[minion]) if minion in attached else [],
        }
        for minion, power in zip(minions, powers)  # noqa: B905
    ]


def _write_actions(s: State, actions: Sequence[Piece]) -> Json:
    return [
        {
            "id": action,
            "card": CARD_SLUGS[action >> 2 & 1023],
            "owner": action & 3,
            "counters": s.counters.get(action, 0),
            "talent_used": s.used.get(action, 0),
        }
        for action in actions
    ]


# The way back.


def imagine(view: View, seat: int, rng: Random) -> State:
    """A state that this view of the seat allows; what the seat cannot know is drawn from `rng`."""
    s = new_state(len(view["players"]))
    s.turn, s.current, s.first = view["turn"], view["player"], view["first"]
    s.vp = list(view["vp"])
    s.minion_plays, s.action_plays = view["plays"]["minions"], view["plays"]["actions"]
    s.base_deck = tuple(BASE_NO[base] for base in view["base_deck"])
    s.out_bases = tuple(BASE_NO[base] for base in view["base_discard"])
    s.scoring = -1 if view["scoring"] is None else BASE_NO[view["scoring"]]
    s.winners, s.serials = tuple(view["winners"]), view["entered"]
    s.deaths = [Fallen(*one) for one in view["fallen"]]
    s.stack = [_read_frame(frame) for frame in view["pending"]]
    s.over = view["over"] or ""
    for base in view["bases"]:
        _read_base(s, base)
    s.where = dict(sorted(s.where.items(), key=_by_serial))
    s.host = dict(sorted(s.host.items(), key=_by_serial))
    for player, shown in enumerate(view["players"]):
        _read_player(s, player, shown)
        if player == seat:
            s.hands[seat], s.under[seat] = _numbers(view["hand"]), _numbers(view["under"])
            s.rest[seat] = _less(_hidden(s, seat), s.hands[seat] + s.under[seat])
        elif s.factions[player] and shown["deck"] + shown["hand"]:
            _imagine_hidden(s, player, shown, rng)
    return s


def _by_serial(item: tuple[Piece, int]) -> int:
    return serial(item[0])


def _tuple(value: Json) -> Any:
    return tuple(_tuple(one) for one in value) if isinstance(value, list) else value


def _numbers(names: Sequence[str]) -> Cards:
    return tuple(CARD_NO[name] for name in names)


def _less(cards: Cards, taken: Sequence[int]) -> Cards:
    for card in taken:
        cards = without(cards, card)
    return cards


def _read_base(s: State, shown: Json) -> None:
    base = BASE_NO[shown["base"]]
    s.bases.append(base)
    if shown["breakpoint"] != BREAKPOINTS[base]:
        s.breakpoints[base] = shown["breakpoint"]
    if shown["minion_played"]:
        s.played_at |= {base}
    if shown["second_talent_used"]:
        s.used[-1 - base] = 1
    for action in shown["actions"]:
        s.where[action["id"]] = base
        _read_piece(s, action)
    for minion in shown["minions"]:
        piece = minion["id"]
        s.where[piece] = base
        _read_piece(s, minion)
        if minion["until_end"]:
            s.strengths[piece] = minion["until_end"]
        if minion["played_at"] is not None:
            s.played[piece] = BASE_NO[minion["played_at"]]
        for action in minion["actions"]:
            s.host[action["id"]] = piece
            _read_piece(s, action)
        if minion["actions"]:
            s.attached[piece] = tuple(action["id"] for action in minion["actions"])
    s.minions_at[base] = tuple(minion["id"] for minion in shown["minions"])
    s.actions_at[base] = tuple(action["id"] for action in shown["actions"])


def _read_piece(s: State, shown: Json) -> None:
    if shown["counters"]:
        s.counters[shown["id"]] = shown["counters"]
    if shown["talent_used"]:
        s.used[shown["id"]] = shown["talent_used"]


def _read_player(s: State, player: int, shown: Json) -> None:
    s.factions[player] = tuple(FACTION_NO[faction] for faction in shown["factions"])
    s.discards[player] = _numbers(shown["discard"])
    s.known[player], s.either[player] = _numbers(shown["known"]), _numbers(shown["known_or_under"])
    s.holds_minion[player] = shown["holds_minion"]


def _hidden(s: State, player: int) -> Cards:
    """The cards of a player that are in hand or deck, sorted: the two factions less all that is in sight."""
    if not (s.turn or s.stack[-1].effect in DEALT):
        return ()
    cards = tuple(sorted(card for faction in s.factions[player] for card in FACTION_DECK[faction]))
    in_play = [piece >> 2 & 1023 for pieces in (s.where, s.host) for piece in pieces if piece & 3 == player]
    return _less(cards, [*s.discards[player], *in_play, *on_the_way(s, player)])


DEALT: Final = frozenset({"draw", "base"})
"""What nature does once the decks are made, before the first turn."""


def on_the_way(s: State, player: int) -> list[int]:
    """The cards of a player that are being played and are in no zone yet, or no more."""
    return [f.source for f in s.stack if f.effect in ON_THE_WAY and f.at == 0 and f.seat == player]


def _imagine_hidden(s: State, player: int, shown: Json, rng: Random) -> None:
    """Deal what is hidden of another player, as the public facts about its hand and deck allow."""
    in_hand, under = shown["hand"], shown["under"]
    hidden = list(_less(_hidden(s, player), s.known[player] + s.either[player]))
    free = in_hand - len(s.known[player])
    while True:
        rng.shuffle(hidden)
        near = free + under - len(s.either[player])
        mixed = [*hidden[:near], *s.either[player]]
        rng.shuffle(mixed)
        s.hands[player] = tuple(sorted((*s.known[player], *mixed[:free])))
        s.under[player] = tuple(mixed[free:])
        s.rest[player] = tuple(sorted(hidden[near:]))
        if not s.holds_minion[player] or any(IS_MINION[card] for card in s.hands[player] + s.under[player]):
            return
