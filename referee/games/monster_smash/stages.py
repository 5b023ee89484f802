"""The course of a match: setting up, the turn, scoring a base; and the loop that works off what is pending."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from referee.game import CHANCE
from referee.games.monster_smash.cards import (
    BASES,
    CARDS,
    EFFECTS,
    FACTION_DECK,
    FACTIONS,
    GOES,
    IS_MINION,
    TALENT,
)
from referee.games.monster_smash.cards.definition import DECLINED, Ask, Frame, Goes, On, Piece, Steps
from referee.games.monster_smash.plays import PLAYS, due, follow, gone, play, use
from referee.games.monster_smash.state import NOBODY, State, without

TO_WIN: Final = 15
HAND_LIMIT: Final = 10
OPENING_HAND: Final = 5
TURN_CAP: Final = 200
"""A guard of the harness, not a rule (R-37)."""

FIRST_PIECE: Final = 1 << 8
"""In the Play Cards step, values from here on are pieces whose talent is used, values below are cards."""


class Chance(Ask):
    """A step that nature decides."""

    hidden = True

    def seat(self, s: State, f: Frame) -> int:  # noqa: ARG002
        return CHANCE

    def values(self, s: State, f: Frame) -> Sequence[int]:  # noqa: ARG002
        return (0,)

    def draw(self, s: State, f: Frame, stream: Callable[[str], Random]) -> Any:
        """An outcome, from the stream of its pile or purpose."""
        raise NotImplementedError

    def happens(self, s: State, f: Frame, outcome: Any) -> None:
        """The outcome came. Raises ValueError if it cannot."""
        raise NotImplementedError


# Setting up.


class FirstPlayer(Chance):
    kind = "first"

    def draw(self, s: State, f: Frame, stream: Callable[[str], Random]) -> int:  # noqa: ARG002
        return stream("first player").randrange(s.seats)

    def happens(self, s: State, f: Frame, outcome: int) -> None:
        if outcome not in range(s.seats):
            raise ValueError(outcome)
        s.first = s.current = outcome
        s.log.append(("first", outcome))
        s.stack[-1] = f.on()


def pool(seats: int) -> tuple[int, ...]:
    """How many of each faction there are to take: one box for two players, else two (R-35)."""
    return (1 if seats == 2 else 2,) * len(FACTIONS)


def snake(first: int, seats: int) -> list[int]:
    """The order of drafting: clockwise from the first player, and back."""
    clockwise = [(first + i) % seats for i in range(seats)]
    return clockwise + clockwise[::-1]


def take(left: tuple[int, ...], faction: int) -> tuple[int, ...]:
    """What is left of each faction after one is taken."""
    return tuple(n - (taken == faction) for taken, n in enumerate(left))


def completes(order: Sequence[int], held: Sequence[frozenset[int]], left: tuple[int, ...]) -> bool:
    """Whether everybody still to pick can end with two different factions."""
    if not order:
        return True
    seat, rest = order[0], order[1:]
    for faction, copies in enumerate(left):
        if copies and faction not in held[seat]:
            now = [*held[:seat], held[seat] | {faction}, *held[seat + 1 :]]
            if completes(rest, now, take(left, faction)):
                return True
    return False


class Draft(Ask):
    """A faction each in snake order; a pick that would leave a later picker only one it holds is not offered."""

    kind = "draft"

    def seat(self, s: State, f: Frame) -> int:
        return snake(s.first, s.seats)[len(f.picks)]

    def values(self, s: State, f: Frame) -> Sequence[int]:
        order = snake(s.first, s.seats)[len(f.picks) :]
        if not order:
            return ()
        left = tuple(n - f.picks.count(faction) for faction, n in enumerate(pool(s.seats)))
        held = [frozenset(factions) for factions in s.factions]
        seat = order[0]
        return [
            faction
            for faction in range(len(FACTIONS))
            if left[faction]
            and faction not in held[seat]
            and completes(
                order[1:],
                [*held[:seat], held[seat] | {faction}, *held[seat + 1 :]],
                take(left, faction),
            )
        ]

    def chosen(self, s: State, f: Frame, value: int) -> None:
        seat = self.seat(s, f)
        s.factions[seat] += (value,)
        s.log.append(("draft", seat, value))
        s.stack[-1] = f.picking(*f.picks, value)

    def nothing(self, s: State, f: Frame) -> None:
        s.stack[-1] = f.on()


class RandomFactions(Chance):
    kind = "factions"

    def draw(self, s: State, f: Frame, stream: Callable[[str], Random]) -> tuple[tuple[int, ...], ...]:  # noqa: ARG002
        rng = stream("factions")
        cards = [faction for faction, n in enumerate(pool(s.seats)) for _ in range(n)]
        while True:
            rng.shuffle(cards)
            hands = tuple(tuple(cards[2 * seat : 2 * seat + 2]) for seat in range(s.seats))
            if all(len(set(hand)) == 2 for hand in hands):
                return hands

    def happens(self, s: State, f: Frame, outcome: tuple[tuple[int, ...], ...]) -> None:
        if [len(set(hand)) for hand in outcome] != [2] * s.seats:
            raise ValueError(outcome)
        for seat, factions in enumerate(outcome):
            s.factions[seat] = tuple(factions)
            s.log.append(("factions", seat, *factions))
        s.stack[-1] = f.on()


def make_decks(s: State, f: Frame) -> None:  # noqa: ARG001
    """Shuffle the two factions of each player, and have opening hands drawn and bases laid out."""
    for seat in range(s.seats):
        s.rest[seat] = tuple(sorted(card for faction in s.factions[seat] for card in FACTION_DECK[faction]))
    s.stack.append(Frame("turn", 0, s.first, 0))
    for i in reversed(range(s.seats)):
        s.stack.append(Frame("opening", 0, (s.first + i) % s.seats, 0))
    s.stack.append(Frame("base", 0, 0, s.seats + 1))


class NewBases(Chance):
    """Bases from the base deck come into play, as many as the frame's source says and there are (R-26)."""

    kind = "bases"

    def values(self, s: State, f: Frame) -> Sequence[int]:
        return (0,) if s.base_deck and f.source else ()

    def draw(self, s: State, f: Frame, stream: Callable[[str], Random]) -> tuple[int, ...]:
        rng = stream("bases")
        deck = list(s.base_deck)
        return tuple(deck.pop(int(rng.random() * len(deck))) for _ in range(min(f.source, len(deck))))

    def happens(self, s: State, f: Frame, outcome: tuple[int, ...]) -> None:
        if len(outcome) != min(f.source, len(s.base_deck)):
            raise ValueError(outcome)
        for base in outcome:
            s.base_deck = without(s.base_deck, base)
            s.bases.append(base)
            s.log.append(("base", base))
        s.stack.pop()


