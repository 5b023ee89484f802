"""The store: the only part that remembers. Submissions change their status; results are only ever added."""

from harness.store.store import Store, StoreError

__all__ = ["Store", "StoreError"]
