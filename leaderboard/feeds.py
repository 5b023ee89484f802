"""The site for machines: JSON, JSON lines, the data of the matrix, and what the Atom feed says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

import msgspec

from leaderboard.model import Bot, Competition, Match, Site
from leaderboard.names import shown, slug
from leaderboard.stats import Share, sitting_share
from leaderboard.text import named_plainly
from leaderboard.views import Views, match_path, replay_path

FORMAT: Final = 1
"""The version of leaderboard.json and matches.jsonl; fields may be added within one."""
ENTRIES: Final = 50


def leaderboard(views: Views) -> bytes:
    """leaderboard.json: the table with all its numbers, and the ranks that its movements compare with."""
    site = views.site
    table = {
        "format": FORMAT,
        "snapshot": site.snapshot,
        "made": _moment(site.made),
        "competition": site.competition.name,
        "game": {"name": site.game.name, "version": site.game.version, "players": site.game.players},
        "matches": len(site.matches),
        "pending": site.pending,
        "bots": [_bot(views, bot) for bot in site.bots],
    }
    return msgspec.json.format(msgspec.json.encode(table), indent=1) + b"\n"


def _bot(views: Views, bot: Bot) -> dict[str, Any]:
    record, now = views.standing(bot), bot.current
    return {
        "rank": bot.rank,
        "previous_rank": views.before.get(bot.name),
        "bot": bot.name,
        "author": bot.author,
        "language": now.language,
        "version": now.number,
        "digest": now.digest,
        "mu": now.rating and now.rating.mu,
        "sigma": now.rating and now.rating.sigma,
        "conservative": now.rating and now.rating.conservative,
        "matches": record.matches,
        "places": {str(place): record.places[place] for place in sorted(record.places)},
        "mean_rank": round(record.mean_rank, 4) if record.matches else None,
        "points": _share(record.share),
        "faults": dict(sorted(record.faults.items())),
        "page": f"bots/{slug(bot.name)}.html",
    }


def _share(share: Share) -> dict[str, float]:
    low, high = round(share.low, 4), round(share.high, 4)
    return {"taken": share.points, "played": share.played, "low": low, "high": high}


def matches(site: Site) -> Iterator[bytes]:
    """matches.jsonl: a line a match, in pairing order."""
    for match in site.matches:
        yield msgspec.json.encode(_match(match)) + b"\n"


def _match(match: Match) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "match": match.id,
        "group": match.group,
        "round": match.round,
        "played": _moment(match.played),
        "ending": match.ending,
        "reason": named_plainly(match.reason, [seat.bot for seat in match.seats]),
        "seats": [seat._asdict() for seat in match.seats],
        "faults": [fault._asdict() for fault in match.faults],
        "steps": match.steps,
        "seed": match.seed,
        "game_version": match.game_version,
        "game_digest": match.game_digest,
        "tally": dict(match.tally),
        "page": match_path(match),
        "replay": match.replay and {"path": replay_path(match), "sha256": match.replay.digest},
    }


def snapshot(site: Site) -> bytes:
    """data/snapshot.js: what every page says of the snapshot, in one place, so that old pages need no rewriting."""
    said = {"snapshot": site.snapshot, "made": site.made.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")}
    return _script("botpitSnapshot", said)


def pairs(views: Views) -> bytes:
    """data/pairs.js: every pair that met once, as [row, column, share, low, high, meetings], shares in per mille.

    `now` has the same of the versions that play now, where bots have several.
    """
    bots = views.site.bots
    index = {bot.name: n for n, bot in enumerate(bots)}

    def cells(found: Mapping[tuple[str, str], Share]) -> list[list[int]]:
        return sorted(
            [index[a], index[b], *(round(1000 * x) for x in (s.value, s.low, s.high)), s.played]
            for (a, b), s in found.items()
            if a in index and b in index and index[a] < index[b]
        )

    rows = [[b.rank, shown(b.name), slug(b.name), shown(b.author), shown(b.current.language)] for b in bots]
    now = {"now": cells(views.pairs_now)} if views.versioned else {}
    return _script("botpitPairs", {"bots": rows, "pairs": cells(views.folded.pairs), **now})


def _script(name: str, value: Any) -> bytes:
    """A script that sets one global; pages opened from disk may load a script, but not fetch JSON."""
    return b"window." + name.encode() + b"=" + msgspec.json.encode(value).replace(b"</", b"<\\/") + b";\n"


def atom(site: Site) -> dict[str, Any]:
    """What the feed says: its id, when it last changed, an entry for each of the last finished rounds."""
    best = _best_of_rounds(site)
    done = [r for r in site.rounds if r.finished is not None][-ENTRIES:]
    feed_id = _feed_id(site.competition)
    entries = [
        {
            "id": feed_id(f"#round-{r.number}"),
            "number": r.number,
            "finished": _moment(r.finished),
            "text": f"{r.recorded} of {r.planned} matches were recorded. {best.get(r.number, '')}".strip(),
        }
        for r in reversed(done)
        if r.finished is not None
    ]
    updated = entries[0]["finished"] if entries else _moment(site.made)
    return {"feed_id": feed_id(""), "updated": updated, "entries": entries}


def _feed_id(competition: Competition) -> Callable[[str], str]:
    """Makes the ids of the feed and its entries: of the site's address, or else of the competition's name."""
    if competition.address:
        return lambda part: f"{competition.address}/feed.xml{part}"
    return lambda part: uuid5(NAMESPACE_URL, f"botpit:{competition.name}{part}").urn


def _best_of_rounds(site: Site) -> dict[int, str]:
    """Who took the largest share of points in each round; it never changes once the round is finished."""
    points: defaultdict[int, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for match in site.matches:
        for number, seat in enumerate(match.seats):
            points[match.round][seat.bot].append(sitting_share(match, number))
    told = {}
    for number, bots in points.items():
        shares = sorted(((-sum(taken) / len(taken), name) for name, taken in bots.items()), key=lambda s: (s[0], s[1]))
        top = [f"{shown(name, 40)} {-share:.0%}" for share, name in shares[:3]]
        told[number] = f"Most points: {', '.join(top)}."
    return told


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
