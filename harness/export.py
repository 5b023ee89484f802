"""What the store remembers as the values that the site shows, and the step that publishes them.

Everything on the site comes from the same rows: those of deal groups that are recorded whole. A match of an open
group is counted as still to come, and neither its result nor the ratings that it would change can be seen.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from harness import config as settings
from harness import documentation, ratings, viewing
from harness.config import Config
from harness.errors import Refusal
from harness.model import MatchRow, SeatRow, Snapshot, Status, Submission
from harness.schedule import round_robin
from harness.store import Store
from leaderboard import model as page
from leaderboard import publish as publishing
from leaderboard.publish import Published
from leaderboard.render import Unwatchable
from referee import games
from referee.game import Game, GameError
from referee.replay import ReplayError


def publish(folder: Path, out: Path) -> Published:
    """Put the site of the competition in `folder` into `out`. Raises Refusal; what stood in `out` then stays."""
    config = settings.read(folder)
    store = Store.open(config.database_url)
    try:
        snapshot = store.snapshot(datetime.now(UTC).isoformat(timespec="seconds"))
    finally:
        store.close()
    whole = site(config, snapshot, documentation.read())
    newest = sorted(whole.matches, key=lambda match: match.played)[max(0, len(whole.matches) - config.watchable) :]
    try:
        return publishing.publish(whole, out, _Pages(match.id for match in newest))
    except publishing.PublishError as error:
        raise Refusal(str(error)) from error


class _Pages(viewing.Pages):
    """The viewer's pages; a replay that is damaged, or of rules that we no longer have, must not keep the site back."""

    def page(self, match: page.Match) -> bytes:
        try:
            return super().page(match)
        except (ReplayError, GameError, OSError) as error:
            raise Unwatchable(str(error)) from error


def site(config: Config, snapshot: Snapshot, docs: Mapping[str, str]) -> page.Site:
    """The site of a competition; `docs` holds the Markdown of `docs/` by path, such as `rules/sbam.md`."""
    rows = tuple(row for row in snapshot.matches if row.group_complete)
    rounds = _rounds(config, snapshot, rows)
    digests = {submission.number: submission.digest for submission in snapshot.submissions}
    return page.Site(
        snapshot=_identity(rows, snapshot.submissions),
        made=_moment(max((row.played_at for row in rows), default=_newest(snapshot))),
        competition=_competition(config),
        game=_game(config, docs),
        bots=_bots(rows, snapshot),
        matches=tuple(_match(config, row, digests) for row in rows),
        rounds=rounds,
        pending=sum(entry.planned - entry.recorded for entry in rounds),
        documents=_documents(docs, config.game),
        isolations=tuple(Counter(row.isolation for row in rows).items()),
    )


def _identity(rows: Sequence[MatchRow], submissions: Sequence[Submission]) -> str:
    """A name for these records: the same records have the same one, on any machine."""
    told: list[Any] = [
        [row.match, row.replay_digest, row.ending, row.played_at, [(seat.rank, seat.score) for seat in row.seats]]
        for row in rows
    ]
    told += [[s.number, s.name, s.version, s.digest, s.status.value] for s in submissions]
    return sha256(json.dumps(told).encode()).hexdigest()[:12]


def _newest(snapshot: Snapshot) -> str:
    return max((submission.received_at for submission in snapshot.submissions), default=snapshot.taken_at)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _competition(config: Config) -> page.Competition:
    limits, caps = config.limits, config.caps
    resources = (
        ("memory", f"{caps.memory_bytes >> 20} MiB"),
        ("processes and threads", str(caps.processes)),
        ("open files", str(caps.files)),
        ("temporary files", f"{caps.scratch_bytes >> 20} MiB"),
        ("cores", f"{caps.cores:g}"),
        ("sandbox", config.sandbox),
    )
    return page.Competition(
        name=config.title or games.load(config.game).title,
        about=config.about,
        organiser=config.organiser,
        contact=config.contact,
        address=config.address.rstrip("/"),
        limits=page.Limits(limits.start_ms, limits.move_ms, limits.bank_ms, limits.strikes, config.policy, resources),
        logs=(
            "What your bot wrote to standard error lies with the organiser, in logs/ by match and seat; ask for your "
            "own. From a replay, `harness replay feed FILE --seat N -- COMMAND` gives your bot exactly what that seat "
            "was sent."
        ),
    )


