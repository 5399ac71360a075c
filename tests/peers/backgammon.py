"""Plays random games of backgammon in Regelwerk and in OpenSpiel at once.

    pip install open_spiel
    REGELWERK=target/release/regelwerk python3 tests/peers/backgammon.py [--games N]

OpenSpiel plays two checkers in one action, Regelwerk one checker in one move. So what is compared at
every decision is the set of boards that can be reached: by all actions there, by all sequences of up
to two moves here. A difference ends the run with both sides shown.
"""

import argparse
import random
import re
import sys
import time

import pyspiel

from client import Server

RULES = "rules/classics/backgammon/backgammon.rules"
BAR = 100


def board_here(server):
    """Both players' checkers as (seat, point as OpenSpiel counts it) -> number."""
    board = {}
    for part in server.view()["position"].split(" | "):
        found = re.match(r"checker\.(white|black): (.*)", part)
        if not found:
            continue
        player = server.seats.index(found[1])
        for site, _, number in (entry.partition("*") for entry in found[2].split()):
            if not site.endswith("_off"):
                point = BAR if site.endswith("_bar") else 24 - int(site[1:])
                board[player, point] = int(number or 1)
    return frozenset(board.items())


def board_there(state):
    board = {(p, n): state.board(p, n) for p in (0, 1) for n in [*range(24), BAR]}
    return frozenset((key, number) for key, number in board.items() if number)


def reachable(server, player, depth):
    """Boards after up to `depth` more moves of the same turn, each with one way to get there."""
    if depth == 0 or server.over or server.asked != player:
        return {board_here(server): ()}
    found = {}
    for move in server.legal():
        server.apply(move)
        for board, way in reachable(server, player, depth - 1).items():
            found.setdefault(board, (move, *way))
        server.undo()
    return found


def throw(server, state, dice):
    """Throws in both programs. Two different numbers say who begins."""
    first, thrown = state.move_number() == 0, []
    for _ in range(2):
        thrown.append(int(dice.choice(server.legal())))
        server.apply(str(thrown[-1]))
    # In the throw that says who begins, OpenSpiel names the lower die first if X does.
    if first:
        thrown.sort(reverse=thrown[0] < thrown[1])
    for outcome, _ in state.chance_outcomes():
        if f"roll: {thrown[0]}{thrown[1]})" in state.action_to_string(outcome):
            state.apply_action(outcome)
            return
    sys.exit(f"OpenSpiel does not throw {thrown}")


def play_through(server, game, dice):
    server.new(chance="client")
    state, decisions, boards = game.new_initial_state(), 0, 0
    while not server.over:
        if not state.is_chance_node() and (server.state["ask"] == "chance"):
            # OpenSpiel asks a player who cannot move to pass.
            if len(state.legal_actions()) != 1 or board_there(state.child(state.legal_actions()[0])) != board_there(state):
                sys.exit(f"only OpenSpiel has moves\n{server.view()['position']}\n{state}")
            state.apply_action(state.legal_actions()[0])
            continue
        if state.is_chance_node():
            throw(server, state, dice)
            continue
        if state.current_player() != server.seats.index(server.asked):
            sys.exit(f"not the same player\n{server.view()['position']}\n{state}")
        here = reachable(server, server.asked, 2)
        there = {board_there(state.child(action)): action for action in state.legal_actions()}
        if set(here) != set(there):
            print("only Regelwerk:", [here[b] for b in set(here) - set(there)])
            print("only OpenSpiel:", [state.action_to_string(there[b]) for b in set(there) - set(here)])
            sys.exit(f"{server.view()['position']}\n{state}")
        decisions, boards = decisions + 1, boards + len(here)
        board = dice.choice(sorted(here, key=sorted))
        for move in here[board]:
            server.apply(move)
        state.apply_action(there[board])
    if not state.is_terminal() or server.scores() != list(state.returns()):
        sys.exit(f"not the same end: {server.scores()} {state.returns()}\n{server.view()['position']}\n{state}")
    return decisions, boards


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    game, dice, began = pyspiel.load_game("backgammon(scoring_type=full_scoring)"), random.Random(arguments.seed), time.time()
    totals = [0, 0]
    with Server(RULES) as server:
        for _ in range(arguments.games):
            totals = [a + b for a, b in zip(totals, play_through(server, game, dice))]
    print(
        f"backgammon: {arguments.games} games, {totals[0]} decisions with {totals[1]} boards within reach and all "
        f"returns agree with OpenSpiel ({time.time() - began:.0f} s)"
    )


if __name__ == "__main__":
    main()
