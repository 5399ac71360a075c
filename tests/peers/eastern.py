"""Xiangqi against OpenSpiel, and shogi against python-shogi.

    pip install open_spiel python-shogi
    REGELWERK=target/release/regelwerk python3 tests/peers/eastern.py [games]

Compared in every position: all legal moves, and whether the game is over by mate or stalemate, and who
won. What the packages say of repetition differs from the rules here and among themselves; a game that
one side ends so is left there.
"""

import re
import sys

import pyspiel
import shogi

from peer import Server, compare, rules


def by_repetition(server):
    outcome = server.state["outcome"]
    return outcome is not None and outcome["rule"] == "repeated"


class Xiangqi:
    def __init__(self, server):
        self.server = server
        self.state = pyspiel.load_game("xiangqi").new_initial_state()

    def text(self, action):
        """`H(9,1)-(7,2)`, rows counted from Black's side, is `b1-c3`."""
        a, b, c, d = re.search(r"\((\d),(\d)\)-\((\d),(\d)\)", self.state.action_to_string(action)).groups()
        return f"{chr(97 + int(b))}{10 - int(a)}-{chr(97 + int(d))}{10 - int(c)}"

    def moves(self):
        return {self.text(action): action for action in self.state.legal_actions()}

    def play(self, action):
        self.state.apply_action(action)

    def over(self):
        if by_repetition(self.server) or self.state.is_terminal() and not self.server.state["over"]:
            return "stop"
        return self.state.is_terminal()

    def result(self):
        return {seat for seat, value in zip(("red", "black"), self.state.returns()) if value > 0}


class Shogi:
    kinds = dict(p="pawn", l="lance", n="knight", s="silver", g="gold", b="bishop", r="rook")

    def __init__(self, server):
        self.server, self.board = server, shogi.Board()

    @staticmethod
    def square(text):
        """Files run from 9 at Black's left, ranks from `i` at Black's side."""
        return f"{chr(97 + 9 - int(text[0]))}{ord('i') - ord(text[1]) + 1}"

    def text(self, move):
        usi = move.usi()
        if usi[1] == "*":
            return f"drop {self.kinds[usi[0].lower()]}-{self.square(usi[2:4])}"
        return f"{'promote' if usi.endswith('+') else 'move'} {self.square(usi[:2])}-{self.square(usi[2:4])}"

    def short(self, text, ours):
        """Regelwerk omits the name of the action where the move is unambiguous."""
        return text if text in ours else text.partition(" ")[2]

    def moves(self):
        ours = set(self.server.moves())
        return {self.short(self.text(move), ours): move for move in self.board.legal_moves}

    def play(self, move):
        self.board.push(move)

    def over(self):
        if by_repetition(self.server):
            return "stop"
        # Stalemate loses, too.
        return not any(True for _ in self.board.legal_moves)

    def result(self):
        return {"white" if self.board.turn == shogi.BLACK else "black"}


if __name__ == "__main__":
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    compare("xiangqi, OpenSpiel", Server(rules("xiangqi")), Xiangqi, games=games)
    compare("shogi, python-shogi", Server(rules("shogi")), Shogi, games=games)
