"""Rules and states from pickles."""

from __future__ import annotations

from . import load
from ._core import Rules, State
from .errors import LoadError

__all__ = ["rules", "state"]

_loaded: dict[tuple[str, str], Rules] = {}
"""Rules that were restored, by digest and measures: the states of one game share them."""


def rules(source: dict[str, object], digest: str) -> Rules:
    """The rules that `load` made from `source`, if they are still the same."""
    key = (digest, repr((source.get("measures"), source.get("measures_by_turn"))))
    found = _loaded.get(key)
    if found is None:
        found = load(**source)  # type: ignore[arg-type]
        if found.digest != digest:
            raise LoadError(
                f"the rules of `{found.name}` have changed since they were pickled",
                code="load/changed",
                file=found.name,
                cure="load the rules as they were, or make the state anew",
            )
        _loaded[key] = found
    return found


def state(rules: Rules, record: str, chance: bool) -> State:
    """A state after the steps of a record."""
    return rules.replay(record, chance=chance)
