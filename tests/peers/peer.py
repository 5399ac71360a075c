"""Compares a game of Regelwerk with another program's version of it.

A peer is an object with

    moves()        the legal moves, as a dict from our notation to the peer's own move
    play(move)     plays one of the peer's own moves
    over()         whether the game is over, or None where that is not compared, or `stop` where the
                   peer can go on no further
    result()       who won: a set of seat names, empty for a draw, or None if it cannot be said

`compare` plays random games and holds, in every position, the complete set of legal moves, and whether
and how the game is over, against what `regelwerk serve-stdio` says. The first difference ends it.

REGELWERK names the program where it is not on the path.
"""

import os, random, sys, time

import client

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def rules(name):
    """The rule file of a classic."""
    return os.path.join(ROOT, "rules", "classics", name, name + ".rules")


class Server(client.Server):
    """What `compare` needs of a server: one game at a time, played as the referee."""

    @property
    def open(self):
        return self.game

    def begin(self, **params):
        """Begins a game, or loads a position, and forgets the one before."""
        (self.load if "position" in params else self.new)(**params)

    def moves(self):
        return self.legal()

    def play(self, move):
        self.apply(move)

    def winners(self):
        return {seat for seat, verdict in zip(self.seats, self.verdicts()) if verdict == "win"}

    def position(self):
        return self.view()["position"]


def differ(server, what, ours, theirs, played):
    print(f"{what}\n  ours only:   {sorted(ours - theirs)}\n  theirs only: {sorted(theirs - ours)}")
    print(f"  {server.position()}\n  after {played}")
    sys.exit(1)


def compare(title, server, start, games=50, plies=400, seed=0, choose=None, **settings):
    """`start()` creates a peer at the start of a game; `choose` may prefer some moves."""
    dice, positions, ended, begun = random.Random(seed), 0, 0, time.time()
    for _ in range(games):
        server.begin(**{"seed": dice.randrange(1 << 32), **settings})
        peer, played = start(server), []
        while len(played) < plies:
            positions += 1
            over = peer.over()
            if over == "stop":
                break
            if over is not None and server.state["over"] != over:
                differ(server, f"{title}: over here {server.state['over']}, there {over}", set(), set(), played)
            if server.state["over"]:
                ended += 1
                ours, theirs = server.winners(), peer.result()
                if theirs is not None and ours != theirs:
                    differ(server, f"{title}: winners", ours, theirs, played)
                break
            ours, theirs = server.moves(), peer.moves()
            if set(ours) != set(theirs) or len(ours) != len(set(ours)):
                differ(server, f"{title}: legal moves", set(ours), set(theirs), played)
            move = choose(dice, ours) if choose else dice.choice(ours)
            server.play(move)
            peer.play(theirs[move])
            played.append(move)
    print(f"{title}: {games} games, {ended} to their end, {positions} positions agree, {time.time() - begun:.0f} s")
