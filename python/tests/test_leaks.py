"""What environments show to a seat is made from what the seat may know, and from nothing else."""

import numpy as np
import pytest
import regelwerk
from conftest import random_game

GAMES = [game for game in regelwerk.games() if "race" not in regelwerk.load(game).asks]
HIDDEN = [game for game in regelwerk.games() if not regelwerk.load(game).is_open]


def pairs(rules, plies, seed=8):
    """Positions of a game, each with others that the seat to move cannot tell from it."""
    for number, state in enumerate(random_game(rules.new(seed=seed), plies)):
        seat = state.to_move
        if seat is not None and number % 3 == 0:
            yield state, seat, [state.determinize(seat, seed=seed) for seed in range(2)]


@pytest.mark.parametrize("game", GAMES)
def test_numbers_and_actions_are_those_of_what_is_seen(game):
    """Two positions that are alike to a seat give it the same bytes and the same actions."""
    for state, seat, others in pairs(regelwerk.load(game), 80):
        for other in others:
            assert other.features(seat).tobytes() == state.features(seat).tobytes()
            assert other.observe(seat).text == state.observe(seat).text
            assert other.actions() == state.actions()


@pytest.mark.parametrize("game", HIDDEN)
def test_positions_alike_to_a_seat_differ(game):
    """Else the tests here would compare a position with itself."""
    rules = regelwerk.load(game)
    if "race" in rules.asks:
        found = [(state, state.determinize(0, seed=1)) for state in random_game(rules.new(seed=8), 20)]
    else:
        found = [(state, other) for state, _, others in pairs(rules, 80) for other in others]
    assert any(state.position.text != other.position.text for state, other in found)


@pytest.mark.parametrize("game", HIDDEN)
def test_pettingzoo_shows_what_is_seen(game):
    """Each agent that is asked gets the same bytes in positions alike to it; none that is not asked gets a mask."""
    pytest.importorskip("pettingzoo")
    import regelwerk.pettingzoo

    env = regelwerk.pettingzoo.env(game, cap=60)
    env.reset(seed=4)
    seen = 0
    for number, agent in enumerate(env.agent_iter(90)):
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            break
        own, state = env.rules.seats.index(agent), env._state
        for other in env.possible_agents:
            if other != agent:
                assert not env.observe(other)["action_mask"].any()
        action = int(np.random.default_rng(number).choice(np.flatnonzero(observation["action_mask"])))
        env._state = state.determinize(own, seed=number)
        alike = env.observe(agent)
        env._state = state
        for name in ("observation", "action_mask"):
            assert alike[name].tobytes() == observation[name].tobytes(), name
        seen += 1
        env.step(action)
    assert seen > 0


@pytest.mark.parametrize("game", [game for game in HIDDEN if game in GAMES])
def test_openspiel_shows_what_is_seen(game):
    pytest.importorskip("pyspiel")
    import regelwerk.openspiel

    played = regelwerk.openspiel.load(game)
    for state, seat, others in pairs(played.rules, 40):
        one = played.new_initial_state()
        one.state = state.clone()
        seen = one.observation_tensor(seat), one.observation_string(seat), one.legal_actions()
        for other in others:
            one.state = other
            assert (one.observation_tensor(seat), one.observation_string(seat), one.legal_actions()) == seen


def test_the_vector_environment_shows_twelve_positions_of_kuhn():
    """Kuhn 1950: each player has three cards, and two histories at which it decides. One more would be a leak."""
    env = regelwerk.VectorEnv(regelwerk.load("kuhn-poker"), 256, seed=1)
    seen = [set(), set()]
    for _ in range(60):
        for seat, row in zip(env.to_move, env.observations):
            seen[seat].add(row.tobytes())
        env.step(env.sample())
    assert [len(rows) for rows in seen] == [6, 6]


def test_gymnasium_shows_six_positions_of_kuhn():
    pytest.importorskip("gymnasium")
    import regelwerk.gymnasium

    for seat in range(2):
        envs = regelwerk.gymnasium.VectorEnv("kuhn-poker", 256, learner=seat)
        observations, _ = envs.reset(seed=1)
        seen = set()
        for _ in range(60):
            seen.update(row.tobytes() for row in observations)
            observations, *_ = envs.step(envs.sample())
        assert len(seen) == 6
