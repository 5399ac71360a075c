"""Board games against OpenSpiel.

    pip install open_spiel
    REGELWERK=target/release/regelwerk python3 tests/peers/openspiel.py [--games N] [GAME …]

Compared in every position: all legal moves, whether the game is over, and who won. Each adapter below says
how one package's moves are written in our notation, and what its rules have otherwise.
"""

import sys, warnings

import pyspiel

from peer import Server, compare, rules

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Peer:
    """`text(string)` turns OpenSpiel's string for an action into ours."""

    def __init__(self, game, text, seats, plies=None):
        self.state, self.text, self.seats, self.plies = game.new_initial_state(), text, seats, plies

    def moves(self):
        state = self.state
        player = state.current_player()
        return {self.text(state.action_to_string(player, action), state): action for action in state.legal_actions()}

    def play(self, action):
        self.state.apply_action(action)

    def over(self):
        return self.state.is_terminal()

    def result(self):
        returns = self.state.returns()
        return {seat for seat, points in zip(self.seats, returns) if points > 0}


ADAPTERS = {}


def adapter(name):
    return lambda function: ADAPTERS.setdefault(name, function)


def plain(name, game, text, seats, games, peer=Peer, settings=None, **more):
    played = pyspiel.load_game(game)
    start = lambda server: peer(played, text, seats)
    compare(name, Server(rules(name), *(settings or [])), start, games, **more)


@adapter("tic-tac-toe")
def tic_tac_toe(games):
    # "x(row,column)" from the top.
    plain("tic-tac-toe", "tic_tac_toe", lambda s, _: LETTERS[int(s[4])] + str(3 - int(s[2])), ["cross", "nought"], games)


@adapter("reversi")
def reversi(games):
    plain("reversi", "othello", lambda s, _: s, ["black", "white"], games)


@adapter("connect-four")
def connect_four(games):
    # Columns only: the row follows from the drawing.
    def text(string, state):
        column, lines = int(string[1:]), str(state).split()
        return LETTERS[column] + str(1 + sum(line[column] != "." for line in lines))

    plain("connect-four", "connect_four", text, ["yellow", "red"], games)


@adapter("breakthrough")
def breakthrough(games):
    # Black begins there: rows are mirrored. "a7a6", "a7b6*" for a capture.
    text = lambda s, _: f"{s[0]}{9 - int(s[1])}-{s[2]}{9 - int(s[3])}"
    plain("breakthrough", "breakthrough", text, ["white", "black"], games)


@adapter("hex")
def hex_(games):
    # The first player joins top and bottom there. Our rows are letters.
    text = lambda s, _: LETTERS[int(s[1:]) - 1] + str(LETTERS.index(s[0]) + 1)
    plain("hex", "hex", text, ["red", "blue"], games, settings=["--set", "pie=false"])


@adapter("gomoku")
def gomoku(games):
    # "row,column" from 0. Five or more win.
    text = lambda s, _: LETTERS[int(s.split(",")[1])] + str(int(s.split(",")[0]) + 1)
    plain("gomoku", "gomoku", text, ["black", "white"], games)


@adapter("lines-of-action")
def lines_of_action(games):
    # "b1-b3", "c1xa3". The package draws on the second repetition, we on the third.
    class Peer2(Peer):
        def over(self):
            over = self.state.is_terminal()
            return "stop" if over and not any(self.state.returns()) else over

    plain("lines-of-action", "lines_of_action", lambda s, _: s.replace("x", "-"), ["black", "white"], games, Peer2)


def main():
    warnings.simplefilter("ignore")
    words, games = sys.argv[1:], 50
    if "--games" in words:
        at = words.index("--games")
        games = int(words[at + 1])
        del words[at : at + 2]
    for name, run in ADAPTERS.items():
        if not words or name in words:
            run(games)


main()
