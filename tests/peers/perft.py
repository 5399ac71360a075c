"""Runs the rows of `rules/classics/perft.tsv` and compares them.

    REGELWERK=target/release/regelwerk python3 tests/peers/perft.py [--full] [GAME …]

Columns: game, settings (flags of the command line), position (`start`, or a position as `show` prints it),
depth, nodes, how (`quick`: at most about two seconds; `full`: longer), source.
"""

import os, subprocess, sys, time

from peer import ROOT, rules

program = os.environ.get("REGELWERK", "regelwerk")
chosen, full = [word for word in sys.argv[1:] if word != "--full"], "--full" in sys.argv
failed = 0
for line in open(os.path.join(ROOT, "rules", "classics", "perft.tsv"), encoding="utf-8"):
    if line.startswith("#") or not line.strip():
        continue
    game, settings, position, depth, nodes, how, _ = line.rstrip("\n").split("\t")
    if chosen and game not in chosen or how == "full" and not full or game == "game":
        continue
    flags = settings.split() + ([] if position == "start" else ["--position", position])
    begun = time.time()
    lines = subprocess.run(
        [program, "perft", rules(game), "--threads", "1", "--depth", depth, *flags], capture_output=True, text=True
    ).stdout.splitlines()
    found = lines[-1].split(": ")[-1] if lines else "nothing"
    failed += found != nodes
    verdict = "ok" if found == nodes else f"{found} instead of {nodes}"
    print(f"{game} {settings} depth {depth}: {verdict} ({time.time() - begun:.1f} s)", flush=True)
sys.exit(failed > 0)
