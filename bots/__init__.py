"""Bots that come with Botpit: baselines to play against and stand-alone starter kits."""
