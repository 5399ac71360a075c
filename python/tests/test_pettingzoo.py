"""PettingZoo's own tests, for every bundled game without races."""

import warnings

import pytest
import regelwerk

pytest.importorskip("pettingzoo")

import regelwerk.pettingzoo
from pettingzoo.test import api_test, seed_test

# A mask of a million actions is too large to be sampled from.
FITTING = [game for game in regelwerk.games() if "race" not in regelwerk.load(game).asks and game != "amazons"]
SMALL = {"kalaha", "kuhn-poker", "hearts", "hai-noon", "tic-tac-toe", "backgammon", "goofspiel"}
CHOSEN = [game if game in SMALL else pytest.param(game, marks=pytest.mark.slow) for game in FITTING]


@pytest.mark.parametrize("game", CHOSEN)
def test_api(game):
    with warnings.catch_warnings():
        # That observations are vectors, and that what is not bounded has no bounds.
        warnings.simplefilter("ignore")
        api_test(regelwerk.pettingzoo.env(game, cap=200), num_cycles=200)


@pytest.mark.parametrize("game", CHOSEN)
def test_seeds(game):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed_test(lambda: regelwerk.pettingzoo.env(game, cap=200), num_cycles=50)


def test_races_do_not_fit():
    with pytest.raises(regelwerk.UnfitError):
        regelwerk.pettingzoo.env("halli-galli")


def test_a_whole_game():
    env = regelwerk.pettingzoo.env("kalaha", render_mode="ansi")
    env.reset(seed=3)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
    assert sorted(totals.values()) in ([-1.0, 1.0], [0.0, 0.0])
    assert "\n" in env.render()
