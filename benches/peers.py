"""Random playouts beside OpenSpiel's own games, by processor time, in one run.

    pip install open_spiel
    cargo build --release
    python3 benches/peers.py [--seconds S] [GAME …]

Both sides play whole games uniformly at random, cut off after as many decisions. OpenSpiel is driven the way its
users drive it, by a loop in Python over `legal_actions` and `apply_action`; its C++ alone is two to six times as
fast. Ours is `regelwerk simulate` on one thread, what loading takes left out; and, where the program is built with
`--features native` and the game compiles, `regelwerk bench --native`.

Board games are compared by decisions a second. Where the two count decisions differently (dice, deals, several
choices to a turn) they are compared by games a second, and the row says `games`.
"""

import argparse, json, os, random, resource, subprocess, sys, time

import pyspiel

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
REGELWERK = os.environ.get("REGELWERK", os.path.join(ROOT, "target", "release", "regelwerk"))

# Games are cut off here on both sides.
CAP = 200

# Ours, its settings, OpenSpiel's, whether to compare decisions or games.
ROWS = [
    ("tic-tac-toe", [], "tic_tac_toe", "plies"),
    ("connect-four", [], "connect_four", "plies"),
    ("reversi", [], "othello", "plies"),
    ("breakthrough", [], "breakthrough", "plies"),
    ("english-draughts", [], "checkers", "games"),
    ("chess", [], "chess", "plies"),
    ("go", ["--set", "size=9"], "go(board_size=9,komi=7.5)", "plies"),
    ("hex", ["--set", "pie=false"], "hex", "plies"),
    ("gomoku", [], "gomoku", "plies"),
    ("lines-of-action", [], "lines_of_action", "plies"),
    ("amazons", [], "amazons", "games"),
    ("nine-mens-morris", [], "nine_mens_morris", "games"),
    ("oware", [], "oware", "plies"),
    ("dots-and-boxes", [], "dots_and_boxes(num_rows=4,num_cols=4)", "plies"),
    ("quoridor", [], "quoridor", "plies"),
    ("xiangqi", [], "xiangqi", "plies"),
    ("backgammon", [], "backgammon(scoring_type=full_scoring)", "games"),
    ("ludo", ["--players", "4"], "maedn(players=4)", "games"),
    ("pig", ["--players", "2"], "pig(players=2,winscore=100,horizon=100000)", "games"),
    ("hearts", [], "hearts", "games"),
    ("oh-hell", ["--players", "4"], "oh_hell(players=4,num_tricks_fixed=8)", "plies"),
    ("crazy-eights", ["--players", "4"], "crazy_eights(players=4,max_draw_cards=5,max_turns=100000)", "plies"),
    ("liars-dice", ["--players", "2"], "liars_dice(players=2,numdice=5,dice_sides=6)", "plies"),
    ("kuhn-poker", [], "kuhn_poker", "games"),
    ("leduc-poker", [], "leduc_poker", "games"),
    ("goofspiel", ["--players", "2"], "goofspiel(players=2,num_cards=13,points_order=random)", "games"),
    ("hanabi", ["--players", "2"], "hanabi(players=2)", "plies"),
]


def spent():
    """Processor seconds of finished child processes."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def ours(name, settings, games):
    """Processor seconds for so many games, and the plies played."""
    command = [REGELWERK, "simulate", name, *settings, "--games", str(games), "--threads", "1", "--cap", str(CAP),
               "--seed", "1", "--no-invariants", "--format", "json"]
    before = spent()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return spent() - before, json.loads(done.stdout)["plies"]["mean"]["value"] * games


def our_rates(name, settings, seconds):
    """Plies and games a second."""
    loading = min(ours(name, settings, 1)[0] for _ in range(3))
    games = 1
    while True:
        took, plies = ours(name, settings, games)
        if took - loading > seconds:
            return plies / (took - loading), games / (took - loading)
        games = min(games * 10, max(games + 1, int(games * 1.3 * seconds / max(took - loading, 0.01))))


def native(name, settings, seconds):
    """Processor seconds, plies and games of so many seconds as machine code; none if that cannot be had."""
    command = [REGELWERK, "bench", name, *settings, "--native", "--seconds", str(seconds), "--cap", str(CAP), "--format", "json"]
    before = spent()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None
    found = json.loads(done.stdout)
    return spent() - before, found["plies_per_second"] * seconds, found["playouts_per_second"] * seconds


def native_rates(name, settings, seconds):
    """Plies and games a second as machine code; none if the game cannot be compiled, or the program has no such feature."""
    loading, played = native(name, settings, 0), native(name, settings, seconds)
    if not loading or not played:
        return None
    took = played[0] - loading[0]
    return played[1] / took, played[2] / took


def their_rates(name, seconds):
    """Decisions and games a second."""
    game, decisions, games, begun = pyspiel.load_game(name), 0, 0, time.process_time()
    while time.process_time() - begun < seconds:
        state, left = game.new_initial_state(), CAP
        while not state.is_terminal() and left > 0:
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes())
                state.apply_action(random.choices(outcomes, weights)[0])
            elif state.is_simultaneous_node():
                state.apply_actions([random.choice(state.legal_actions(seat)) for seat in range(game.num_players())])
                left -= 1
            else:
                state.apply_action(random.choice(state.legal_actions()))
                left -= 1
        decisions, games = decisions + CAP - left, games + 1
    took = time.process_time() - begun
    return decisions / took, games / took


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seconds", type=float, default=3.0)
    arguments.add_argument("games", nargs="*")
    chosen = arguments.parse_args()
    unknown = set(chosen.games) - {row[0] for row in ROWS}
    if unknown:
        sys.exit(f"no such row: {', '.join(sorted(unknown))}; there are {', '.join(row[0] for row in ROWS)}")
    print("| game | counted | ours, a second | OpenSpiel from Python | ratio | as machine code | ratio |")
    print("|---|---|--:|--:|--:|--:|--:|")
    below = []
    for name, settings, spiel, unit in ROWS:
        if chosen.games and name not in chosen.games:
            continue
        at = ("plies", "games").index(unit)
        mine, theirs = our_rates(name, settings, chosen.seconds)[at], their_rates(spiel, chosen.seconds)[at]
        compiled = native_rates(name, settings, chosen.seconds)
        machine = f"{compiled[at]:,.0f} | {compiled[at] / theirs:.2f}" if compiled else " | "
        if max(mine, compiled[at] if compiled else 0) < 2 * theirs:
            below.append(name)
        print(f"| `{name}` | {unit} | {mine:,.0f} | {theirs:,.0f} | {mine / theirs:.2f} | {machine} |", flush=True)
    print(f"\nBelow 2: {', '.join(below) or 'none'}.")


if __name__ == "__main__":
    main()
