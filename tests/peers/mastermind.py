"""Classifies all 1,296 codes of Mastermind by the rules' answer to Knuth's first guess.

    REGELWERK=target/release/regelwerk python3 tests/peers/mastermind.py

D. E. Knuth, The Computer as Master Mind (1976), has the numbers: after 1122 at most 256 codes are left.
"""

import itertools
import sys
from collections import Counter

from client import Server

COLOURS = ["red", "orange", "yellow", "green", "blue", "violet"]
# (black, white) -> codes left after the guess 1122.
KNUTH = {
    (0, 0): 256, (0, 1): 256, (0, 2): 96, (0, 3): 16, (0, 4): 1,
    (1, 0): 256, (1, 1): 208, (1, 2): 36,
    (2, 0): 114, (2, 1): 32, (2, 2): 4,
    (3, 0): 20,
    (4, 0): 1,
}  # fmt: skip


def main():
    found = Counter()
    with Server("rules/classics/mastermind/mastermind.rules") as server:
        server.new()
        for code in itertools.product(COLOURS, repeat=4):
            server.apply("-".join(code))
            server.apply("red-red-orange-orange")
            tokens = server.view()["tokens"]
            found[tokens.get("black", {}).get("e1", 0), tokens.get("white", {}).get("e1", 0)] += 1
            server.undo()
            server.undo()
    print(", ".join(f"{black} black {white} white: {number}" for (black, white), number in sorted(found.items())))
    sys.exit(found != KNUTH and "the numbers differ")


if __name__ == "__main__":
    main()
