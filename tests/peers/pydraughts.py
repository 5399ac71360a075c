"""English, international and Russian draughts against pydraughts.

    pip install pydraughts
    REGELWERK=target/release/regelwerk python3 tests/peers/pydraughts.py [games]

Compared in every position: all legal moves, captures by their ends and by the set of what they take; and
that who cannot move has lost. Draws are not compared: the package has rules of its own for them.
"""

import sys

from draughts import Board

from peer import Server, compare, rules


def algebraic(name):
    """The names of the package's numbers."""
    if name == "standard":
        field = lambda n: (9 - (n - 1) // 5, 2 * ((n - 1) % 5))
        size = 10
    else:
        field = lambda n: ((n - 1) // 4, 2 * ((n - 1) % 4))
        size = 8
    names = {}
    for n in range(1, size * size // 2 + 1):
        row, column = field(n)
        if name == "english":
            column = 6 - column
        names[n] = "abcdefghij"[column + row % 2] + str(row + 1)
    return names


class Peer:
    def __init__(self, variant):
        self.board, self.names = Board(variant=variant), algebraic(variant)

    def moves(self):
        if not self.legal:
            return {}
        moves = {}
        for move in self.legal:
            start, end = self.names[move.steps_move[0]], self.names[move.steps_move[-1]]
            taken = sorted((self.names[n] for n in move.captures), key=lambda f: (int(f[1:]), f[0]))
            moves[f"{start}-{end}x{'+'.join(taken)}" if taken else f"move {start}-{end}"] = move
        return moves

    def play(self, move):
        self.board.push(move)

    def over(self):
        self.legal = self.board.legal_moves()
        return None if self.legal else True

    def result(self):
        if self.legal:
            return None
        white = {2: "white", 1: "black"}
        return {"black" if white.get(self.board.turn, "black") == "white" else "white"}


class Plain(Server):
    """Captures without the name of the action, which the package does not distinguish."""

    def moves(self):
        self.full = {}
        for move in super().moves():
            self.full[move.split(" ")[-1] if move.startswith("capture") else move] = move
        return list(self.full)

    def play(self, move):
        super().play(self.full[move])


def main():
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    for name, variant in [("english", "english"), ("international", "standard"), ("russian", "russian")]:
        game = f"{name}-draughts"
        compare(game, Plain(rules(game)), lambda server, variant=variant: Peer(variant), games)


main()
