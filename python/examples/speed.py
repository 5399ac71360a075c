"""How many steps a second: ours beside OpenSpiel's own games and PettingZoo's classic ones, in one run.

    python python/examples/speed.py [SECONDS] [GAME …]

Each line plays at random for some seconds, and the last columns say how many times faster Regelwerk is.
A step is one decision of a player, with the legal actions listed; where "seen" is said, also with what
the player sees as numbers. What is measured shares a process and a core; only `VectorEnv` may use more
threads, and is shown with one and with all.
"""

from __future__ import annotations

import random
import sys
import time
import warnings
from collections.abc import Callable

import numpy as np
import regelwerk

warnings.simplefilter("ignore")
SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0


def rate(run: Callable[[], int], clock: Callable[[], float] = time.process_time) -> float:
    """Steps a second of something that plays a while and says how many steps that were.

    The clock is that of the processor, so that other programs on the machine do not matter.
    """
    run()
    steps, begun = 0, clock()
    while clock() - begun < SECONDS:
        steps += run()
    return steps / (clock() - begun)


def vector(game: str, count: int, threads: int | None) -> float:
    env = regelwerk.VectorEnv(regelwerk.load(game), count, threads=threads)

    def run() -> int:
        env.step(env.sample())
        return count

    return rate(run, time.process_time if threads == 1 else time.perf_counter)


def states(game: str, seen: bool) -> float:
    rules = regelwerk.load(game)

    def run() -> int:
        state, steps = rules.new(seed=random.getrandbits(32)), 0
        while not state.is_over and steps < 400:
            if seen:
                state.features(state.to_move)
            state.act(random.choice(state.actions()))
            steps += 1
        return steps

    return rate(run)


def openspiel(name: str, seen: bool) -> float:
    import pyspiel

    game = pyspiel.load_game(name)

    def run() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal() and steps < 400:
            if state.is_chance_node():
                outcomes, shares = zip(*state.chance_outcomes())
                state.apply_action(random.choices(outcomes, shares)[0])
                continue
            if seen:
                np.asarray(state.observation_tensor())
            state.apply_action(random.choice(state.legal_actions()))
            steps += 1
        return steps

    return rate(run)


def pettingzoo(module: str) -> float:
    import importlib

    env = importlib.import_module(f"pettingzoo.classic.{module}").env()

    def run() -> int:
        env.reset(seed=random.getrandbits(31))
        steps = 0
        for agent in env.agent_iter():
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated or steps >= 400:
                break
            mask = observation["action_mask"] if "action_mask" in observation else info["action_mask"]
            env.step(int(np.random.choice(np.flatnonzero(mask))))
            steps += 1
        return steps

    return rate(run)


PAIRS = [
    ("tic-tac-toe", "tic_tac_toe", "tictactoe_v3"),
    ("connect-four", "connect_four", "connect_four_v3"),
    ("chess", "chess", "chess_v6"),
    ("go", "go", "go_v5"),
    ("hex", "hex", None),
    ("kalaha", "mancala", None),
    ("backgammon", "backgammon", None),
    ("leduc-poker", "leduc_poker", None),
    ("hanabi", "hanabi", None),
]


def ratio(ours: float, theirs: float | None) -> str:
    return f"{ours / theirs:6.2f}x" if theirs else "      –"


def attempt(run: Callable[[], float]) -> float | None:
    try:
        return run()
    except Exception as error:  # A package or a game that is not there.
        print(f"  ({type(error).__name__}: {str(error)[:70]})", file=sys.stderr)
        return None


def main() -> None:
    titles = ["state", "state, seen", "vector 1", "vector all", "OpenSpiel", "O., seen", "PettingZoo"]
    print(f"{'game':14}" + "".join(f"{title:>12}" for title in titles) + "   v1/O.seen  va/O.seen  v1/PZ")
    for ours, spiel, zoo in PAIRS:
        if len(sys.argv) > 2 and ours not in sys.argv[2:]:
            continue
        plain, seen = states(ours, False), states(ours, True)
        one, many = vector(ours, 32, 1), vector(ours, 256, None)
        theirs = attempt(lambda: openspiel(spiel, False))
        theirs_seen = attempt(lambda: openspiel(spiel, True))
        zoos = attempt(lambda: pettingzoo(zoo)) if zoo else None
        rates = [plain, seen, one, many, theirs, theirs_seen, zoos]
        shown = "".join(f"{value:12,.0f}" if value else f"{'–':>12}" for value in rates)
        print(f"{ours:14}{shown}   {ratio(one, theirs_seen)}   {ratio(many, theirs_seen)}  {ratio(one, zoos)}", flush=True)


if __name__ == "__main__":
    main()
