"""Random games in bulk, as columns."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

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
    measures: dict[str, NDArray[np.float64]] = field(repr=False)
    """The measures the rules were loaded with: the value at the end of each game, or the mean over its turns."""
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
        found.update(self.measures)
        return found

    def to_arrow(self) -> Any:
        """The columns as a `pyarrow.Table`, which writes Parquet and Feather; needs `pyarrow`."""
        import pyarrow

        return pyarrow.table(self.columns())

    def __repr__(self) -> str:
        mean = float(self.plies.mean()) if self.games else float("nan")
        return f"<Simulation of {self.rules.name}: {self.games} games, {mean:.1f} plies>"


def join(rules: Rules, parts: Sequence[dict[str, Any]]) -> Simulation:
    """The columns of consecutive games, put together as if they had been played in one go."""
    names: list[str] = []
    endings = []
    for part in parts:
        for name in part["ending_names"]:
            if name not in names:
                names.append(name)
        # In each part the endings are numbered in the order in which they occur.
        numbers = np.asarray([names.index(name) for name in part["ending_names"]], dtype=np.int32)
        endings.append(numbers[part["endings"]] if len(numbers) else part["endings"])
    scored = max((part["scores"].shape[1] for part in parts), default=0)

    def scores(part: dict[str, Any]) -> NDArray[np.float64]:
        # A part in which no game was scored has no column.
        table: NDArray[np.float64] = part["scores"]
        return table if table.shape[1] == scored else np.full((len(part["plies"]), scored), np.nan)

    def whole(name: str) -> Any:
        return np.concatenate([part[name] for part in parts])

    return Simulation(
        rules=rules,
        plies=whole("plies"),
        turns=whole("turns"),
        decisions=whole("decisions"),
        answers=whole("answers"),
        verdicts=whole("verdicts"),
        ranks=whole("ranks"),
        scores=np.concatenate([scores(part) for part in parts]),
        endings=np.concatenate(endings),
        measures={name: np.concatenate([part["measures"][name] for part in parts]) for name in parts[0]["measures"]},
        ending_names=tuple(names),
    )


def simulate(
    rules: Rules,
    games: int = 1000,
    *,
    seed: int = 0,
    cap: int = 2000,
    bots: Sequence[str] = (),
    first: int = 0,
    threads: int | None = None,
    progress: bool | Callable[[int], object] = False,
) -> Simulation:
    """Play random games on `threads` threads (all cores by default), without Python's lock.

    Every legal answer is as likely as any other, except on seats with `bots`: `mcts:100` (iterations) or
    `alphabeta:2` (answers deep), in turn order. A game is stopped after `cap` plies. The first game has the number
    `first`; games keep their numbers, so that parts put together are the whole. `progress=True`
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
        columns = _simulate(rules, first, games, seed, cap, list(bots), threads, told)
    finally:
        if progress is True:
            print(file=sys.stderr)
    return join(rules, [columns])
