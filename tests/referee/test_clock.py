from __future__ import annotations

from referee.clock import Bank


def test_the_bank_never_falls_below_zero_however_late_a_decision_is_measured() -> None:
    """A19."""
    bank = Bank(move_ms=100, bank_ms=50)
    bank.charge(100_000)
    assert bank.left_us == 50_000
    bank.charge(120_000)
    assert bank.left_us == 30_000
    bank.charge(900_000)
    assert (bank.left_us, bank.allowance_us, bank.json) == (0, 100_000, b'"time_ms":100,"bank_ms":0')