def _game(config: Config, docs: Mapping[str, str]) -> page.Game:
    game: Game[Any, Any] = games.create(config.game, config.options)
    return page.Game(
        name=game.name,
        title=game.title,
        version=game.version,
        players=config.players,
        rules=docs.get(f"rules/{game.name}.md", ""),
        notices=game.notices,
        options=tuple((name, _said(value)) for name, value in game.options.items()),
        digest=games.digest(game.name),
    )


def _said(value: bool | int | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _documents(docs: Mapping[str, str], game: str) -> tuple[page.Document, ...]:
    """The pages that an author of a bot for this game reads."""
    wanted = ("write-a-bot.md", "protocol.md", f"games/{game}.md")
    return tuple(page.Document(name, _title(docs[name], name), docs[name]) for name in wanted if name in docs)


def _title(text: str, name: str) -> str:
    first = text.lstrip().partition("\n")[0]
    return first.removeprefix("# ") if first.startswith("# ") else name.removesuffix(".md")


def _bots(rows: Sequence[MatchRow], snapshot: Snapshot) -> tuple[page.Bot, ...]:
    """Every bot with an accepted version: those in the table by rank, then those that play no more."""
    tallies = ratings.fold(rows)
    places = {row.match: number for number, row in enumerate(rows, 1)}
    versions: dict[str, list[page.Version]] = defaultdict(list)
    authors: dict[str, str] = {}
    entrants = {submission.number for submission in snapshot.entrants}
    for submission in snapshot.submissions:
        tally = tallies.get(submission.number)
        if submission.status is not Status.ACCEPTED and tally is None:
            continue
        authors[submission.name] = submission.author
        versions[submission.name].append(
            page.Version(
                submission.version,
                submission.digest,
                submission.language,
                "plays" if submission.number in entrants else "replaced",
                _moment(submission.received_at),
                page.Rating(tally.rating.mu, tally.rating.sigma) if tally else None,
                tuple(page.Moment(places[m], mu, sigma) for m, mu, sigma in tally.history) if tally else (),
            )
        )
    ranks = {line.submission.name: line.rank for line in ratings.table(rows, snapshot.entrants) if line.matches}
    order = sorted(versions, key=lambda name: (ranks.get(name, len(versions) + 1), versions[name][0].number, name))
    return tuple(page.Bot(name, authors[name], tuple(versions[name]), ranks.get(name)) for name in order)


def _match(config: Config, row: MatchRow, digests: Mapping[int, str]) -> page.Match:
    faults = sorted((fault.step, fault.seat, fault.kind, fault.message) for seat in row.seats for fault in seat.faults)
    return page.Match(
        id=row.match,
        group=row.group,
        round=row.round,
        played=_moment(row.played_at),
        ending=row.ending,
        reason=row.reason,
        seats=tuple(_seat(seat, digests) for seat in row.seats),
        faults=tuple(page.Fault(seat, step, kind, message) for step, seat, kind, message in faults),
        steps=row.steps,
        seed=str(row.seed),
        game_version=row.game_version,
        game_digest=row.game_digest,
        tally=tuple(row.tally.items()),
        replay=_replay(config.folder / row.replay, row.replay_digest) if row.replay else None,
    )


def _seat(seat: SeatRow, digests: Mapping[int, str]) -> page.Seat:
    digest = digests[seat.submission]
    return page.Seat(seat.bot, seat.version, digest, seat.rank, seat.score, seat.think_ms, seat.decisions)


def _replay(path: Path, digest: str) -> page.Replay | None:
    """The replay to offer; None when its file is gone, for a page without it is better than no site."""
    try:
        return page.Replay(path, digest, path.stat().st_size)
    except OSError:
        return None


def _rounds(config: Config, snapshot: Snapshot, rows: Sequence[MatchRow]) -> tuple[page.Round, ...]:
    """Each round with the matches that it has and will have, as far as today's entrants tell."""
    entrants = {submission.number for submission in snapshot.entrants}
    whole = round_robin.size(len(entrants), config.players)
    recorded: defaultdict[int, int] = defaultdict(int)
    of_entrants: defaultdict[int, int] = defaultdict(int)
    last: dict[int, str] = {}
    for row in rows:
        recorded[row.round] += 1
        of_entrants[row.round] += all(seat.submission in entrants for seat in row.seats)
        last[row.round] = max(last.get(row.round, ""), row.played_at)
    made = []
    for number in range(1, max(config.rounds, *recorded, 1) + 1):
        left = max(0, whole - of_entrants[number])
        finished = _moment(last[number]) if recorded[number] and not left else None
        made.append(page.Round(number, recorded[number] + left, recorded[number], finished))
    return tuple(made)