class Draw(Chance):
    """Cards from a deck: first the unordered rest, then what was put under it, then the shuffled discards (R-27)."""

    kind = "deal"

    def values(self, s: State, f: Frame) -> Sequence[int]:
        return (0,) if f.source and (s.rest[f.seat] or s.under[f.seat] or s.discards[f.seat]) else ()

    def draw(self, s: State, f: Frame, stream: Callable[[str], Random]) -> tuple[int, ...]:
        rng = stream(f"deck {f.seat}")
        rest, under, discards = list(s.rest[f.seat]), list(s.under[f.seat]), sorted(s.discards[f.seat])
        cards: list[int] = []
        while len(cards) < f.source:
            if rest:
                cards.append(rest.pop(int(rng.random() * len(rest))))
            elif under:
                cards.append(under.pop(0))
            elif discards:
                rest, discards = discards, []
            else:
                break
        return tuple(cards)

    def happens(self, s: State, f: Frame, outcome: tuple[int, ...]) -> None:
        seat = f.seat
        if len(outcome) != min(f.source, len(s.rest[seat]) + len(s.under[seat]) + len(s.discards[seat])):
            raise ValueError(outcome)
        drawn: tuple[int, ...] = ()
        for card in outcome:
            if not (s.rest[seat] or s.under[seat]):
                self._take(s, seat, drawn)
                drawn = ()
                self._shuffle(s, seat)
            if s.rest[seat]:
                s.rest[seat] = without(s.rest[seat], card)
            elif s.under[seat][0] == card:
                self._take_under(s, seat)
            else:
                raise ValueError(outcome)
            drawn += (card,)
        self._take(s, seat, drawn)
        s.stack.pop()

    def _take(self, s: State, seat: int, cards: tuple[int, ...]) -> None:
        s.hands[seat] = tuple(sorted(s.hands[seat] + cards))
        s.log.append(("draw", seat, len(cards), cards))

    def _take_under(self, s: State, seat: int) -> None:
        """With the last card from under the deck, what was known to be there or in hand is in hand."""
        s.under[seat] = s.under[seat][1:]
        if not s.under[seat]:
            s.known[seat] = tuple(sorted(s.known[seat] + s.either[seat]))
            s.either[seat] = ()

    def _shuffle(self, s: State, seat: int) -> None:
        """The discard pile is the new deck; as all other cards of this player are in sight, so is now the hand."""
        s.rest[seat] = tuple(sorted(s.discards[seat]))
        s.discards[seat] = ()
        s.known[seat] = s.hands[seat]
        s.holds_minion[seat] = False
        s.log.append(("shuffle", seat))


