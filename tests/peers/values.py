"""Solves small games with hidden information from their rules alone, by the sequence form.

    pip install scipy
    REGELWERK=target/release/regelwerk python3 tests/peers/values.py [GAME ...]

The whole game tree is walked through the protocol: every outcome of chance, every legal move. What a
seat knows at a decision is what it has been told so far, so the information sets come from the rules
(who sees what) as well. A linear program then gives the value, which must be the published one.
"""

import sys
from fractions import Fraction

import numpy
from scipy.optimize import linprog
from scipy.sparse import lil_matrix

from client import Server


class Tree:
    """Sequences, information sets and payoffs of a two-player game."""

    def __init__(self, server, selection):
        self.server = server
        self.server.new(chance="client", **selection)
        self.sequences = [{(): 0}, {(): 0}]  # for each seat: (information set, move) -> number
        self.sets = [{}, {}]  # for each seat: information set -> (sequence that leads there, its moves)
        self.payoff = {}  # (sequence of the first, of the second) -> sum of chance times score
        self.nodes = 0
        self.walk(Fraction(1), [0, 0])

    def walk(self, chance, reached):
        self.nodes += 1
        server = self.server
        if server.over:
            key = tuple(reached)
            score = server.scores()[0]
            if score is None:  # a game without points: won or lost
                score = {"win": 1, "draw": 0, "loss": -1}[server.verdicts()[0]]
            self.payoff[key] = self.payoff.get(key, 0) + chance * score
            return
        moves = server.legal()
        if server.state["ask"] == "chance":
            for move in moves:
                server.apply(move)
                self.walk(chance / len(moves), reached)
                server.undo()
            return
        seat = server.seats.index(server.asked)
        # A view has the seat's own cards, events what it was told: together everything under perfect recall.
        known = (server.view(server.asked)["position"], tuple(server.events(server.asked)))
        self.sets[seat].setdefault(known, (reached[seat], moves))
        if self.sets[seat][known] != (reached[seat], moves):
            sys.exit(f"one information set, two histories: {known}")
        for move in moves:
            number = self.sequences[seat].setdefault((known, move), len(self.sequences[seat]))
            below = list(reached)
            below[seat] = number
            server.apply(move)
            self.walk(chance, below)
            server.undo()

    def constraints(self, seat):
        """A realization plan: the empty sequence has weight 1, and what leads to a set flows on from it."""
        rows = lil_matrix((len(self.sets[seat]) + 1, len(self.sequences[seat])))
        rows[0, 0] = 1
        for row, (known, (before, moves)) in enumerate(self.sets[seat].items(), 1):
            rows[row, before] = -1
            for move in moves:
                rows[row, self.sequences[seat][(known, move)]] = 1
        return rows.tocsr()

    def value(self):
        """The value for the first seat under optimal play: the greatest v(0) with A'x >= F'v, Ex = e, x >= 0."""
        plans, answers = self.constraints(0), self.constraints(1)
        first, second = plans.shape[1], answers.shape[1]
        payoff = lil_matrix((second, first))
        for (mine, theirs), score in self.payoff.items():
            payoff[theirs, mine] = float(score)
        size = first + answers.shape[0]
        goal = numpy.zeros(size)
        goal[first] = -1
        bound = lil_matrix((second, size))
        bound[:, :first] = -payoff
        bound[:, first:] = answers.T
        equal = lil_matrix((plans.shape[0], size))
        equal[:, :first] = plans
        right = numpy.zeros(plans.shape[0])
        right[0] = 1
        bounds = [(0, None)] * first + [(None, None)] * answers.shape[0]
        solved = linprog(goal, bound.tocsr(), numpy.zeros(second), equal.tocsr(), right, bounds, method="highs")
        return -solved.fun


# rules, selection, published value, source
GAMES = [
    ("kuhn-poker", {}, -1 / 18, "Kuhn 1950"),
    ("liars-dice", {"options": {"dice": 1}}, -7 / 258, "the tree of OpenSpiel's liars_dice by the same program"),
    ("leduc-poker", {}, -0.085606424, "computed by OpenSpiel's sequence_form_lp from its own game"),
]


def main():
    for name, selection, published, source in GAMES:
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        with Server(f"rules/classics/{name}/{name}.rules") as server:
            tree = Tree(server, selection)
        value = tree.value()
        sets = len(tree.sets[0]), len(tree.sets[1])
        agrees = abs(value - published) < 1e-6
        print(f"{name}: {tree.nodes} nodes, {sets[0]} and {sets[1]} information sets, value {value:.6f}; {published:.6f} ({source})")
        if not agrees:
            sys.exit("the values differ")


if __name__ == "__main__":
    main()
