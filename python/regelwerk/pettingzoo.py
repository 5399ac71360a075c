"""Rule files as environments of PettingZoo: `env(rules)` follows its AEC interface.

>>> import regelwerk.pettingzoo
>>> env = regelwerk.pettingzoo.env("tic-tac-toe")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     over = terminated or truncated
...     env.step(None if over else int(observation["action_mask"].argmax()))
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from . import load
from ._core import Rules, State

__all__ = ["RulesEnv", "env"]

Observation = dict[str, NDArray[Any]]


class RulesEnv(AECEnv):  # type: ignore[misc]
    """A game of some rules. The agents are its seats, by name.

    An observation has `observation`, what the seat sees as numbers, and `action_mask`, which actions
    are legal if it is asked. Chance is drawn from the seed of `reset`. Rewards come at the end: from 1
    for a win to -1 for a loss. Claims and offers are not played.

    In a race the seats that may act are asked in an order drawn from the seed, which stands for their reaction
    times: the first that does not choose the action `wait` acts. If all wait, the deadline of the race comes; without a
    deadline they are asked again.
    """

    def __init__(self, rules: Rules, *, cap: int = 2000, render_mode: str | None = None) -> None:
        """An environment; a game is stopped (truncated) after `cap` plies."""
        super().__init__()
        self.metadata = {"name": f"{rules.name}_v0", "render_modes": ["ansi", "svg"], "is_parallelizable": False}
        self.rules, self.cap, self.render_mode = rules, cap, render_mode
        self.possible_agents = rules.seats
        seen: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(-np.inf, np.inf, (rules.observation_size,), np.float32),
            "action_mask": spaces.Box(0, 1, (rules.action_count,), np.int8),
        }
        self._observation_spaces = {agent: spaces.Dict(seen) for agent in rules.seats}
        self._action_spaces = {agent: spaces.Discrete(rules.action_count) for agent in rules.seats}
        self._seats = {name: number for number, name in enumerate(rules.seats)}
        # The last block of the numbering is for waiting.
        self._wait = rules.action_groups[-1][1]
        self._state: State = rules.new()
        self._decisions = 0
        self._order: list[int] = []
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent sees."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        """What an agent may do."""
        return self._action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """What an agent sees, and may do if it is asked."""
        seat = self._seats[agent]
        mask = np.zeros(self.rules.action_count, dtype=np.int8)
        if self._order:
            if self._order[0] == seat:
                mask[[*self._state.actions(seat), self._wait]] = 1
        elif self._state.to_move == seat:
            mask[self._state.actions()] = 1
        return {"observation": self._state.features(seat), "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. Without a seed the next one of a series is drawn."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._state = self.rules.new(seed=int(self._rng.integers(2**63)))
        self._decisions = 0
        self._order = []
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._ask()

    def step(self, action: int | None) -> None:
        """Play an action for the agent that is selected; `None` once the game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if action is None:
            raise ValueError(f"{agent} is asked: give an action")
        if self._order:
            self._race(int(action))
        else:
            self._state.act(int(action))
        self._decisions += 1
        self._ask()
        self._accumulate_rewards()

    def _race(self, action: int) -> None:
        """The seat that is asked acts or waits."""
        if action != self._wait:
            self._state.act(action, self._order[0])
            self._order = []
            return
        del self._order[0]
        if not self._order:
            for move in self._state.legal():
                if move.action == "wait" and not move.parameters:
                    self._state.play(move)

    def _ask(self) -> None:
        state = self._state
        outcome = state.outcome
        if outcome is not None:
            self.rewards = dict(zip(self.agents, map(float, outcome.returns)))
            self.terminations = dict.fromkeys(self.agents, True)
            return
        if state.ask == "race" and not self._order:
            able = [seat for seat in range(len(self.possible_agents)) if state.actions(seat)]
            self._order = [able[place] for place in self._rng.permutation(len(able))]
        seat = self._order[0] if self._order else state.to_move
        if state.ply >= self.cap or self._decisions >= 64 * self.cap or seat is None:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[seat]

    def render(self) -> str | None:
        """The board as text (`ansi`) or as a picture (`svg`), whole."""
        if self.render_mode == "ansi":
            return str(self._state)
        return self._state.position.svg() if self.render_mode == "svg" else None

    def close(self) -> None:
        """Nothing has to be closed."""


def env(
    game: Rules | str | os.PathLike[str], *, cap: int = 2000, render_mode: str | None = None, **setup: Any
) -> RulesEnv:
    """An environment of rules, or of the game that `load(game, **setup)` loads."""
    rules = game if isinstance(game, Rules) else load(game, **setup)
    return RulesEnv(rules, cap=cap, render_mode=render_mode)
