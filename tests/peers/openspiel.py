"""Board games against OpenSpiel.

    pip install open_spiel
    REGELWERK=target/release/regelwerk python3 tests/peers/openspiel.py [--games N] [GAME …]
    python3 tests/peers/openspiel.py --perft 'breakthrough' 4        # counts with OpenSpiel alone

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


class Stopping(Peer):
    """The package may stop without a winner where our rules continue."""

    def over(self):
        over = self.state.is_terminal()
        return "stop" if over and not any(self.state.returns()) else over


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
    plain("lines-of-action", "lines_of_action", lambda s, _: s.replace("x", "-"), ["black", "white"], games, Stopping)

@adapter("amazons")
def amazons(games):
    # A turn is three actions there: "X From (row, column)" from the top, "To", "Shoot:".
    class Turns(Peer):
        def moves(self):
            site = lambda text: LETTERS[int(text.split(", ")[1][:-1]) - 1] + str(11 - int(text.split("(")[1].split(",")[0]))
            found = {}

            def walk(state, actions, names):
                if len(actions) == 3:
                    found["-".join(names)] = actions
                    return
                for action in state.legal_actions():
                    after = state.clone()
                    after.apply_action(action)
                    walk(after, actions + [action], names + [site(state.action_to_string(action))])

            walk(self.state, [], [])
            return found

        def play(self, actions):
            for action in actions:
                self.state.apply_action(action)

    # Every position has hundreds of moves: few games.
    plain("amazons", "amazons", None, ["white", "black"], max(1, games // 25), Turns)


@adapter("nine-mens-morris")
def nine_mens_morris(games):
    # Points are numbered by rows from the top. The package has a limit of its own on the length.
    points = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1".split()

    class Morris(Stopping):
        def __init__(self, game, text, seats):
            super().__init__(game, text, seats)
            self.text = lambda s, _: "-".join(points[int(n)] for n in s.split()[1:] if n != "->")

        def over(self):
            return super().over() or None  # our draws come first

        def result(self):
            return super().result() if self.state.is_terminal() else None

    class Bare(Server):
        """Jumps and moves are given by two points, whatever the action is called."""

        def moves(self):
            self.full = {move.split(" ")[-1]: move for move in super().moves()}
            return list(self.full)

        def play(self, move):
            super().play(self.full[move])

    played = pyspiel.load_game("nine_mens_morris")
    compare("nine-mens-morris", Bare(rules("nine-mens-morris")), lambda server: Morris(played, None, ["white", "black"]), games)


@adapter("go")
def go(games):
    # Columns without "i" there. The package ends the game at a repetition of the board (positional
    # superko) where we refuse it, with the same player to move; such positions are skipped.
    class Stones(Peer):
        def over(self):
            state = self.state
            if state.is_terminal():
                return True if self.passes == 2 else "stop"
            for action in state.legal_actions():
                if action == self.size * self.size:
                    continue
                after = state.clone()
                after.apply_action(action)
                if after.is_terminal():
                    return "stop"
            return False

        def play(self, action):
            self.passes = self.passes + 1 if action == self.size * self.size else 0
            super().play(action)

        passes, size = 0, 9

    def text(string, _):
        if string.endswith("PASS"):
            return "rest"
        column = "abcdefghjklmnopqrst".index(string[2])
        return LETTERS[column] + string[3:]

    plain("go", "go(board_size=9,komi=7.5)", text, ["black", "white"], games, Stones, ["--set", "size=9"])


@adapter("oware")
def oware(games):
    # Houses A to F of the first player, a to f of the second, each from its own left.
    text = lambda s, _: ("south" if s.isupper() else "north") + str("abcdef".index(s.lower()) + 1)
    plain("oware", "oware", text, ["south", "north"], games)


@adapter("dots-and-boxes")
def dots_and_boxes(games):
    # "P1(h,row,column)": rows of dots from the top.
    def text(string, _):
        way, row, column = string[3:-1].split(",")
        row, column = 2 * int(row), 2 * int(column)
        row, column = (row, column + 1) if way == "h" else (row + 1, column)
        return LETTERS[column] + str(9 - row)

    plain("dots-and-boxes", "dots_and_boxes(num_rows=4,num_cols=4)", text, ["anna", "ben"], games)


@adapter("quoridor")
def quoridor(games):
    # The package has a limit on the length. Cells from the top: "e8"; walls by the cell on their upper left: "h2h", "b5v".
    def text(string, _):
        column, row = LETTERS.index(string[0]), int(string[1])
        if len(string) == 2:
            return f"{LETTERS[2 * column]}{2 * (9 - row) + 1}"
        return f"{LETTERS[2 * column + 1]}{2 * (9 - row)}-{'flat' if string[2] == 'h' else 'upright'}"

    plain("quoridor", "quoridor", text, ["white", "black"], games, Stopping)


def perft(state, depth):
    """The number of sequences of exactly this many actions."""
    if depth == 0 or state.is_terminal():
        return int(depth == 0)
    if depth == 1:
        return len(state.legal_actions())
    return sum(perft(state.child(action), depth - 1) for action in state.legal_actions())


def main():
    warnings.simplefilter("ignore")
    words, games = sys.argv[1:], 50
    if "--perft" in words:
        state = pyspiel.load_game(words[1]).new_initial_state()
        return print(words[1], *(perft(state, depth) for depth in range(1, int(words[2]) + 1)))
    if "--games" in words:
        at = words.index("--games")
        games = int(words[at + 1])
        del words[at : at + 2]
    for name, run in ADAPTERS.items():
        if not words or name in words:
            run(games)


main()
