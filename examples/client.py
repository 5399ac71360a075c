"""Plays one random game over `regelwerk serve-stdio` and prints its outcome.

    python3 examples/client.py kalaha --players 3 --seed 7

All arguments go to the server. REGELWERK names the program where it is not on the path.
"""

import json, os, random, subprocess, sys

program = [os.environ.get("REGELWERK", "regelwerk"), "serve-stdio", *sys.argv[1:]]
server = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")


def receive():
    line = server.stdout.readline()
    return json.loads(line) if line else sys.exit("the server has gone")


def call(method, **params):
    server.stdin.write(json.dumps({"id": method, "method": method, "params": params}) + "\n")
    server.stdin.flush()
    response = receive()
    if "error" in response:
        sys.exit("{message}; {cure}".format(**response["error"]))
    return response["result"]


assert receive()["protocol"] == 1
game, dice = call("new"), random.Random(0)
state, seats = game["state"], [seat["name"] for seat in game["seats"]]
while not state["over"]:
    asked = [state["asked"]] if state["asked"] else seats  # in a race, whoever may act
    moves = [(seat, move) for seat in asked for move in call("legal", who=seat)["moves"]]
    who, move = dice.choice(moves or [("referee", "wait")])  # nobody acts before the deadline
    state = call("apply", who=who, move=move)["state"]
print(state["outcome"]["text"])
call("quit")