def open_hand(s: State, f: Frame) -> None:
    s.draw(f.seat, OPENING_HAND)


def redraw_without_minion(s: State, f: Frame) -> None:
    """A hand without minions is shown, discarded and replaced once (R-28)."""
    hand = s.hands[f.seat]
    if any(IS_MINION[card] for card in hand):
        s.holds_minion[f.seat] = True
        return
    s.log.append(("redraw", f.seat, hand))
    s.hands[f.seat] = ()
    s.discards[f.seat] += hand
    s.draw(f.seat, OPENING_HAND)


# The turn.


def begin_turn(s: State, f: Frame) -> None:
    s.current = f.seat
    s.turn += 1
    s.minion_plays = s.action_plays = 1
    s.log.append(("turn", f.seat, s.turn))
    follow(s, due(s, On.TURN_START, f.seat))


def controlled(s: State, seat: int) -> list[Piece]:
    """All pieces of a seat: minions and attached actions, base by base."""
    pieces: list[Piece] = []
    for base in s.bases:
        pieces += [a for a in s.actions_at[base] if a & 3 == seat]
        for m in s.minions_at[base]:
            if m & 3 == seat:
                pieces.append(m)
            if m in s.attached:
                pieces += [a for a in s.attached[m] if a & 3 == seat]
    return pieces


def second_talent_at(s: State, piece: Piece) -> int:
    """The base at which a minion could use its talent a second time now, or -1."""
    base = s.where.get(piece, -1)
    if base < 0 or not IS_MINION[piece >> 2 & 63] or not BASES[base].second_talent or -1 - base in s.used:
        return -1
    return base if s.used.get(piece) == 1 else -1


def talents(s: State, seat: int) -> list[Piece]:
    """The pieces whose talent this seat may use now (R-21)."""
    found = []
    for piece in controlled(s, seat):
        talent = TALENT[piece >> 2 & 63]
        if talent and (piece not in s.used or second_talent_at(s, piece) >= 0) and talent.ready(s, piece):
            found.append(piece)
    return found


class PlayCards(Ask):
    """One minion, one action, extras and talents, in any order, as long as the player likes."""

    kind = "play"
    decline = "end"
    hidden = True

    def values(self, s: State, f: Frame) -> Sequence[int]:
        found = [DECLINED]
        minions, actions = s.minion_plays > 0 and bool(s.bases), s.action_plays > 0
        if minions or actions:
            last = -1
            for card in s.hands[f.seat]:
                if card != last:
                    last = card
                    goes = GOES[card]
                    if minions if goes is Goes.MINION else actions and goes not in SPECIALS:
                        found.append(card)
        found += talents(s, f.seat)
        return found

    def chosen(self, s: State, f: Frame, value: int) -> None:
        if value == DECLINED:
            s.stack[-1] = f.on()
            s.minion_plays = s.action_plays = 0
        elif value >= FIRST_PIECE:
            self._use_talent(s, f.seat, value)
        else:
            if IS_MINION[value]:
                s.minion_plays -= 1
            else:
                s.action_plays -= 1
            play(s, f.seat, value)

    def _use_talent(self, s: State, seat: int, piece: Piece) -> None:
        base = second_talent_at(s, piece)
        if base >= 0:
            s.used[-1 - base] = 1
        s.used[piece] = s.used.get(piece, 0) + 1
        s.log.append(("talent", seat, piece))
        use(s, seat, piece >> 2 & 63, piece, "/talent")


