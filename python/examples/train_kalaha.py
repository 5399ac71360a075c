"""A small agent learns Kalaha by playing against random players, and then beats them.

    python python/examples/train_kalaha.py [MINUTES]

Actor-critic on `regelwerk.VectorEnv`, with a network of one hidden layer written out in numpy, so that
nothing else has to be installed.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import regelwerk

GAMES, STEPS, HIDDEN, PARTS = 128, 32, 96, 8
RATE, ENTROPY, DECAY = 1e-3, 0.01, 0.97


class Network:
    """Preferences for actions, and the value of a position, from one hidden layer."""

    def __init__(self, size: int, actions: int, rng: np.random.Generator) -> None:
        def weights(rows: int, columns: int, scale: float) -> np.ndarray:
            return (rng.standard_normal((rows, columns)) * scale / np.sqrt(rows)).astype(np.float32)

        self.parts = {
            "w": weights(size, HIDDEN, 1.0),
            "b": np.zeros(HIDDEN, np.float32),
            "p": weights(HIDDEN, actions, 0.1),
            "c": np.zeros(actions, np.float32),
            "v": weights(HIDDEN, 1, 0.1),
        }
        self.means = {name: np.zeros_like(part) for name, part in self.parts.items()}
        self.squares = {name: np.zeros_like(part) for name, part in self.parts.items()}
        self.updates = 0

    def look(self, seen: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The hidden layer, the probability of each action, the value."""
        hidden = np.maximum(seen @ self.parts["w"] + self.parts["b"], 0)
        scores = np.where(masks, hidden @ self.parts["p"] + self.parts["c"], -np.inf)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        return hidden, shares / shares.sum(axis=1, keepdims=True), (hidden @ self.parts["v"])[:, 0]

    def learn(self, seen: np.ndarray, masks: np.ndarray, actions: np.ndarray, targets: np.ndarray) -> None:
        """One step of Adam on the losses of actor and critic."""
        hidden, shares, values = self.look(seen, masks)
        gains = targets - values
        gains_scaled = (gains - gains.mean()) / (gains.std() + 1e-6)
        chosen = np.zeros_like(shares)
        chosen[np.arange(len(actions)), actions] = 1
        logs = np.log(np.where(shares > 0, shares, 1))
        mixed = -(shares * logs).sum(axis=1, keepdims=True)
        slope = (shares - chosen) * gains_scaled[:, None] + ENTROPY * shares * (logs + mixed)
        slope_value = -gains[:, None] * 0.5
        below = (slope @ self.parts["p"].T + slope_value @ self.parts["v"].T) * (hidden > 0)
        slopes = {
            "w": seen.T @ below,
            "b": below.sum(axis=0),
            "p": hidden.T @ slope,
            "c": slope.sum(axis=0),
            "v": hidden.T @ slope_value,
        }
        self.updates += 1
        for name, part in self.parts.items():
            found = slopes[name] / len(seen)
            self.means[name] += 0.1 * (found - self.means[name])
            self.squares[name] += 0.001 * (found**2 - self.squares[name])
            mean = self.means[name] / (1 - 0.9**self.updates)
            square = self.squares[name] / (1 - 0.999**self.updates)
            part -= RATE * mean / (np.sqrt(square) + 1e-8)


def draw(shares: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """An action for each row, by its probabilities."""
    sums = shares.cumsum(axis=1)
    chosen = (sums < rng.random((len(shares), 1)) * sums[:, -1:]).sum(axis=1)
    return chosen.astype(np.int64)


def beaten(network: Network, rules: regelwerk.Rules, scale: np.ndarray, games: int, seed: int) -> float:
    """The share of games won against random players, half of them in each seat."""
    won = played = 0
    for seat in range(2):
        env = regelwerk.VectorEnv(rules, GAMES, seed=seed, learner=seat)
        ended = 0
        while ended < games // 2:
            _, shares, _ = network.look(env.observations * scale, env.masks)
            env.step(shares.argmax(axis=1))
            ended += int((env.terminated | env.truncated).sum())
            won += int((env.rewards[:, seat] > 0).sum())
        played += ended
    return won / played


def main(minutes: float) -> None:
    rng = np.random.default_rng(1)
    rules = regelwerk.load("kalaha")
    scale = np.full(rules.observation_size, 0.1, np.float32)
    network = Network(rules.observation_size, rules.action_count, rng)
    envs = [regelwerk.VectorEnv(rules, GAMES, seed=seat + 1, learner=seat) for seat in range(2)]
    begun, rounds = time.monotonic(), 0
    while time.monotonic() - begun < 60 * minutes:
        rounds += 1
        for seat, env in enumerate(envs):
            seen, masks, actions, rewards, ends = [], [], [], [], []
            for _ in range(STEPS):
                seen.append(env.observations * scale)
                masks.append(env.masks.copy())
                _, shares, _ = network.look(seen[-1], masks[-1])
                actions.append(draw(shares, rng))
                env.step(actions[-1])
                rewards.append(env.rewards[:, seat].copy())
                ends.append(env.terminated | env.truncated)
            _, _, following = network.look(env.observations * scale, env.masks)
            # What a step was worth: the rewards that followed, and what is expected after them.
            targets = []
            for step in reversed(range(STEPS)):
                following = rewards[step] + np.where(ends[step], 0, following)
                targets.append(following)
                if step > 0:
                    _, _, values = network.look(seen[step], masks[step])
                    following = DECAY * following + (1 - DECAY) * values
            stacked = [np.concatenate(part) for part in (seen, masks, actions, targets[::-1])]
            for part in np.array_split(rng.permutation(GAMES * STEPS), PARTS):
                network.learn(*(column[part] for column in stacked))
        if rounds % 100 == 0:
            share = beaten(network, rules, scale, 1000, seed=99)
            print(f"{time.monotonic() - begun:5.0f} s, {rounds} rounds: {100 * share:.1f} % won", flush=True)
    share = beaten(network, rules, scale, 10_000, seed=100)
    print(f"at the end {100 * share:.1f} % of 10,000 games won against random players")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5)
