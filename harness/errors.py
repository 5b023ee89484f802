"""Errors that a person at the command line can do something about; each is one sentence and never a traceback."""

from __future__ import annotations


class Refusal(Exception):
    """What was asked cannot be done: bad input, or a competition in the wrong state; says what to do."""


class HarnessFault(Exception):
    """The harness or the machine failed (a sandbox that will not start, a full disk), never a bot."""
