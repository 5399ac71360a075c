"""Random games in bulk, as columns."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ._core import simulate as _simulate

if TYPE_CHECKING:
    from ._core import Rules

__all__ = ["Simulation", "simulate"]


@dataclass(frozen=True)
class Simulation:
    """Random games, one row each. Game number n is the same for every number of games and threads."""

    rules: Rules = field(repr=False)
    plies: NDArray[np.uint32] = field(repr=False)
    """The number of plies."""
    turns: NDArray[np.uint32] = field(repr=False)
    """Turns in which a seat was asked something."""
    decisions: NDArray[np.uint64] = field(repr=False)
    """How many decisions seats made."""
    answers: NDArray[np.uint64] = field(repr=False)
    """How many answers they had to choose from, all in all."""
    verdicts: NDArray[np.int8] = field(repr=False)
    """For each seat 1 if it won, 0 drew, -1 lost, -2 if nothing was decided."""
    ranks: NDArray[np.uint8] = field(repr=False)
    """For each seat its rank from 1, ties sharing one; 0 if it has none."""
    scores: NDArray[np.float64] = field(repr=False)
    """For each seat its score, NaN in games that were not scored; no column if the rules do not score."""
    endings: NDArray[np.int32] = field(repr=False)
    """How each ended, as an index of `ending_names`."""
    ending_names: tuple[str, ...] = field(repr=False)
    """The end conditions met, and `stopped`, `no-move`, `played-out`, `budget`."""

    @property
    def games(self) -> int:
        """The number of games played; fewer than asked for if it was interrupted."""
        return len(self.plies)

    @property
    def wins(self) -> NDArray[np.int64]:
        """How often each seat won."""
        return np.asarray((self.verdicts == 1).sum(axis=0), dtype=np.int64)

    @property
    def branching(self) -> float:
        """The mean number of answers per decision."""
        return float(self.answers.sum() / max(int(self.decisions.sum()), 1))

    def columns(self) -> dict[str, NDArray[np.generic]]:
        """Flat columns, one per number, as `pandas.DataFrame` and `pyarrow.table` take them.

        >>> import regelwerk
        >>> sorted(regelwerk.simulate(regelwerk.load("tic-tac-toe"), games=3).columns())[:4]
        ['answers', 'decisions', 'ending', 'plies']
        """
        found: dict[str, NDArray[np.generic]] = {
            "plies": self.plies,
            "turns": self.turns,
            "decisions": self.decisions,
            "answers": self.answers,
            "ending": np.asarray(self.ending_names)[self.endings] if self.games else np.empty(0, dtype=np.str_),
        }
        names = self.rules.seats
        for title, table in (("verdict", self.verdicts), ("rank", self.ranks), ("score", self.scores)):
            for seat in range(table.shape[1]):
                found[f"{title}_{names[seat]}"] = table[:, seat]
        return found

    def __repr__(self) -> str:
        mean = float(self.plies.mean()) if self.games else float("nan")
        return f"<Simulation of {self.rules.name}: {self.games} games, {mean:.1f} plies>"


def simulate(
    rules: Rules,
    games: int = 1000,
    *,
    seed: int = 0,
    cap: int = 2000,
    threads: int | None = None,
    progress: bool | Callable[[int], object] = False,
) -> Simulation:
    """Play random games on `threads` threads (all cores by default), without Python's lock.

    Every legal answer is as likely as any other; a game is stopped after `cap` plies. `progress=True`
    shows a line on the terminal; a function is called with the number of games done. Ctrl-C stops it.

    >>> import regelwerk
    >>> found = simulate(regelwerk.load("tic-tac-toe"), games=1000, seed=1)
    >>> int(found.plies.min()), int(found.plies.max())
    (5, 9)
    """

    def line(done: int) -> None:
        print(f"\r{rules.name}: {done} of {games} games", end="", file=sys.stderr, flush=True)

    told = line if progress is True else progress or None
    try:
        columns = _simulate(rules, games, seed, cap, threads, told)
    finally:
        if progress is True:
            print(file=sys.stderr)
    names = tuple(columns.pop("ending_names"))
    return Simulation(rules=rules, ending_names=names, **columns)
