"""The vector interface of Gymnasium."""

import numpy as np
import pytest

pytest.importorskip("gymnasium")

import gymnasium
import regelwerk.gymnasium


def test_the_interface():
    envs = regelwerk.gymnasium.VectorEnv("kalaha", 8, learner=0)
    observations, info = envs.reset(seed=1)
    assert observations.shape == envs.observation_space.shape and observations in envs.observation_space
    finished = 0
    for _ in range(200):
        actions = envs.sample()
        assert actions in envs.action_space
        observations, rewards, terminated, truncated, info = envs.step(actions)
        assert rewards.shape == terminated.shape == truncated.shape == (8,)
        assert info["action_mask"].any(axis=1).all()
        done = terminated | truncated
        finished += int(done.sum())
        assert ("final_obs" in info) == bool(done.any())
        if done.any():
            assert info["final_obs"][done].any(axis=1).all()
    assert finished > 20


def test_wrappers_fit():
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(regelwerk.gymnasium.VectorEnv("kalaha", 8))
    envs.reset(seed=1)
    seen = []
    for _ in range(100):
        *_, info = envs.step(envs.unwrapped.sample())
        if "episode" in info:
            seen.extend(info["episode"]["r"][info["_episode"]].tolist())
    assert seen and set(seen) <= {-1.0, 0.0, 1.0}


def test_the_same_seed_gives_the_same():
    both = [regelwerk.gymnasium.VectorEnv("backgammon", 4) for _ in range(2)]
    seen = [envs.reset(seed=6)[0] for envs in both]
    assert np.array_equal(*seen)
    for _ in range(20):
        seen = [envs.step(envs.sample())[0] for envs in both]
        assert np.array_equal(*seen)
