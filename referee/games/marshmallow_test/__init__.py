"""The Marshmallow Test: a trick-taking game where going out late pays most."""

from referee.games.marshmallow_test.game import MarshmallowTest

__all__ = ["MarshmallowTest"]
