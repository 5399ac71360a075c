"""Plays a compiled game: python3 examples/module/host.py GAME.wasm (needs `wasmtime` from PyPI)."""
import json
import sys

import wasmtime


def section(data):
    """The description: the custom section `regelwerk`."""
    def number(at):
        n = shift = 0
        while True:
            n |= (data[at] & 127) << shift
            at, shift = at + 1, shift + 7
            if data[at - 1] < 128:
                return n, at
    at = 8
    while at < len(data):
        kind, (size, begin) = data[at], number(at + 1)
        length, name = number(begin)
        if kind == 0 and data[name:name + length] == b"regelwerk":
            return json.loads(data[name + length:begin + size])
        at = begin + size


data = open(sys.argv[1], "rb").read()
game, store = section(data), wasmtime.Store()
play = wasmtime.Instance(store, wasmtime.Module(store.engine, data), []).exports(store)
call = lambda name, *args: play[name](store, *args)
names = {"site": game["sites"], "seat": game["seats"]}


def answer(n):
    number = call("action", n)
    if number < 0:
        return {-1: "decline", -2: "pass"}.get(number, f"pick {call('argument', n, 0)}")
    action = game["actions"][number]
    values = [call("argument", n, k) for k in range(len(action["parameters"]))]
    shown = [names[p["type"]][v] if p["type"] in names else v for p, v in zip(action["parameters"], values)]
    return " ".join(map(str, [action["name"], *shown]))


# One game: the seats answer by a rule of their own, chance by the seed.
call("seed", 1, 0, 0)
call("start")
while call("ask") != 0 and call("ply") < 30:
    if call("ask") == 3:
        call("draw")
    else:
        chosen = (7 * call("ply") + 3) % call("count")
        print(f"{call('ply')} {game['seats'][call('seat')]}: {answer(chosen)}")
        call("apply", chosen)

# A thousand random games, and who won.
won = [0] * len(game["seats"])
for number in range(1000):
    call("seed", 1, 0, number)
    call("start")
    call("playout", 200)
    for seat in range(len(won)):
        won[seat] += call("verdict", seat) == 1
print(", ".join(f"{seat} {n}" for seat, n in zip(game["seats"], won)))
