"""Counts the positions of peg solitaire reachable by a number of jumps.

    REGELWERK=target/release/regelwerk python3 tests/peers/solitaire.py [jumps]

Positions that are the same but for a rotation or a reflection count once. The numbers are those of
J. D. Beasley's book and of the On-Line Encyclopedia of Integer Sequences, A014225.
"""

import sys

from client import Server

PUBLISHED = [1, 1, 2, 8, 39, 171, 719, 2757, 9751, 31312]


def images(pegs):
    """The eight images of a set of holes, as (column, row) from the middle."""
    for flip in (1, -1):
        for turn in range(4):
            yield frozenset(
                [(flip * x, y), (-y, flip * x), (-flip * x, -y), (y, -flip * x)][turn] for x, y in pegs
            )


def canonical(pegs):
    return min(images(pegs), key=sorted)


def main():
    depth = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    with Server("rules/classics/peg-solitaire/peg-solitaire.rules") as server:
        server.new()
        holes = lambda view: frozenset((ord(s[0]) - 100, int(s[1:]) - 4) for s in view["pieces"])
        layer = {canonical(holes(server.view())): server.view()["position"]}
        for jumps in range(depth + 1):
            print(f"{jumps} jumps: {len(layer)} positions, {PUBLISHED[jumps]} published", flush=True)
            if len(layer) != PUBLISHED[jumps]:
                sys.exit("the numbers differ")
            following = {}
            for position in layer.values() if jumps < depth else ():
                server.load(position)
                for move in server.legal():
                    server.apply(move)
                    view = server.view()
                    following.setdefault(canonical(holes(view)), view["position"])
                    server.undo()
            layer = following


if __name__ == "__main__":
    main()
