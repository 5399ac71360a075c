"""Numbers: actions, observations, many games at once."""

import numpy as np
import pytest
import regelwerk
from conftest import random_game

GAMES = [game for game in regelwerk.games() if "race" not in regelwerk.load(game).asks]


@pytest.mark.parametrize("game", GAMES)
def test_actions_have_fixed_and_different_numbers(game):
    rules = regelwerk.load(game)
    named = {}
    for state in random_game(rules.new(seed=1), 60):
        numbers, moves = state.actions(), state.legal()
        assert len(set(numbers)) == len(numbers) == len(moves)
        assert all(0 <= number < rules.action_count for number in numbers)
        for number, move in zip(numbers, moves):
            # The same number is the same action with the same parameters, unless only the order tells
            # moves apart: there what a way takes, or a number without limits, may differ.
            same = (move.action, *(str(value).split("x")[0] for value in move.parameters.values()))
            known = named.setdefault(number, same)
            assert known[0] == same[0]


@pytest.mark.parametrize("game", GAMES)
def test_the_numbers_of_a_numbering_have_no_gaps(game):
    rules = regelwerk.load(game)
    following = 0
    for _, first, count in rules.action_groups:
        assert first == following
        following += count
    assert following == rules.action_count


@pytest.mark.parametrize("game", GAMES)
def test_parts_of_an_observation_have_no_gaps(game):
    rules = regelwerk.load(game)
    following = 0
    for _, first, shape in rules.observation_parts:
        assert first == following
        following += int(np.prod(shape))
    assert following == rules.observation_size


def test_planes_of_a_board_are_planes():
    rules = regelwerk.load("tic-tac-toe")
    state = rules.new()
    state.play("b3")
    name, first, shape = rules.observation_parts[0]
    assert (name, shape[1:]) == ("pieces", [3, 3])
    seen = [state.features(seat)[first : first + int(np.prod(shape))].reshape(shape) for seat in (0, 1)]
    # Once one's own, once the other's; the sites are in the order of the board.
    own = list(state.position.sites).index("b3")
    assert np.flatnonzero(seen[0][0]).tolist() == [own] and not seen[0][1].any()
    assert np.flatnonzero(seen[1][1]).tolist() == [own] and not seen[1][0].any()


@pytest.mark.parametrize("game", GAMES)
def test_many_games_are_as_one(game):
    """A row of the vector environment is what a state says after the same actions."""
    rules = regelwerk.load(game)
    env = regelwerk.VectorEnv(rules, 3, seed=5)
    for _ in range(40):
        assert (env.to_move >= 0).all()
        actions = env.sample().copy()
        assert env.masks[np.arange(3), actions].all()
        env.step(actions)
        done = env.terminated | env.truncated
        assert not env.rewards[~done].any()
    again = regelwerk.VectorEnv(rules, 3, seed=5, threads=1)
    for _ in range(40):
        again.step(again.sample())
    assert np.array_equal(env.observations, again.observations)
    assert np.array_equal(env.masks, again.masks)


def test_rows_are_those_of_states():
    rules = regelwerk.load("halma")
    env, state = regelwerk.VectorEnv(rules, 1, seed=0), rules.new()
    for _ in range(50):
        assert env.to_move[0] == state.to_move
        assert np.array_equal(env.observations[0], state.features(state.to_move))
        assert np.flatnonzero(env.masks[0]).tolist() == sorted(state.actions())
        action = int(env.sample()[0])
        env.step(np.array([action]))
        state.act(action)


def test_rewards_are_those_of_outcomes():
    env = regelwerk.VectorEnv(regelwerk.load("tic-tac-toe"), 64, seed=3)
    ended = 0
    for _ in range(60):
        env.step(env.sample())
        for row in env.rewards[env.terminated]:
            ended += 1
            assert sorted(row.tolist()) in ([-1.0, 1.0], [0.0, 0.0])
    assert ended > 300


def test_a_learner_alone_is_asked():
    env = regelwerk.VectorEnv(regelwerk.load("kalaha"), 32, seed=3, learner=1)
    for _ in range(100):
        assert (env.to_move == 1).all()
        env.step(env.sample())


def test_scores_are_rewards():
    env = regelwerk.VectorEnv(regelwerk.load("kuhn-poker"), 32, seed=3, rewards="scores")
    for _ in range(50):
        env.step(env.sample())
        assert set(np.abs(env.rewards[env.terminated]).ravel().tolist()) <= {1.0, 2.0}


def test_the_cap_stops_games():
    env = regelwerk.VectorEnv(regelwerk.load("halma"), 2, seed=3, cap=10)
    for _ in range(9):
        env.step(env.sample())
        assert not env.truncated.any()
    env.step(env.sample())
    assert env.truncated.all() and not env.terminated.any()
    assert env.final_observations.any()


def test_what_is_not_legal_changes_nothing():
    env = regelwerk.VectorEnv(regelwerk.load("halma"), 2, seed=3)
    before = env.observations.copy()
    illegal = int(np.flatnonzero(~env.masks[1])[0])
    with pytest.raises(ValueError, match="game 1"):
        env.step(np.array([int(np.flatnonzero(env.masks[0])[0]), illegal]))
    assert np.array_equal(env.observations, before)


def test_races_do_not_fit():
    with pytest.raises(regelwerk.UnfitError) as caught:
        regelwerk.VectorEnv(regelwerk.load("halli-galli"), 2)
    assert caught.value.cure


def test_a_seat_has_actions_of_its_own_in_a_race():
    state = regelwerk.load("halli-galli", players=3).new(seed=1)
    with pytest.raises(regelwerk.UnfitError, match="race") as caught:
        state.actions()
    assert "seat" in caught.value.cure
    names = {first: name for name, first, _ in state.rules.action_groups}
    for _ in range(40):
        if state.ask != "race":
            state.play(state.legal()[0])
            continue
        for seat, name in enumerate(state.rules.seats):
            legal = [move.action for move in state.legal() if move.parameters.get("seat") == name]
            assert [names[number] for number in state.actions(seat)] == legal
        acting = next(seat for seat in range(3) if state.actions(seat))
        state.act(state.actions(acting)[0], acting)
        assert state.history[-1].startswith(state.rules.seats[acting])


def test_who_is_not_asked_has_no_actions():
    state = regelwerk.load("kalaha").new()
    assert state.actions(0) == state.actions() and state.actions("b") == []
    with pytest.raises(ValueError, match="not legal"):
        state.act(state.actions()[0], 1)


def test_the_arrays_stay():
    env = regelwerk.VectorEnv(regelwerk.load("kalaha"), 4)
    observations, masks = env.observations, env.masks
    before = observations.copy()
    env.step(env.sample())
    assert env.observations is observations and env.masks is masks
    assert not np.array_equal(observations, before)
