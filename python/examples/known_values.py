"""OpenSpiel's algorithms on rule files, beside the same algorithms on OpenSpiel's own games and the published values.

    python python/examples/known_values.py [ROUNDS]

CFR+ for some rounds on Kuhn and Leduc poker: what the average policies are worth to the first player, and how much
a player could gain by deviating (exploitability). MCTS against random players on Kalaha.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
import pyspiel
import regelwerk.openspiel
from open_spiel.python.algorithms import mcts

KNOWN = {"kuhn-poker": ("kuhn_poker", 2.0, -1 / 18), "leduc-poker": ("leduc_poker", 13.0, -0.0856)}
"""OpenSpiel's name, the most that can be won, the published value for the first player."""


def solved(game: Any, rounds: int) -> tuple[float, float]:
    """The value for the first player under the average policies of CFR+, and their exploitability."""
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(rounds):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    values = pyspiel.expected_returns(game.new_initial_state(), policy, -1, False)
    return values[0], pyspiel.exploitability(game, policy)


def won(games: int, simulations: int) -> int:
    """How many games of Kalaha MCTS wins against a random player, in each seat as often."""
    game = regelwerk.openspiel.load("kalaha")
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, simulations, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    count = 0
    for number in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            mine = state.current_player() == number % 2
            state.apply_action(bot.step(state) if mine else int(rng.choice(state.legal_actions())))
        count += state.returns()[number % 2] > 0
    return count


def main(rounds: int) -> None:
    for name, (theirs, most, known) in KNOWN.items():
        begun = time.monotonic()
        ours = regelwerk.openspiel.tree(regelwerk.openspiel.load(name, payoff="scores", max_utility=most))
        made = time.monotonic() - begun
        for whose, game in (("rule file", ours), ("OpenSpiel", pyspiel.load_game(theirs))):
            value, gain = solved(game, rounds)
            uniform = pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game))
            print(
                f"{name:12} {whose:10} value {value:+.5f} (published {known:+.5f}), exploitability {gain:.5f};"
                f" of uniform play {uniform:.9f}",
                flush=True,
            )
        print(f"{name:12} its tree was read from the rules in {made:.1f} s")
    games, simulations = 20, 20
    print(f"kalaha       MCTS with {simulations} simulations won {won(games, simulations)} of {games} games against random")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
