"""Games from rule files: play, simulate, learn.

>>> import regelwerk
>>> rules = regelwerk.load("kalaha")
>>> state = rules.new(seed=7)
>>> state.play(state.legal()[0])
>>> state.history
['a1']
>>> regelwerk.simulate(rules, games=100).games
100
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from ._core import Move, Outcome, Piece, Rule, Rules, State, View, Why
from ._core import bundled as _bundled
from ._core import check as _check
from ._core import load as _load
from .errors import (
    Diagnostic,
    IllegalMove,
    LoadError,
    NotationError,
    RegelwerkError,
    UnfitError,
)
from .simulation import Simulation, simulate
from .vector import VectorEnv

__all__ = [
    "Diagnostic",
    "IllegalMove",
    "LoadError",
    "Move",
    "NotationError",
    "Outcome",
    "Piece",
    "RegelwerkError",
    "Rule",
    "Rules",
    "Simulation",
    "State",
    "UnfitError",
    "VectorEnv",
    "View",
    "Why",
    "check",
    "games",
    "load",
    "simulate",
]

Setting: TypeAlias = "str | int | bool"
"""The value of an option or a reading."""


def games() -> list[str]:
    """The names of the bundled games.

    >>> "halma" in games()
    True
    """
    return _bundled()


def load(
    game: str | os.PathLike[str] | None = None,
    *,
    text: str | None = None,
    name: str = "text",
    players: int | None = None,
    variant: str | Iterable[str] | None = None,
    options: Mapping[str, Setting] | None = None,
    readings: Mapping[str, Setting] | None = None,
    measures: Mapping[str, str] | None = None,
    measures_by_turn: Mapping[str, str] | None = None,
) -> Rules:
    """Load rules: a bundled game, the path of a rule file, or `text`.

    `players`, `variant`, `options` and `readings` choose the setup; what is left out is as the rules
    say. `measures` are expressions of the language, numbers or conditions, that `simulate` reads at the
    end of each game, those of `measures_by_turn` at the beginning of each turn; they are no part of the
    rules. `name` stands for the text in reports. Raises `LoadError`.

    >>> load("kalaha", players=3, readings={"capturing_stone": "moves_too"})
    <Rules kalaha for 3 players>

    >>> try:
    ...     load(text="game mine\\nplayers a, b\\nbord square 3 x 3\\n")
    ... except LoadError as error:
    ...     print(error.file, error.line, error.code)
    text 3 syntax/unexpected
    """
    if (game is None) == (text is None):
        raise TypeError("give either a game or a text")
    if variant is None:
        variants = []
    else:
        variants = [variant] if isinstance(variant, str) else list(variant)
    source: dict[str, object] = {
        "game": None if game is None else os.fspath(game),
        "text": text,
        "name": name,
        "players": players,
        "variant": variants,
        "options": dict(options or {}),
        "readings": dict(readings or {}),
        "measures": dict(measures or {}),
        "measures_by_turn": dict(measures_by_turn or {}),
    }
    at_end, by_turn = list((measures or {}).items()), list((measures_by_turn or {}).items())
    where = name if game is None else os.fspath(game)
    return _load(where, text, players, variants, _settings(options), _settings(readings), at_end, by_turn, source)


def check(game: str | os.PathLike[str] | None = None, *, text: str | None = None, name: str = "text") -> list[Diagnostic]:
    """Check rules under every number of players, variant and reading. An empty list is good news.

    >>> check("tic-tac-toe")
    []
    """
    if (game is None) == (text is None):
        raise TypeError("give either a game or a text")
    return _check(name if game is None else os.fspath(game), text)


def _settings(chosen: Mapping[str, Setting] | None) -> list[tuple[str, str]]:
    def word(value: Setting) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    return [(name, word(value)) for name, value in (chosen or {}).items()]
