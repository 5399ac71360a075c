"""Rule files as vector environments of Gymnasium: one seat learns, the others play at random.

>>> import regelwerk.gymnasium
>>> envs = regelwerk.gymnasium.VectorEnv("kalaha", 8, learner=0)
>>> observations, info = envs.reset(seed=1)
>>> observations, rewards, terminated, truncated, info = envs.step(envs.sample())
>>> observations.shape == (8, envs.rules.observation_size), info["action_mask"].dtype
(True, dtype('bool'))
"""

from __future__ import annotations

import os
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import load
from ._core import Rules
from .vector import VectorEnv as Games

__all__ = ["VectorEnv"]


class VectorEnv(gymnasium.vector.VectorEnv[NDArray[np.float32], NDArray[np.int64], NDArray[Any]]):
    """`num_envs` games in which one seat is the agent and the others play at random.

    `info["action_mask"]` says which actions are legal. A game that ends is followed by the next in the
    same step; `info["final_obs"]` has what was seen last, where `terminated` or `truncated` is true.
    The arrays are overwritten by the next step; with `copy=True` they are copied instead.
    """

    def __init__(
        self,
        game: Rules | str | os.PathLike[str],
        num_envs: int,
        *,
        learner: int | str = 0,
        cap: int = 2000,
        rewards: str = "outcome",
        threads: int | None = None,
        copy: bool = True,
        **setup: Any,
    ) -> None:
        self.rules = game if isinstance(game, Rules) else load(game, **setup)
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP}
        self._seat = learner if isinstance(learner, int) else self.rules.seats.index(learner)
        self._games = Games(self.rules, num_envs, cap=cap, learner=learner, rewards=rewards, threads=threads)
        self._copy = copy
        self.single_observation_space = spaces.Box(-np.inf, np.inf, (self.rules.observation_size,), np.float32)
        self.single_action_space = spaces.Discrete(self.rules.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start all games again."""
        if isinstance(seed, list):
            raise ValueError("give one seed: each game has its own stream of it")
        self._games.reset(seed)
        return self._kept(self._games.observations), {"action_mask": self._kept(self._games.masks)}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play an action in each game."""
        games = self._games
        games.step(actions)
        info: dict[str, Any] = {"action_mask": self._kept(games.masks)}
        done = games.terminated | games.truncated
        if done.any():
            info["final_obs"], info["_final_obs"] = self._kept(games.final_observations), done
        return (
            self._kept(games.observations),
            self._kept(games.rewards[:, self._seat]),
            self._kept(games.terminated),
            self._kept(games.truncated),
            info,
        )

    def sample(self) -> NDArray[np.int64]:
        """A legal action for each game, all equally likely."""
        return self._games.sample()

    def _kept(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array
