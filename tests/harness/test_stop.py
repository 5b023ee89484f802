from __future__ import annotations

import os
import signal

import pytest

from harness.stop import Stopped, stoppable


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_the_block_and_the_old_handlers_come_back(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with pytest.raises(Stopped) as caught, stoppable():
        signal.raise_signal(number)
    assert (caught.value.number, caught.value.code) == (number, 128 + number)
    assert signal.getsignal(number) is before


def test_a_second_signal_ends_the_process_on_the_spot() -> None:
    child = os.fork()
    if child == 0:
        try:
            with stoppable():
                try:
                    signal.raise_signal(signal.SIGINT)
                finally:
                    signal.raise_signal(signal.SIGTERM)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 128 + signal.SIGTERM


def test_what_was_to_be_ignored_stays_ignored() -> None:
    """As under nohup: a closed terminal does not end the run."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stoppable():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)
