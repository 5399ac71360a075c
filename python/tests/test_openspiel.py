"""OpenSpiel's own test and algorithms, for games without races."""

import pytest
import regelwerk

pyspiel = pytest.importorskip("pyspiel")

import regelwerk.openspiel
from open_spiel.python.algorithms import cfr, exploitability, expected_game_score, mcts

FITTING = [game for game in regelwerk.games() if "race" not in regelwerk.load(game).asks]
SMALL = {"kalaha", "kuhn-poker", "hearts", "hai-noon", "tic-tac-toe", "backgammon", "goofspiel", "pig"}
CHOSEN = [game if game in SMALL else pytest.param(game, marks=pytest.mark.slow) for game in FITTING]


@pytest.mark.parametrize("game", CHOSEN)
def test_random_games(game):
    pyspiel.random_sim_test(regelwerk.openspiel.load(game, cap=400), num_sims=1, serialize=False, verbose=False)


def test_states_can_be_stored():
    pyspiel.random_sim_test(regelwerk.openspiel.load("kalaha"), num_sims=1, serialize=True, verbose=False)


def kuhn():
    return regelwerk.openspiel.load("kuhn-poker", payoff="scores", max_utility=2)


def test_kuhn_has_twelve_information_states():
    """Kuhn 1950: each player has three cards, and two histories at which it decides."""
    found = [set(), set()]

    def visit(state):
        if state.is_terminal():
            return
        if not state.is_chance_node():
            player = state.current_player()
            found[player].add(state.information_state_string(player))
        for action in [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions():
            visit(state.child(action))

    visit(kuhn().new_initial_state())
    assert [len(states) for states in found] == [6, 6]


def test_cfr_on_kuhn():
    """The value of the game is -1/18 for the first player (Kuhn 1950)."""
    game = kuhn()
    solver = cfr.CFRPlusSolver(game)
    for _ in range(120):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [average] * 2)
    assert values[0] == pytest.approx(-1 / 18, abs=2e-3)
    assert exploitability.exploitability(game, average) < 5e-3


def test_kuhn_is_exploited_as_openspiels_own():
    """The uniform policy loses as much to a best response as in the game of OpenSpiel."""
    from open_spiel.python import policy

    ours, theirs = kuhn(), pyspiel.load_game("kuhn_poker")
    found = [exploitability.exploitability(game, policy.UniformRandomPolicy(game)) for game in (ours, theirs)]
    assert found[0] == pytest.approx(found[1])


def solved(game, rounds):
    """What seats get under the average policy of CFR+, and how much they could gain by deviating."""
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(rounds):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    return pyspiel.expected_returns(game.new_initial_state(), policy, -1, False), pyspiel.exploitability(game, policy)


def test_cfr_on_the_tree_of_kuhn():
    """Both players know their part of the value, -1/18 (Kuhn 1950)."""
    values, gain = solved(regelwerk.openspiel.tree(kuhn()), 1000)
    assert values[0] == pytest.approx(-1 / 18, abs=1e-3) and values[1] == pytest.approx(1 / 18, abs=1e-3)
    assert gain < 1e-3


@pytest.mark.parametrize("rounds", [1, 10, 100])
def test_policies_for_kuhn_are_exploited_as_those_for_openspiels_own(rounds):
    """Not only in the end: after every round of CFR+ both have learned the same."""
    values, gain = solved(regelwerk.openspiel.tree(kuhn()), rounds)
    known, known_gain = solved(pyspiel.load_game("kuhn_poker"), rounds)
    assert values == pytest.approx(known, abs=1e-9) and gain == pytest.approx(known_gain, abs=1e-9)


def test_a_large_tree_is_refused():
    with pytest.raises(regelwerk.UnfitError, match="more than 50 positions"):
        regelwerk.openspiel.to_efg(regelwerk.openspiel.load("tic-tac-toe"), most=50)


@pytest.fixture(scope="module")
def leduc():
    """Both games of Leduc: ours as a tree, OpenSpiel's own."""
    ours = regelwerk.openspiel.load("leduc-poker", payoff="scores", max_utility=13)
    return regelwerk.openspiel.tree(ours), pyspiel.load_game("leduc_poker")


@pytest.mark.slow
def test_cfr_on_leduc(leduc):
    """The value for the first player is -0.0856 (Lanctot et al. 2019), and both games are exploited alike."""
    (values, gain), (known, known_gain) = (solved(game, 300) for game in leduc)
    # The value is within the exploitability of what the average policies give.
    assert gain < 5e-3 and values[0] == pytest.approx(-0.0856, abs=5e-3)
    # The order of positions in memory decides how sums are rounded, and rounding adds up over the rounds.
    assert values == pytest.approx(known, abs=1e-5) and gain == pytest.approx(known_gain, abs=2e-4)


@pytest.mark.slow
def test_leduc_is_exploited_as_openspiels_own(leduc):
    """A best response looks at the whole game: cards, bets and pay are those of OpenSpiel's Leduc."""
    found = [pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game)) for game in leduc]
    assert found[0] == pytest.approx(found[1], abs=1e-9)


@pytest.mark.slow
def test_mcts_on_kalaha_beats_random():
    import numpy as np

    game = regelwerk.openspiel.load("kalaha")
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 20, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    won = 0
    for number in range(2):
        state = game.new_initial_state()
        while not state.is_terminal():
            mine = state.current_player() == number % 2
            state.apply_action(bot.step(state) if mine else int(rng.choice(state.legal_actions())))
        won += state.returns()[number % 2] > 0
    assert won == 2