class ChooseScoring(Ask):
    """While a base reaches its breakpoint, the current player picks one to score (R-06)."""

    kind = "base"

    def values(self, s: State, f: Frame) -> Sequence[int]:  # noqa: ARG002
        return [base for base in s.bases if sum(s.totals(base)) >= s.breakpoint(base)]

    def chosen(self, s: State, f: Frame, value: int) -> None:
        s.scoring = value
        s.log.append(("scoring", value))
        s.stack.append(Frame("score", 0, f.seat, value))

    def nothing(self, s: State, f: Frame) -> None:
        s.stack[-1] = f.on()


def draw_two(s: State, f: Frame) -> None:
    s.draw(f.seat, 2)


class HandLimit(Ask):
    """Down to ten cards, one by one (R-36)."""

    kind = "card"
    hidden = True

    def values(self, s: State, f: Frame) -> Sequence[int]:
        return s.hand_cards(f.seat) if len(s.hands[f.seat]) > HAND_LIMIT else ()

    def chosen(self, s: State, f: Frame, value: int) -> None:
        s.discard_from_hand(f.seat, value)

    def nothing(self, s: State, f: Frame) -> None:
        s.stack[-1] = f.on()


def end_turn(s: State, f: Frame) -> None:
    """What lasts until the end of the turn ends (R-17); then the game may be over (R-26, R-29, R-37)."""
    for lasting in (s.strengths, s.used, s.played, s.breakpoints):
        lasting.clear()
    s.played_at = frozenset()
    s.over = ending(s)
    s.stack.clear()
    if s.over:
        s.log.append(("over", s.over))
    else:
        s.stack.append(Frame("turn", 0, (f.seat + 1) % s.seats, 0))


def ending(s: State) -> str:
    """Why the game is over at the end of this turn, or empty."""
    best = max(s.vp)
    leaders = [seat for seat, vp in enumerate(s.vp) if vp == best]
    if best >= TO_WIN and len(leaders) == 1:
        return f"Seat {leaders[0]} has {best} victory points."
    who = f"seat {leaders[0]} leads" if len(leaders) == 1 else "seats " + " and ".join(map(str, leaders)) + " share"
    if not s.bases:
        return f"No base is left in play: {who} with {best} victory points."
    if s.turn >= TURN_CAP:
        return f"The cap of {TURN_CAP} turns is reached: {who} with {best} victory points."
    return ""


# Scoring a base; the frame's source is the base.


def before_scoring(s: State, f: Frame) -> None:
    s.stack.append(Frame("window", 0, f.seat, f.source, (0, f.seat, 0)))
    follow(s, due(s, On.BEFORE_SCORING, f.source))


WINDOWS: Final = (Goes.BEFORE, Goes.AFTER)
SPECIALS: Final = frozenset(WINDOWS)


class MeFirst(Ask):
    """Specials from hand, clockwise from the current player, until all pass in a row (R-03).

    The frame's picks are the window (before 0, after 1), the next seat, and how many have passed. A seat is asked
    whenever it could hold such a Special as far as the table knows, else it passes by.
    """

    kind = "play"
    decline = "pass"
    hidden = True

    def seat(self, s: State, f: Frame) -> int:  # noqa: ARG002
        seat: int = f.picks[1]
        return seat

    def values(self, s: State, f: Frame) -> Sequence[int]:
        window, seat, passes = f.picks
        if passes == s.seats or not may_hold(s, seat, WINDOWS[window]):
            return ()
        return [DECLINED, *(card for card in s.hand_cards(seat) if GOES[card] is WINDOWS[window])]

    def chosen(self, s: State, f: Frame, value: int) -> None:
        window, seat, _ = f.picks
        if value == DECLINED:
            s.log.append(("pass", seat))
            self._next(s, f)
        else:
            s.stack[-1] = f.picking(window, (seat + 1) % s.seats, 0)
            play(s, seat, value)

    def nothing(self, s: State, f: Frame) -> None:
        if f.picks[2] == s.seats:
            s.stack.pop()
        else:
            self._next(s, f)

    def _next(self, s: State, f: Frame) -> None:
        window, seat, passes = f.picks
        s.stack[-1] = f.picking(window, (seat + 1) % s.seats, passes + 1)


