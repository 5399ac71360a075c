"""Many games at once, for learning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ._core import Batch

if TYPE_CHECKING:
    from ._core import Rules

__all__ = ["VectorEnv"]


class VectorEnv:
    """`count` games of the same rules, which go on together.

    In each game the seat to move sees a row of `observations` and may play what its row of `masks`
    says. `step` plays an action in each; a game that ends pays `rewards` to all seats, and the next
    one begins at once, so that there is always somebody to move. With `learner` only that seat is
    asked, and the others are played at random.

    All arrays stay where they are and are overwritten by the next step; copy what you keep.

    >>> import regelwerk
    >>> env = VectorEnv(regelwerk.load("kalaha"), 4, seed=1)
    >>> env.observations.shape == (4, env.observation_size), env.masks.shape == (4, env.action_count)
    (True, True)
    >>> env.step(env.sample())
    >>> env.to_move.shape, env.rewards.shape
    ((4,), (4, 2))
    """

    observations: NDArray[np.float32]
    """What the seat to move sees: `rules.observation_parts` says which number is what."""
    masks: NDArray[np.bool_]
    """Which actions are legal."""
    rewards: NDArray[np.float32]
    """What each seat got by the last step: something at the end of a game only."""
    to_move: NDArray[np.int64]
    """The number of the seat to move."""
    terminated: NDArray[np.bool_]
    """Whether the last step ended a game."""
    truncated: NDArray[np.bool_]
    """Whether the last step stopped it undecided."""
    final_observations: NDArray[np.float32]
    """Where a game ended or stopped: what the seat that moved last saw then."""

    def __init__(
        self,
        rules: Rules,
        count: int,
        *,
        seed: int = 0,
        cap: int = 2000,
        learner: int | str | None = None,
        rewards: str = "outcome",
        threads: int | None = None,
    ) -> None:
        """Start the games.

        `rewards` is `outcome` (from 1 for a win to -1 for a loss, by rank between them) or `scores`
        (the scores of the rules); `cap` the number of plies after which a game is stopped. The same seed
        gives the same games whatever the number of `threads`. Raises `UnfitError` for games with races.
        """
        self.rules = rules
        self._batch = Batch(rules, count, seed, cap, learner, rewards, threads)
        self.observations = self._batch.observations
        self.masks = self._batch.masks
        self.rewards = self._batch.rewards
        self.to_move = self._batch.to_move
        self.terminated = self._batch.terminated
        self.truncated = self._batch.truncated
        self.final_observations = self._batch.final_observations
        self._batch.reset()

    @property
    def count(self) -> int:
        """How many games there are."""
        return len(self.to_move)

    @property
    def action_count(self) -> int:
        """How many actions there are in the fixed numbering."""
        return self.rules.action_count

    @property
    def observation_size(self) -> int:
        """How many numbers an observation has."""
        return self.rules.observation_size

    def reset(self, seed: int | None = None) -> None:
        """Start all games again; with a seed, from new streams."""
        self._batch.reset(seed)

    def step(self, actions: NDArray[np.int64]) -> None:
        """Play an action in each game. Raises `ValueError` if one is not legal; then none is played."""
        self._batch.step(np.ascontiguousarray(actions, dtype=np.int64))

    def sample(self) -> NDArray[np.int64]:
        """A legal action for each game, all equally likely."""
        return self._batch.sample()

    def __repr__(self) -> str:
        return f"<VectorEnv of {self.count} games of {self.rules.name}>"
