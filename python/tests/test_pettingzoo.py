"""PettingZoo's own tests, for every bundled game."""

import warnings

import numpy as np
import pytest
import regelwerk

pytest.importorskip("pettingzoo")

import regelwerk.pettingzoo
from pettingzoo.test import api_test, seed_test

SMALL = {"kalaha", "kuhn-poker", "hearts", "hai-noon", "halli-galli", "tic-tac-toe", "backgammon", "goofspiel"}
CHOSEN = [game if game in SMALL else pytest.param(game, marks=pytest.mark.slow) for game in regelwerk.games()]


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


RACE = """game reflex "Reflex"
players a, b
clause §1 "Who taps first wins; it is a draw if nobody does."
action tap §1 { win me }
play { race seats play tap until now + 10 else { draw } }
"""


def played(seed, taps):
    """A race in which some seats tap when they are asked, and what each has got."""
    env = regelwerk.pettingzoo.env(regelwerk.load(text=RACE))
    env.reset(seed=seed)
    tap, wait = (first for name, first, _ in env.rules.action_groups if name in ("tap", "wait"))
    asked, got = [], {}
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        got[agent] = reward
        if not terminated:
            asked.append(agent)
            assert np.flatnonzero(observation["action_mask"]).tolist() == [tap, wait]
        env.step(None if terminated else tap if agent in taps else wait)
    return asked, got


def test_the_first_to_act_wins_a_race():
    first = [played(seed, "ab") for seed in range(200)]
    assert all(len(asked) == 1 and got[asked[0]] == 1 for asked, got in first)
    # Each seat is as likely to be first: 100 of 200, give or take three standard deviations of 7.
    assert 79 < sum(asked == ["a"] for asked, _ in first) < 121
    assert all(played(seed, "b")[1] == {"a": -1, "b": 1} for seed in range(20))


def test_a_race_without_acts_ends_at_its_deadline():
    asked, got = played(1, "")
    assert sorted(asked) == ["a", "b"] and got == {"a": 0, "b": 0}


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