def may_hold(s: State, seat: int, goes: Goes) -> bool:
    """Whether a seat could hold a Special of this window as far as the table knows."""
    if not s.hands[seat]:
        return False
    return any(
        s.discards[seat].count(card) < CARDS[card].copies
        for faction in s.factions[seat]
        for card in SPECIAL_CARDS[faction]
        if GOES[card] is goes
    )


SPECIAL_CARDS: Final = tuple(tuple(sorted({card for card in deck if GOES[card] in SPECIALS})) for deck in FACTION_DECK)
"""By faction: its Specials from hand."""


def award(s: State, f: Frame) -> None:
    """Rank those with a minion there; ties are paid for the best place they tied for (R-24)."""
    totals = s.totals(f.source)
    present = sorted({m & 3 for m in s.minions_at[f.source]})
    s.log.append(("totals", f.source, tuple(totals)))
    winners = []
    for seat in present:
        rank = 1 + sum(totals[other] > totals[seat] for other in present)
        gain = BASES[f.source].vp[rank - 1] if rank <= 3 else 0
        s.vp[seat] += gain
        if rank == 1:
            winners.append(seat)
        s.log.append(("vp", seat, rank, gain))
    s.winners = tuple(winners)
    s.stack.append(Frame("window", 0, f.seat, f.source, (1, f.seat, 0)))
    follow(s, due(s, On.AFTER_SCORING, f.source))


def clear_base(s: State, f: Frame) -> None:
    """All cards at the base go to their owners' discard piles together; that does not destroy them."""
    pieces = (*s.minions_at[f.source], *s.actions_at[f.source])
    for piece in pieces:
        s.leave(piece)
        s.discard(piece & 3, piece >> 2 & 63)
    s.log.append(("cleared", f.source, pieces))
    follow(s, gone(s, pieces))


def replace_base(s: State, f: Frame) -> None:
    s.bases.remove(f.source)
    s.out_bases += (f.source,)
    s.breakpoints.pop(f.source, None)
    s.scoring, s.winners = -1, ()
    s.stack.append(Frame("base", 0, f.seat, 1))


PROGRAMS: Final[dict[str, Steps]] = {
    **EFFECTS,
    **PLAYS,
    "draft": (FirstPlayer(), Draft(), make_decks),
    "deal": (FirstPlayer(), RandomFactions(), make_decks),
    "base": (NewBases(),),
    "draw": (Draw(),),
    "opening": (open_hand, redraw_without_minion),
    "turn": (begin_turn, PlayCards(), ChooseScoring(), draw_two, HandLimit(), end_turn),
    "score": (before_scoring, award, clear_base, replace_base),
    "window": (MeFirst(),),
}
"""Every effect there is, by name."""


def _compile(steps: Steps) -> tuple[tuple[Ask | None, Any, bool], ...]:
    """For each step: the choice, or the change and whether it is the last; then an end."""
    return (
        *(
            (step, None, False) if isinstance(step, Ask) else (None, step, at + 1 == len(steps))
            for at, step in enumerate(steps)
        ),
        (None, None, True),
    )


_COMPILED: Final = {name: _compile(steps) for name, steps in PROGRAMS.items()}


def run(s: State) -> tuple[Ask, Sequence[int]] | None:
    """Work off the stack until somebody has to decide: the open question and what may be chosen; None when over."""
    stack = s.stack
    while stack:
        f = stack[-1]
        choice, change, last = _COMPILED[f[0]][f[1]]
        if choice:
            values = choice.values(s, f)
            if not values:
                choice.nothing(s, f)
            elif len(values) == 1 and not choice.hidden:
                choice.chosen(s, f, values[0])
            else:
                s.asked = choice.seat(s, f)
                return choice, values
        elif last:
            stack.pop()
            if change:
                change(s, f)
        else:
            stack[-1] = Frame(f[0], f[1] + 1, f[2], f[3], f[4])
            change(s, f)
    s.asked = NOBODY
    return None


def question(s: State) -> tuple[Ask, Frame]:
    """The step that waits for a decision, and its frame; valid while somebody is asked."""
    f = s.stack[-1]
    step = PROGRAMS[f.effect][f.at]
    assert isinstance(step, Ask)
    return step, f
