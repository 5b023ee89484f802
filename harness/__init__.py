"""Botpit's shell: command line, competitions, store, schedule, ratings and wiring."""

__version__ = "0.1.0"
