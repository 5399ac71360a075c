"""Chess, Chess960 and three-check against python-chess.

    pip install chess
    REGELWERK=target/release/regelwerk python3 tests/peers/python_chess.py [games]

Compared in every position: all legal moves, whether the game is over and who won, the number of times
the position stood as far as it decides (`can claim`), and the counter of the fifty moves.
"""

import sys

import chess
import chess.variant

from peer import Server, compare, rules

NAMES = {chess.QUEEN: "queen", chess.ROOK: "rook", chess.BISHOP: "bishop", chess.KNIGHT: "knight"}
LETTERS = {"pawn": "p", "knight": "n", "bishop": "b", "rook": "r", "queen": "q", "king": "k"}


class Peer:
    def __init__(self, server, variant, chess960):
        self.server, self.three = server, variant is chess.variant.ThreeCheckBoard
        self.board = variant(chess960=chess960)
        if chess960:
            pieces = server.call("view", game=server.open, who="referee")["pieces"]
            row = "".join(LETTERS[pieces[f + "8"].split(".")[0]] for f in "abcdefgh")
            self.board.set_fen(f"{row}/pppppppp/8/8/8/8/PPPPPPPP/{row.upper()} w KQkq - 0 1")

    def text(self, move):
        board, kind = self.board, self.board.piece_type_at(move.from_square)
        if board.is_castling(move):
            return "kingside" if board.is_kingside_castling(move) else "queenside"
        squares = f"{chess.square_name(move.from_square)}-{chess.square_name(move.to_square)}"
        if move.promotion:
            return f"{squares}-{NAMES[move.promotion]}"
        if board.is_en_passant(move):
            return "capture_passed " + squares
        return ("push " if kind == chess.PAWN else "move ") + squares

    def moves(self):
        # Claims of a draw are not moves; this checks whether they are due.
        board, server = self.board, self.server
        for claim, due in [("repetition", board.is_repetition(3)), ("fifty", board.halfmove_clock >= 100)]:
            ours = server.call("why", game=server.open, who="referee", move=f"claim {claim}")["legal"]
            assert ours == due, (claim, ours, due, board.fen(), server.position())
        return {self.text(move): move for move in board.legal_moves}

    def play(self, move):
        self.board.push(move)

    def over(self):
        board = self.board
        if board.is_checkmate() or board.is_stalemate() or board.is_fivefold_repetition() or board.is_variant_end():
            return True
        if board.halfmove_clock >= 150:
            return True
        return not self.three and board.is_insufficient_material()

    def result(self):
        board = self.board
        if self.three and board.is_variant_end() or board.is_checkmate():
            return {"black" if board.turn else "white"}
        return set()


def main():
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    for title, flags, variant, chess960 in [
        ("chess", [], chess.Board, False),
        ("chess960", ["--variant", "chess960"], chess.Board, True),
        ("three-check", ["--variant", "three_check"], chess.variant.ThreeCheckBoard, False),
    ]:
        start = lambda server, variant=variant, chess960=chess960: Peer(server, variant, chess960)
        compare(title, Server(rules("chess"), *flags), start, games)


main()
