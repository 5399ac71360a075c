"""Holds a game of Regelwerk against another program's idea of it.

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

import json, os, random, subprocess, sys, time

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def rules(name):
    """The rule file of a classic."""
    return os.path.join(ROOT, "rules", "classics", name, name + ".rules")


class Server:
    """One `regelwerk serve-stdio` with one game at a time."""

    def __init__(self, game, *flags):
        program = [os.environ.get("REGELWERK", "regelwerk"), "serve-stdio", game, *flags]
        self.process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.open = None
        greeting = self.process.stdout.readline()
        if not greeting:
            sys.exit(f"`{' '.join(program)}` does not start")

    def call(self, method, **params):
        self.process.stdin.write(json.dumps({"id": 1, "method": method, "params": params}) + "\n")
        self.process.stdin.flush()
        response = json.loads(self.process.stdout.readline())
        if "error" in response:
            raise RuntimeError(f"{method} {params}: {response['error']}")
        return response["result"]

    def begin(self, **params):
        """Begins a game, or loads a position, and forgets the one before."""
        if self.open is not None:
            self.call("close", game=self.open)
        begun = self.call("load" if "position" in params else "new", **params)
        self.open, self.state = begun["game"], begun["state"]

    def moves(self):
        return self.call("legal", game=self.open, who="referee", limit=100000)["moves"]

    def play(self, move):
        self.state = self.call("apply", game=self.open, who="referee", move=move)["state"]

    def winners(self):
        seats = self.state["outcome"]["seats"]
        return {seat for seat, how in seats.items() if how["verdict"] == "win"}

    def position(self):
        return self.call("view", game=self.open, who="referee")["position"]


def differ(server, what, ours, theirs, played):
    print(f"{what}\n  ours only:   {sorted(ours - theirs)}\n  theirs only: {sorted(theirs - ours)}")
    print(f"  {server.position()}\n  after {played}")
    sys.exit(1)


def compare(title, server, start, games=50, plies=400, seed=0, choose=None, **settings):
    """`start()` makes a peer at the beginning; `choose` may prefer some moves."""
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
