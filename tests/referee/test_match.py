"""Whole matches between scripted bots on a fixed clock: what is judged how, and when."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any

import pytest

from referee.match import play
from referee.rebuild import feed, verify
from referee.replay import Writer, read
from referee.result import Ending, Entrant, FaultKind, Limits, MatchResult, MatchSpec, Policy
from tests.doubles import MS, Answerer, CountingGame, ExitDouble, FixedClock, Heap, Pick, ScriptedChannels, Timed

Asked = Callable[[dict[str, Any]], Sequence[Timed]]


def spec_of(seats: int, limits: Limits | None = None, policy: Policy = Policy.STRIKES) -> MatchSpec:
    names = ("red", "blue", "green", "grey", "gold")[:seats]
    entrants = tuple(Entrant(name) for name in names)
    return MatchSpec("m1", "g1", "counting", {}, entrants, 2**127 + 5, limits or Limits(), policy)


def bot(decide: Asked, start: Sequence[Timed] = ((1, b'{"type":"ready"}\n'),)) -> Answerer:
    """A scripted bot that greets and then does what `decide` says on each request."""

    def answer(_number: int, line: bytes) -> Sequence[Timed]:
        message = json.loads(line)
        if message["type"] == "start":
            return start
        return decide(message) if message["type"] == "decide" else ()

    return answer


def spell(message: Mapping[str, Any], choice: object = 1) -> bytes:
    return json.dumps({"type": "choice", "id": message["id"], "choice": choice}).encode() + b"\n"


quick = bot(lambda message: [(1.5, spell(message, len(message["legal"]) - 1))])
silent = bot(lambda _message: ())


def on_call(*acts: Asked) -> Asked:
    """Does the first on the first decision, and so on; the last for all that follow."""
    calls = iter(acts[:-1])
    return lambda message: next(calls, acts[-1])(message)


def after(ms: float, choice: object = 1) -> Asked:
    return lambda message: [(ms, spell(message, choice))]


def saying(data: bytes, ms: float = 1) -> Asked:
    return lambda _message: [(ms, data)]


class Played:
    """A match of the counting game without chance, and all that was sent."""

    def __init__(
        self,
        *bots: Answerer,
        rounds: int = 6,
        limits: Limits | None = None,
        policy: Policy = Policy.STRIKES,
        together: bool = False,
        exits: Mapping[int, ExitDouble] | None = None,
        cpu_s: Mapping[int, float] | None = None,
        prepare: Callable[[ScriptedChannels], None] = lambda _channels: None,
        folder: Path | None = None,
        cores: float = 1.0,
    ) -> None:
        clock = FixedClock()
        self.channels = ScriptedChannels(clock, bots, exits, cpu_s)
        prepare(self.channels)
        self.game = CountingGame(rounds=rounds, together=together, chance=False)
        self.path = None if folder is None else folder / "m1.jsonl.gz"
        writer = None if self.path is None else Writer(self.path, "test")
        self.record = play(
            spec_of(len(bots), limits, policy), self.game, self.channels, writer, clock=clock, cores=cores
        )
        self.result: MatchResult = self.record.result

    def kinds(self, seat: int = 0) -> list[str]:
        return [fault.kind.value for fault in self.result.faults if fault.seat == seat]

    def messages(self, seat: int, kind: str) -> list[dict[str, Any]]:
        return [row for line in self.channels.sent[seat] if (row := json.loads(line))["type"] == kind]


def test_all_requests_of_a_moment_are_written_before_any_answer_is_read() -> None:
    played = Played(quick, quick, quick, rounds=2, together=True)
    assert played.channels.log[:12] == [*("send 0", "send 1", "send 2", "read 0", "read 1", "read 2")] * 2
    result = played.result
    assert (result.ending, result.ranks, result.scores) == (Ending.FINISHED, (1, 1, 1), (6.0, 6.0, 6.0))
    assert (result.decisions, result.think_ms) == ((2, 2, 2), (3.0, 3.0, 3.0))


TIMES = [
    # bank, after ms, judged, bank that is left
    (0, 99, None, 0),
    (0, 100, None, 0),
    (0, 101, "timeout", 0),
    (50, 100, None, 50),
    (50, 101, None, 49),
    (50, 149, None, 1),
    (50, 150, None, 0),
    (50, 151, "timeout", 0),
]


@pytest.mark.parametrize(("bank_ms", "after_ms", "judged", "left"), TIMES)
def test_a_decision_may_take_its_allowance_and_the_bank_to_the_millisecond(
    bank_ms: int, after_ms: float, judged: str | None, left: int
) -> None:
    """A17, A19, A21."""
    limits = Limits(move_ms=100, bank_ms=bank_ms)
    played = Played(bot(on_call(after(after_ms), after(1))), quick, limits=limits)
    assert played.kinds() == ([judged] if judged else [])
    asked = played.messages(0, "decide")
    assert [row["bank_ms"] for row in asked[:2]] == [bank_ms, left]
    assert asked[0]["time_ms"] == 100
    assert [row["last_ms"] for row in asked[:2]] == [None, None if judged else after_ms]


def test_deadlines_are_exact_to_the_microsecond() -> None:
    limits = Limits(move_ms=100, bank_ms=0)
    assert Played(bot(after(100.0)), quick, limits=limits).kinds() == []
    assert Played(bot(on_call(after(100.001), after(1))), quick, limits=limits).kinds() == ["timeout"]


def test_the_bank_is_spent_over_the_match_and_never_negative() -> None:
    """A19."""
    played = Played(bot(after(130)), quick, rounds=12, limits=Limits(move_ms=100, bank_ms=100))
    banks = [row["bank_ms"] for row in played.messages(0, "decide")]
    assert banks == [100, 70, 40, 10, 0, 0]
    assert played.kinds() == ["timeout"] * 3


def test_a_timeout_says_limit_measured_time_and_bank() -> None:
    """A33."""
    played = Played(silent, quick, limits=Limits(move_ms=100, bank_ms=40))
    assert [fault.message for fault in played.result.faults] == [
        "bot red: no answer after 140.000 ms; the limit is 100.000 ms a move; bank 40.000 ms before, 0.000 ms after",
        "bot red: no answer after 100.000 ms; the limit is 100.000 ms a move; bank 0.000 ms before, 0.000 ms after",
        "bot red: no answer after 100.000 ms; the limit is 100.000 ms a move; bank 0.000 ms before, 0.000 ms after",
    ]
    assert played.result.reason == "bot red is out (timeout); bot blue wins"


def test_a_late_answer_is_dropped_and_the_next_is_judged_alone() -> None:
    """A18."""
    late = bot(on_call(after(105), lambda message: [(20, spell(message, 3))]))
    played = Played(late, quick, limits=Limits(move_ms=100, bank_ms=0), rounds=4)
    assert played.kinds() == ["timeout"]
    assert played.result.scores[0] == 3.0


def test_a_second_late_line_of_one_decision_is_malformed() -> None:
    twice = bot(on_call(lambda message: [(105, spell(message)), (106, spell(message))], after(20)))
    assert Played(twice, quick, limits=Limits(move_ms=100, bank_ms=0), rounds=6).kinds() == ["timeout", "malformed"]


def test_a_surplus_line_is_never_the_next_answer() -> None:
    def double(message: Mapping[str, Any]) -> Sequence[Timed]:
        return [(1, spell(message, 1) + spell(message, 2))]

    played = Played(bot(on_call(double, after(1, 3))), quick, rounds=6)
    assert played.kinds() == ["malformed"]
    # the first answer, the fallback after the surplus line, the third answer
    assert played.result.scores[0] == 1.0 + 0.0 + 3.0


def test_a_surplus_line_after_the_last_decision_is_judged_at_the_end() -> None:
    def double(message: Mapping[str, Any]) -> Sequence[Timed]:
        return [(1, spell(message, 1) + b"and one more\n")]

    played = Played(bot(on_call(after(1), double)), quick, rounds=4)
    assert [(fault.kind, fault.step) for fault in played.result.faults] == [(FaultKind.MALFORMED, 4)]
    assert played.result.ending is Ending.FINISHED
    assert played.messages(0, "end")[0]["faults"] == [["malformed"], []]


def test_an_answer_before_the_end_of_output_counts() -> None:
    played = Played(
        bot(on_call(lambda message: [(1, spell(message, 2)), (1, b"")], after(1))),
        quick,
        exits={0: ExitDouble(code=3)},
        rounds=4,
    )
    assert played.kinds() == ["crash"]
    assert played.result.scores[0] == 2.0
    fault = played.result.faults[0]
    assert (fault.step, fault.exit_code, fault.message) == (
        2,
        3,
        "bot red: it exited with code 3 before the end of the match",
    )


ENDS = [
    (ExitDouble(code=0), "left"),
    (None, "left"),
    (ExitDouble(code=1), "crash"),
    (ExitDouble(signal=11), "crash"),
    (ExitDouble(signal=9, out_of_memory=True), "memory"),
    (ExitDouble(code=127), "crash"),
]


@pytest.mark.parametrize(("exit_", "kind"), ENDS)
def test_the_end_of_a_bot_is_judged_by_its_exit(exit_: ExitDouble | None, kind: str) -> None:
    exits = {} if exit_ is None else {0: exit_}
    played = Played(bot(lambda _message: [(1, b"")]), quick, exits=exits)
    assert played.kinds() == [kind]
    assert (played.result.ending, played.result.ranks) == (Ending.FORFEIT, (2, 1))
    assert 0 in played.channels.ended


def test_who_closes_its_input_has_left() -> None:
    def close(channels: ScriptedChannels) -> None:
        channels.deaf_after = {0: 2}

    played = Played(bot(after(1)), quick, prepare=close)
    assert played.kinds() == ["left"]


def test_who_does_not_read_times_out_and_is_not_charged() -> None:
    def stick(channels: ScriptedChannels) -> None:
        channels.stuck_after = {0: 1}

    played = Played(bot(after(1)), quick, prepare=stick, limits=Limits(move_ms=100, bank_ms=50))
    assert played.kinds() == ["timeout"] * 3
    assert "it did not read its input" in played.result.faults[0].message
    assert "bank 50.000 ms before, 50.000 ms after" in played.result.faults[0].message


def test_start_up_has_its_own_limit() -> None:
    limits = Limits(start_ms=500, move_ms=100, bank_ms=0)
    assert Played(bot(after(1), [(500, b'{"type":"ready"}\n')]), quick, limits=limits).kinds() == []
    played = Played(bot(after(1), [(500.1, b'{"type":"ready"}\n')]), quick, limits=limits)
    assert played.kinds() == ["startup"]
    assert (played.result.ranks, played.result.steps) == ((2, 1), 0)
    assert played.result.faults[0].step == -1


def test_a_malformed_greeting_is_a_strike_and_the_start_clock_runs_on() -> None:
    """A35."""
    noisy = bot(after(1), [(1, b"Traceback (most recent call last):\n"), (2, b'{"type":"ready","name":"x"}\n')])
    played = Played(noisy, quick)
    assert played.kinds() == ["malformed"]
    assert "'Traceback (most recent call last):'" in played.result.faults[0].message
    assert played.record.seats[0].name == "x"
    assert played.messages(0, "fault") == [
        {"type": "fault", "id": 0, "kind": "malformed", "message": played.result.faults[0].message}
        | {"strikes": 1, "limit": 3}
    ]
    too_late = bot(after(1), [(1, b"hello\n"), (10_001, b'{"type":"ready"}\n')])
    assert Played(too_late, quick).kinds() == ["malformed", "startup"]


ILLEGAL = [True, 1.0, "0", None, [0], {"a": 1}, -1, 4, 2**53]


@pytest.mark.parametrize("choice", ILLEGAL)
def test_a_choice_that_is_no_index_is_illegal(choice: object) -> None:
    played = Played(bot(on_call(after(1, choice), after(1, 3))), quick, rounds=4)
    assert played.kinds() == ["illegal"]
    assert played.result.scores[0] == 3.0
    assert json.loads(played.result.faults[0].request)["type"] == "decide"  # A46


def test_strikes_put_a_seat_out_and_the_other_of_two_wins_at_once() -> None:
    played = Played(bot(saying(b"what?\n")), quick, rounds=12)
    assert played.kinds() == ["malformed"] * 3
    result = played.result
    assert (result.ending, result.ranks) == (Ending.FORFEIT, (2, 1))
    assert result.steps == 4  # red, blue, red, blue; the third fault of red ends it
    assert result.scores == (0.0, 6.0)
    assert [row["strikes"] for row in played.messages(0, "fault")] == [1, 2, 3]
    assert played.messages(0, "end") == []
    assert played.messages(1, "end")[0]["ranks"] == [2, 1]


def test_in_a_larger_game_the_fallback_plays_on_and_scores_rank_those_still_in() -> None:
    played = Played(bot(saying(b"what?\n")), quick, bot(after(1, 1)), rounds=15)
    result = played.result
    assert (result.ending, result.ranks, result.scores) == (Ending.FINISHED, (3, 1, 2), (0.0, 15.0, 5.0))
    assert result.decisions == (3, 5, 5)


def test_seats_that_are_out_share_the_place_after_those_still_in() -> None:
    crash = bot(lambda _message: [(1, b"")])
    played = Played(quick, crash, crash, quick, rounds=8)
    assert played.result.ranks == (1, 3, 3, 1)
    everybody = Played(crash, crash, crash, together=True, rounds=8)
    assert (everybody.result.ending, everybody.result.ranks) == (Ending.FORFEIT, (1, 1, 1))
    assert everybody.result.reason.endswith("nobody is left")


def test_faults_of_one_moment_are_judged_together() -> None:
    crash = bot(lambda _message: [(1, b"")])
    played = Played(crash, crash, together=True)
    assert [(fault.seat, fault.kind) for fault in played.result.faults] == [(0, "left"), (1, "left")]
    assert played.result.ranks == (1, 1)


def test_policies() -> None:
    wrong = bot(saying(b"what?\n"))
    strict = Played(wrong, quick, policy=Policy.STRICT)
    assert (strict.kinds(), strict.messages(0, "start")[0]["limits"]["strikes"]) == (["malformed"], 1)
    lenient = Played(wrong, quick, policy=Policy.LENIENT, rounds=40)
    assert (len(lenient.kinds()), lenient.result.ending) == (20, Ending.FINISHED)
    assert lenient.messages(0, "start")[0]["limits"]["strikes"] == 0


def test_a_flood_is_judged_at_once_though_another_is_thinking() -> None:
    flooder = bot(lambda message: [(1, spell(message)), (50, b"x" * 70_000)])
    played = Played(flooder, bot(after(900)), rounds=4)
    assert played.kinds() == ["flood"]
    assert played.kinds(1) == []
    assert played.channels.clock.at < 1_900 * MS
    assert played.result.faults[0].answer == ""


def test_a_flood_that_is_an_answer_is_out() -> None:
    played = Played(quick, bot(saying(b"x" * 65_537)), quick, together=True, rounds=2)
    assert (played.kinds(1), played.result.ranks) == (["flood"], (1, 3, 1))


def test_cpu_beyond_open_time_is_out() -> None:
    """The clock runs 600 ms a decision, so the CPU is looked at; 1 s is free."""
    slow = bot(after(600))
    within = Played(slow, slow, cpu_s={0: 1.0 + 0.0001}, rounds=2)
    assert within.kinds() == []
    beyond = Played(slow, slow, cpu_s={0: 9.0}, rounds=6)
    assert beyond.kinds() == ["cpu"]
    assert "9.0 s of CPU" in beyond.result.faults[0].message
    assert Played(slow, slow, cpu_s={0: 9.0}, rounds=6, cores=inf).kinds() == [], "idle = free"


def test_one_legal_action_is_not_asked() -> None:
    class Forced(CountingGame):
        def legal(self, state: Heap, seat: int) -> Sequence[Pick]:
            return super().legal(state, seat)[:1] if state.round % 2 == 0 else super().legal(state, seat)

    clock = FixedClock()
    channels = ScriptedChannels(clock, [quick, quick])
    result = play(spec_of(2), Forced(rounds=4, chance=False), channels, clock=clock).result
    assert result.decisions == (0, 2)
    # blue reads of red's forced act in its events
    assert json.loads(channels.sent[1][1])["events"] == [{"type": "took", "seat": 0, "count": 0}]


def test_idle_bots_may_be_frozen() -> None:
    """A22: each runs from its request to the verdict, and all run at the end."""
    clock = FixedClock()
    channels = ScriptedChannels(clock, [quick, quick])
    play(spec_of(2), CountingGame(rounds=2, chance=False), channels, clock=clock, freeze_idle=True)
    assert channels.log[6:] == [
        *("freeze 0", "freeze 1"),
        *("thaw 0", "send 0", "read 0", "freeze 0", "thaw 1", "send 1", "read 1", "freeze 1"),
        *("thaw 0", "thaw 1", "send 0", "send 1", "read 0", "read 1"),
    ]


def test_events_gather_until_the_next_request() -> None:
    played = Played(quick, quick, quick, rounds=6)
    second = played.messages(0, "decide")[1]
    assert [event["seat"] for event in second["events"]] == [0, 1, 2]


def test_ids_rise_and_no_seed_is_sent() -> None:
    """A92."""
    played = Played(quick, quick, rounds=40)
    ids = [row["id"] for row in played.messages(0, "decide")]
    assert ids == sorted(set(ids))
    assert ids != list(range(ids[0], ids[0] + len(ids)))
    sent = b"".join(b"".join(lines) for lines in played.channels.sent)
    assert str(2**127 + 5).encode() not in sent
    seeds = [played.messages(seat, "start")[0]["bot_seed"] for seat in (0, 1)]
    assert seeds[0] != seeds[1]
    assert all(0 <= seed < 2**53 for seed in seeds)


def test_the_step_limit_ends_a_match() -> None:
    class Endless(CountingGame):
        step_limit = 10

    clock = FixedClock()
    channels = ScriptedChannels(clock, [quick, quick])
    result = play(spec_of(2), Endless(rounds=100, chance=False), channels, clock=clock).result
    assert (result.ending, result.steps, result.ranks) == (Ending.STEP_LIMIT, 10, (1, 1))


def test_an_error_of_ours_is_a_void_match_and_leaves_no_replay(tmp_path: Path) -> None:
    class Broken(CountingGame):
        def apply(self, state: Heap, actions: Mapping[int, Pick]) -> Heap:
            raise ZeroDivisionError("a rule went wrong")

    clock = FixedClock()
    channels = ScriptedChannels(clock, [quick, quick])
    writer = Writer(tmp_path / "m.jsonl.gz", "test")
    record = play(spec_of(2), Broken(chance=False), channels, writer, clock=clock)
    assert record.result.ending is Ending.VOID
    assert record.result.reason == "harness: ZeroDivisionError: a rule went wrong"
    assert list(tmp_path.iterdir()) == []
    assert channels.ended == {0, 1}


def test_a_machine_that_is_late_itself_voids_the_match() -> None:
    class Stopped(ScriptedChannels):
        def wait(self, until: int) -> Sequence[Any]:
            if len(self.sent[0]) > 1:
                self.clock.to(until + 5_000 * MS)
                return []
            return super().wait(until)

    clock = FixedClock()
    limits = Limits(move_ms=1, bank_ms=0)
    result = play(spec_of(2, limits), CountingGame(chance=False), Stopped(clock, [silent, silent]), clock=clock).result
    assert (result.ending, result.faults) == (Ending.VOID, ())
    assert "this machine looked at a deadline" in result.reason


def rich_matches(folder: Path) -> list[Played]:
    """Matches with every kind of line: faults of all sorts, late answers, notes, seats that go out."""
    tight = Limits(move_ms=100, bank_ms=60)
    note = bot(lambda message: [(3, spell(message)[:-2] + b', "note": "so"}\n')])
    crash = bot(on_call(after(1), lambda _message: [(1, b"")]))
    folders = [folder / str(number) for number in range(6)]
    for each in folders:
        each.mkdir()
    return [
        Played(
            note,
            bot(on_call(after(130), after(400), saying(b"?\n"), after(1))),
            limits=tight,
            rounds=14,
            folder=folders[0],
        ),
        Played(bot(saying(b"?\n")), note, rounds=12, folder=folders[1]),
        Played(crash, note, quick, together=True, rounds=5, folder=folders[2]),
        Played(bot(after(1), [(1, b"hm\n"), (2, b'{"type":"ready"}\n')]), note, rounds=5, folder=folders[3]),
        Played(bot(after(1), [(20_000, b"")]), note, rounds=5, folder=folders[4]),
        Played(
            crash, bot(lambda message: [(1, spell(message) + b"more\n")]), together=True, rounds=5, folder=folders[5]
        ),
    ]


def test_a_replay_feeds_each_seat_exactly_what_it_was_sent(tmp_path: Path) -> None:
    """A101, A47."""
    for played in rich_matches(tmp_path):
        assert played.path is not None
        replay = read(played.path)
        assert verify(replay, played.game) == played.result.steps
        for seat in range(len(played.channels.sent)):
            fed = [sent.line for sent in feed(replay, played.game, seat)]
            assert fed == played.channels.sent[seat]


def test_the_same_choices_give_the_same_replay(tmp_path: Path) -> None:
    digests = []
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        digests.append([played.result.replay_digest for played in rich_matches(folder)])
    assert digests[0] == digests[1]


FLUSH = "nothing came on its output; did you flush it after each line?"
DEBUG = "text that is not an answer came on stdout; debug text belongs on stderr"
NEWLINE = "what it wrote last has no newline; end each answer with one, then flush"


@pytest.mark.parametrize(
    ("answerer", "given"),
    [
        (silent, (FLUSH,)),
        (bot(on_call(after(1), saying(b""), after(1))), ()),
        (bot(after(9_000)), (FLUSH,)),
        (bot(on_call(after(150), lambda _message: ())), ()),
        (bot(on_call(after(150), after(1), lambda _message: ())), ()),
        (bot(on_call(after(1), saying(b'{"type":"choice"'))), (NEWLINE,)),
        (bot(lambda _message: (), start=()), (FLUSH,)),
        (bot(lambda _message: (), start=[(1, b'{"type":"ready"}')]), (NEWLINE,)),
        (bot(lambda _message: (), start=[(1, b"hello\n")]), (DEBUG,)),
    ],
)
def test_hints_are_those_that_can_be_true(answerer: Answerer, given: tuple[str, ...]) -> None:
    played = Played(quick, answerer, limits=Limits(move_ms=100, bank_ms=0), rounds=8)
    assert played.result.faults
    assert played.record.seats[1].hints == given
