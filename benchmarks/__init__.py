"""Measurements, each a ratio taken in one run; `python -m benchmarks` prints them."""
