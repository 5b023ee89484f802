"""A position of the game: plain values, what can be read off them, and the changes that cards make.

The engine copies a state once and changes the copy. Everything inside is numbers, tuples, and lists or dictionaries
of them that a copy does not share, so a state is a value. What is still to be done is data too: frames on `stack`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from referee.games.monster_smash.cards import (
    ADDS_POWER,
    ADDS_TOTAL,
    BASES,
    BREAKPOINTS,
    IS_MINION,
    POWER,
    RECALLS,
    RESCUES,
    SHIELDS,
    WARDS,
)
from referee.games.monster_smash.cards.definition import Fallen, Frame, Piece, make_piece

NOBODY: Final = -2
"""Who is asked when the game is over."""

Note = tuple[Any, ...]
"""One thing that happened: its type and its values, as `events` knows them."""


class State:
    """A position. Lists by seat have an entry for each player, lists by base one for each base of the set."""

    __slots__ = (
        "action_plays",
        "actions_at",
        "asked",
        "attached",
        "base_deck",
        "bases",
        "breakpoints",
        "counters",
        "current",
        "deaths",
        "discards",
        "either",
        "factions",
        "first",
        "hands",
        "holds_minion",
        "host",
        "known",
        "log",
        "minion_plays",
        "minions_at",
        "options",
        "out_bases",
        "over",
        "played",
        "played_at",
        "rest",
        "rows",
        "scoring",
        "seats",
        "serials",
        "shown",
        "stack",
        "strengths",
        "turn",
        "under",
        "used",
        "vp",
        "where",
        "winners",
    )

    seats: int
    factions: list[tuple[int, ...]]
    """By seat: the numbers of its factions."""
    first: int
    """The seat that drafts and plays first, -1 before it is drawn."""
    turn: int
    """The number of the turn, from 1; 0 before the first."""
    current: int
    """Whose turn it is."""
    vp: list[int]
    minion_plays: int
    """How many minions the current player may still play this turn."""
    action_plays: int

    hands: list[tuple[int, ...]]
    """By seat: card numbers, sorted."""
    rest: list[tuple[int, ...]]
    """By seat: the cards of the deck that nobody has a place for, sorted; nature draws from them."""
    under: list[tuple[int, ...]]
    """By seat: the cards that were put under the deck, the next to be drawn first."""
    discards: list[tuple[int, ...]]
    """By seat: the discard pile, oldest first."""
    known: list[tuple[int, ...]]
    """By seat: cards of its hand that everybody knows of."""
    either: list[tuple[int, ...]]
    """By seat: cards that everybody knows to be in its hand or under its deck."""
    holds_minion: list[bool]
    """By seat: whether the opening hand was kept, so held a minion, and no minion has left that hand since (R-28)."""

    bases: list[int]
    """The bases in play, oldest first."""
    base_deck: tuple[int, ...]
    """The bases not yet in play, sorted."""
    out_bases: tuple[int, ...]
    """The base discard pile, oldest first."""
    serials: int
    """How many cards have entered play so far."""
    where: dict[Piece, int]
    """The base of each minion, and of each action attached to a base."""
    host: dict[Piece, Piece]
    """The minion of each action attached to a minion."""
    minions_at: list[tuple[Piece, ...]]
    """By base: minions in order of arrival."""
    actions_at: list[tuple[Piece, ...]]
    """By base: the actions attached to it."""
    attached: dict[Piece, tuple[Piece, ...]]
    """By minion: the actions attached to it, where there are any."""
    counters: dict[Piece, int]
    """The +1 power counters, where there are any."""

    strengths: dict[Piece, int]
    """Power until the end of the turn."""
    used: dict[Piece, int]
    """How often a talent was used this turn; under -1 - base, that the second use there is spent."""
    played: dict[Piece, int]
    """The minions played this turn, with the base that they were played at."""
    played_at: frozenset[int]
    """The bases where a minion was played this turn."""
    breakpoints: dict[int, int]
    """Breakpoints that are changed until the end of the turn."""

    scoring: int
    """The base that is being scored, or -1."""
    winners: tuple[int, ...]
    """The winners of the base that is being scored, after it was ranked."""
    deaths: list[Fallen]
    """The minions destroyed by abilities that are not finished."""
    stack: list[Frame]
    """What is to be done, the last first."""
    asked: int
    """The seat to act, CHANCE, or NOBODY."""
    options: Sequence[Any]
    """What that seat may do."""
    shown: list[tuple[int, bytes] | None]
    """By base: all power there, and the JSON of it in views, kept until something there changes (`changed`)."""
    rows: list[tuple[tuple[Any, ...], bytes] | None]
    """By seat: the JSON of the player in views, and before it all that it was made from."""
    over: str
    """Why the game is over, or empty."""
    log: list[Note]
    """What happened in the step that made this state."""

    def copy(self) -> State:
        """An equal state that shares nothing that can change; its log is empty."""
        new = State.__new__(State)
        new.seats = self.seats
        new.factions = self.factions[:]
        new.first = self.first
        new.turn = self.turn
        new.current = self.current
        new.vp = self.vp[:]
        new.minion_plays = self.minion_plays
        new.action_plays = self.action_plays
        new.hands = self.hands[:]
        new.rest = self.rest[:]
        new.under = self.under[:]
        new.discards = self.discards[:]
        new.known = self.known[:]
        new.either = self.either[:]
        new.holds_minion = self.holds_minion[:]
        new.bases = self.bases[:]
        new.base_deck = self.base_deck
        new.out_bases = self.out_bases
        new.serials = self.serials
        new.where = self.where.copy()
        new.host = self.host.copy()
        new.minions_at = self.minions_at[:]
        new.actions_at = self.actions_at[:]
        new.attached = self.attached.copy()
        new.counters = self.counters.copy()
        new.strengths = self.strengths.copy()
        new.used = self.used.copy()
        new.played = self.played.copy()
        new.played_at = self.played_at
        new.breakpoints = self.breakpoints.copy()
        new.scoring = self.scoring
        new.winners = self.winners
        new.deaths = self.deaths[:]
        new.stack = self.stack[:]
        new.asked = self.asked
        new.options = self.options
        new.shown = self.shown[:]
        new.rows = self.rows[:]
        new.over = self.over
        new.log = []
        return new

    # What can be read off.

    def minions_of(self, seat: int) -> list[Piece]:
        """The minions of a seat, base by base."""
        return [m for base in self.bases for m in self.minions_at[base] if m & 3 == seat]

    def all_minions(self) -> list[Piece]:
        """All minions in play, base by base."""
        return [m for base in self.bases for m in self.minions_at[base]]

    def is_minion_card(self, card: int) -> bool:
        """Whether a card number is a minion's."""
        return IS_MINION[card]

    def printed(self, card: int) -> int:
        """The printed power of a card number, the only one outside of play (R-15)."""
        return POWER[card]

    def power(self, minion: Piece) -> int:
        """The current power of a minion: printed, counters, until end of turn, and what is attached to its base."""
        power = POWER[minion >> 2 & 1023] + self.counters.get(minion, 0) + self.strengths.get(minion, 0)
        for action in self.actions_at[self.where[minion]]:
            adds = ADDS_POWER[action >> 2 & 1023]
            if adds:
                power += adds(self, action, minion)
        return power

    def powers(self, base: int) -> list[int]:
        """The current power of each minion at a base, in the order of `minions_at`."""
        minions = self.minions_at[base]
        if self.actions_at[base]:
            return [self.power(m) for m in minions]
        counters, strengths = self.counters.get, self.strengths.get
        return [POWER[m >> 2 & 1023] + counters(m, 0) + strengths(m, 0) for m in minions]

    def totals(self, base: int, powers: Sequence[int] | None = None) -> list[int]:
        """The total power of each seat at a base (R-15, R-22), from `powers` if they are known already."""
        totals = [0] * self.seats
        minions = self.minions_at[base]
        for minion, power in zip(minions, powers or self.powers(base)):  # noqa: B905
            totals[minion & 3] += power
        for action in self.actions_at[base]:
            adds = ADDS_TOTAL[action >> 2 & 1023]
            if adds and any(m & 3 == action & 3 for m in minions):
                totals[action & 3] += adds(self, action)
        return totals

    def all_power(self, base: int) -> int:
        """The total power of all seats at a base, from what was kept of it if it still holds."""
        kept = self.shown[base]
        return kept[0] if kept else sum(self.totals(base))

    def breakpoint(self, base: int) -> int:
        """The breakpoint of a base now."""
        return self.breakpoints.get(base, BREAKPOINTS[base])

    def hand_cards(self, seat: int) -> list[int]:
        """The different cards in a hand, sorted."""
        return sorted(set(self.hands[seat]))

    def shielded(self, minion: Piece) -> bool:
        """Whether a minion cannot be destroyed by anybody."""
        base = self.where[minion]
        by_base = BASES[base].shields
        if by_base and by_base(self, base, minion):
            return True
        for action in self.attached.get(minion, ()):
            shields = SHIELDS[action >> 2 & 1023]
            if shields and shields(self, action, minion):
                return True
        return False

    def warded(self, minion: Piece, seat: int) -> bool:
        """Whether a minion is unaffected by the cards of a seat (R-11)."""
        for action in self.actions_at[self.where[minion]]:
            wards = WARDS[action >> 2 & 1023]
            if wards and wards(self, action, minion, seat):
                return True
        return False

    def rescuers(self, minion: Piece) -> list[Piece]:
        """The minions that can save this one from being destroyed now."""
        return [m for m in self.where if (rescues := RESCUES[m >> 2 & 1023]) and rescues(self, m, minion)]

    def recalled(self, minion: Piece) -> bool:
        """Whether a minion goes to hand instead of being destroyed."""
        for action in self.actions_at[self.where[minion]]:
            recalls = RECALLS[action >> 2 & 1023]
            if recalls and recalls(self, action, minion):
                return True
        return False

    def fell(self, minion: Piece) -> bool:
        """Whether a minion was destroyed by an ability that is not finished."""
        return any(one.piece == minion for one in self.deaths)

    # What cards do to counters, power and places. Each of these says which base looks different now.

    def changed(self, piece: Piece) -> None:
        """What a view shows of the base of this card in play is no longer true."""
        self.shown[self.where[self.host.get(piece, piece)]] = None

    def place(self, piece: Piece, n: int) -> None:
        """Put counters on a card, if it is still in play."""
        if n and piece in self.where:
            total = self.counters.get(piece, 0) + n
            self.counters[piece] = total
            self.changed(piece)
            self.log.append(("counters", piece, n, total))

    def remove(self, piece: Piece, n: int) -> bool:
        """Take counters off a card; whether there were enough, else nothing happens."""
        left = self.counters.get(piece, 0) - n
        if left < 0:
            return False
        self._set_counters(piece, left)
        self.log.append(("counters", piece, -n, left))
        return True

    def transfer(self, source: Piece, target: Piece, n: int) -> None:
        """Move counters from one minion to another."""
        self._set_counters(source, self.counters.get(source, 0) - n)
        self._set_counters(target, self.counters.get(target, 0) + n)
        self.log.append(("transfer", source, target, n))

    def _set_counters(self, piece: Piece, n: int) -> None:
        if n:
            self.counters[piece] = n
        else:
            self.counters.pop(piece, None)
        self.changed(piece)

    def strengthen(self, minion: Piece, n: int) -> None:
        """Give a minion power until the end of the turn, if it is still in play."""
        if n and minion in self.where:
            self.strengths[minion] = self.strengths.get(minion, 0) + n
            self.changed(minion)
            self.log.append(("power", minion, n))

    def set_breakpoint(self, base: int, n: int) -> None:
        """Change a breakpoint until the end of the turn."""
        self.breakpoints[base] = n
        self.shown[base] = None
        self.log.append(("breakpoint", base, n))

    def move(self, seat: int, minion: Piece, base: int) -> None:
        """Move a minion by a card or choice of this seat, with all that it carries."""
        if self.warded(minion, seat):
            self.log.append(("unaffected", minion))
            return
        here = self.where[minion]
        self.minions_at[here] = tuple(m for m in self.minions_at[here] if m != minion)
        self.minions_at[base] += (minion,)
        self.where[minion] = base
        self.shown[here] = self.shown[base] = None
        self.log.append(("move", minion, here, base))

    # Cards entering and leaving play.

    def enter(self, seat: int, card: int, base: int) -> Piece:
        """Put a minion down at a base; its piece."""
        self.serials += 1
        piece = make_piece(self.serials, card, seat)
        self.where[piece] = base
        self.minions_at[base] += (piece,)
        self.played[piece] = base
        self.played_at |= {base}
        self.changed(piece)
        self.log.append(("enter", piece, base))
        return piece

    def attach_to_base(self, seat: int, card: int, base: int) -> None:
        """Put an action down on a base."""
        self.serials += 1
        piece = make_piece(self.serials, card, seat)
        self.where[piece] = base
        self.actions_at[base] += (piece,)
        self.changed(piece)
        self.log.append(("attach", piece, base))

    def attach_to_minion(self, seat: int, card: int, host: Piece) -> None:
        """Put an action down on a minion."""
        self.serials += 1
        piece = make_piece(self.serials, card, seat)
        self.host[piece] = host
        self.attached[host] = (*self.attached.get(host, ()), piece)
        self.changed(piece)
        self.log.append(("attach-to", piece, host))

    def leave(self, piece: Piece) -> None:
        """Take a minion or an action attached to a base out of play; what is on it goes to its owners' piles (R-32)."""
        self.changed(piece)
        base = self.where.pop(piece)
        at = self.minions_at if IS_MINION[piece >> 2 & 1023] else self.actions_at
        at[base] = tuple(p for p in at[base] if p != piece)
        for by_piece in (self.counters, self.strengths, self.used, self.played):
            by_piece.pop(piece, None)
        for action in self.attached.pop(piece, ()):
            del self.host[action]
            self.used.pop(action, None)
            self.discards[action & 3] += (action >> 2 & 1023,)

    def discard(self, seat: int, card: int) -> None:
        """Put a card on its owner's discard pile."""
        self.discards[seat] += (card,)

    # Hands and decks.

    def draw(self, seat: int, n: int) -> None:
        """Have a seat draw cards next."""
        if n:
            self.stack.append(Frame("draw", 0, seat, n))

    def gain_hand_card(self, seat: int, card: int) -> None:
        """Put a card into a hand."""
        self.hands[seat] = tuple(sorted((*self.hands[seat], card)))

    def lose_hand_card(self, seat: int, card: int) -> None:
        """Take a card out of a hand, before everybody's eyes."""
        self.hands[seat] = without(self.hands[seat], card)
        if card in self.known[seat]:
            self.known[seat] = without(self.known[seat], card)
        elif card in self.either[seat]:
            self.either[seat] = without(self.either[seat], card)
        if IS_MINION[card]:
            self.holds_minion[seat] = False

    def discard_from_hand(self, seat: int, card: int) -> None:
        """Discard a card from hand, shown."""
        self.lose_hand_card(seat, card)
        self.discard(seat, card)
        self.log.append(("discard", seat, card))

    def put_under(self, seat: int, card: int) -> None:
        """Put a card from hand under the deck, unseen: what was known of the hand is now in either place."""
        self.hands[seat] = without(self.hands[seat], card)
        self.under[seat] += (card,)
        self.either[seat] = tuple(sorted(self.either[seat] + self.known[seat]))
        self.known[seat] = ()
        self.log.append(("under", seat, card))

    # Turns, playing and destroying.

    def use_talent(self, piece: Piece, second_at: int) -> None:
        """Spend the talent of a card this turn, the second time by the grace of a base if that is not -1."""
        if second_at >= 0:
            self.used[-1 - second_at] = 1
        self.used[piece] = self.used.get(piece, 0) + 1
        self.changed(piece)
        self.log.append(("talent", self.current, piece))

    def end_turn(self) -> None:
        """Forget what lasts until the end of the turn (R-17)."""
        for piece in (*self.strengths, *self.used, *self.played):
            if piece >= 0:
                self.changed(piece)
            else:
                self.shown[-1 - piece] = None
        for base in (*self.breakpoints, *self.played_at):
            self.shown[base] = None
        self.strengths, self.used, self.played, self.breakpoints = {}, {}, {}, {}
        self.played_at = frozenset()

    def note(self, value: int) -> None:
        """Remember a value as a pick of the effect in progress."""
        f = self.stack[-1]
        self.stack[-1] = f.picking(*f.picks, value)

    def play_from_hand(self, seat: int, card: int) -> None:
        """Take a card out of the hand to play it."""
        self.lose_hand_card(seat, card)
        self.log.append(("play", seat, card))

    def play_from_discard(self, seat: int, card: int) -> None:
        """Take a card out of its owner's discard pile to play it."""
        self.discards[seat] = without(self.discards[seat], card)
        self.log.append(("play-from-discard", seat, card))

    def play_extra_minion(self, seat: int, card: int) -> None:
        """Have a minion played next, completely (R-02); the effect in progress notes the piece that it becomes."""
        self.note(make_piece(self.serials + 1, card, seat))
        self.stack.append(Frame("enter", 0, seat, card))

    def extra_minion(self) -> None:
        """Let the current player play another minion this turn (R-16)."""
        self.minion_plays += 1
        self.log.append(("extra", self.current, "minion"))

    def extra_action(self) -> None:
        """Let the current player play another action this turn (R-16)."""
        self.action_plays += 1
        self.log.append(("extra", self.current, "action"))

    def destroy(self, seat: int, minions: Sequence[Piece]) -> None:
        """Have minions destroyed together next, by a card of this seat (R-08, R-10)."""
        if minions:
            self.stack.append(Frame("destroy", 0, seat, 0, tuple(minions)))


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    """The cards less one of this number. Raises ValueError if there is none."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def new_state(seats: int) -> State:
    """The state before anything happened."""
    s = State()
    nobody: tuple[tuple[int, ...], ...] = ((),) * seats
    s.seats = seats
    s.factions = list(nobody)
    s.first, s.turn, s.current = -1, 0, 0
    s.vp = [0] * seats
    s.minion_plays = s.action_plays = 0
    s.hands, s.rest, s.under, s.discards, s.known, s.either = (list(nobody) for _ in range(6))
    s.holds_minion = [False] * seats
    s.bases, s.base_deck, s.out_bases = [], tuple(range(len(BASES))), ()
    s.serials = 0
    s.where, s.host, s.attached, s.counters = {}, {}, {}, {}
    s.minions_at = [()] * len(BASES)
    s.actions_at = [()] * len(BASES)
    s.strengths, s.used, s.played, s.breakpoints = {}, {}, {}, {}
    s.played_at = frozenset()
    s.scoring, s.winners, s.deaths = -1, (), []
    s.shown = [None] * len(BASES)
    s.rows = [None] * seats
    s.stack, s.asked, s.options, s.over, s.log = [], NOBODY, (), "", []
    return s
