"""A client of `regelwerk serve-stdio` for comparisons with other programs.

    with Server("rules/classics/kuhn-poker/kuhn-poker.rules") as server:
        server.new(seed=1)
        server.legal()              # the moves of whoever is asked, as texts
        server.apply("check")       # as the referee
        server.view("spectator")

REGELWERK names the program where it is not on the path. docs/protocol.md has the methods.
"""

import json
import os
import subprocess


class Refused(Exception):
    """The server answered with an error."""


class Server:
    def __init__(self, *arguments):
        program = [os.environ.get("REGELWERK", "regelwerk"), "serve-stdio", "--max-steps", "1000000", *arguments]
        self.process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.greeting = self._receive()
        self.game = None
        self.state = None
        self.seats = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def _receive(self):
        line = self.process.stdout.readline()
        if not line:
            raise Refused("the server has gone")
        return json.loads(line)

    def call(self, method, **params):
        """One request; its result, or `Refused`."""
        if self.game is not None and method not in ("new", "load", "describe", "games"):
            params.setdefault("game", self.game)
        self.process.stdin.write(json.dumps({"id": method, "method": method, "params": params}) + "\n")
        self.process.stdin.flush()
        response = self._receive()
        if "error" in response:
            raise Refused("{method} {params}: {error}".format(method=method, params=params, error=response["error"]))
        return response["result"]

    def _begin(self, method, params):
        if self.game is not None:
            self.call("close")
            self.game = None
        result = self.call(method, **params)
        self.game, self.state = result["game"], result["state"]
        self.seats = [seat["name"] for seat in result["seats"]]
        return result

    def new(self, **selection):
        """Begins a game and closes the one before."""
        return self._begin("new", selection)

    def load(self, position, **selection):
        """Begins a game at a position and closes the one before."""
        return self._begin("load", dict(selection, position=position))

    def legal(self, who="referee"):
        """All legal moves (or outcomes of chance), page by page."""
        moves, start = [], 0
        while start is not None:
            page = self.call("legal", who=who, **{"from": start})
            moves += page["moves"]
            start = page["next"]
        return moves

    def apply(self, move, who="referee"):
        result = self.call("apply", who=who, move=move)
        self.state = result["state"]
        return result

    def undo(self):
        self.state = self.call("undo", who="referee")["state"]

    def view(self, who="referee"):
        return self.call("view", who=who)

    def zones(self, who="referee"):
        """The contents of the zones, as `who` sees them."""
        return self.view(who)["zones"]

    def events(self, who):
        """Everything `who` has been told so far, as pairs of step and text."""
        told, start = [], 0
        while start is not None:
            page = self.call("events", who=who, **{"from": start})
            told += [(event["step"], event["text"]) for event in page["events"]]
            start = page["next"]
        return told

    @property
    def asked(self):
        return self.state["asked"]

    @property
    def over(self):
        return self.state["over"]

    def scores(self):
        """The score of each seat, in the order of the seats; None while the rules give none."""
        seats = self.state["outcome"]["seats"]
        return [seats[name]["score"] for name in self.seats]

    def verdicts(self):
        """`win`, `draw`, `loss` or `open` of each seat, in the order of the seats."""
        seats = self.state["outcome"]["seats"]
        return [seats[name]["verdict"] for name in self.seats]
