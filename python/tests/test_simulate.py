"""Simulations."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import regelwerk


def test_the_number_of_threads_makes_no_difference():
    rules = regelwerk.load("kalaha")
    one, two = (regelwerk.simulate(rules, games=200, seed=4, threads=threads) for threads in (1, 2))
    first = regelwerk.simulate(rules, games=50, seed=4)
    for name, column in one.columns().items():
        assert np.array_equal(column, two.columns()[name]), name
        assert np.array_equal(column[:50], first.columns()[name]), name


@pytest.mark.parametrize("game", ["kalaha", "halma", "hai-noon", "halli-galli", "backgammon", "hearts"])
def test_figures_are_those_of_the_command_line(game, command_line):
    called = [*command_line, "--format", "json", "simulate", game, "--games", "40", "--seed", "9", "--no-invariants"]
    said = json.loads(subprocess.run(called, capture_output=True, check=False).stdout)
    found = regelwerk.simulate(regelwerk.load(game), games=40, seed=9)
    assert said["games"] == found.games
    plies = said["plies"]
    assert plies["mean"]["value"] == pytest.approx(float(found.plies.mean()))
    assert (plies["min"], plies["max"]) == (found.plies.min(), found.plies.max())
    wins = [seat["win"]["count"] for seat in said["seats"]]
    assert wins == found.wins.tolist()


def test_outcomes_are_those_of_the_rules():
    found = regelwerk.simulate(regelwerk.load("tic-tac-toe"), games=500, seed=2)
    assert set(found.plies.tolist()) <= set(range(5, 10))
    drawn = (found.verdicts == 0).all(axis=1)
    assert (found.verdicts[~drawn].sum(axis=1) == 0).all()
    assert (found.plies[drawn] == 9).all()
    # A random first player wins 58.5 % of games, draws 12.7 %: by counting all games.
    assert 0.50 < found.wins[0] / 500 < 0.67
    assert 0.07 < drawn.mean() < 0.19


def test_scores_are_columns():
    found = regelwerk.simulate(regelwerk.load("kuhn-poker"), games=300, seed=2)
    assert found.scores.shape == (300, 2)
    assert (found.scores.sum(axis=1) == 0).all()
    assert set(np.abs(found.scores).ravel().tolist()) == {1.0, 2.0}
    assert regelwerk.simulate(regelwerk.load("tic-tac-toe"), games=3).scores.shape[1] == 0


def test_progress_is_told():
    told = []
    regelwerk.simulate(regelwerk.load("halma"), games=60, cap=300, progress=told.append)
    assert told and told == sorted(told) and told[-1] <= 60


def test_other_threads_go_on():
    done = threading.Event()
    counted = 0

    def work():
        regelwerk.simulate(regelwerk.load("halma"), games=60, cap=500)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0)
    thread.join()
    assert counted > 10


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_ctrl_c_stops_it():
    code = (
        "import regelwerk, signal, sys\n"
        # Whoever runs the tests in the background of a shell has signals ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "rules = regelwerk.load('halma')\n"
        "try:\n"
        "    regelwerk.simulate(rules, games=10_000_000, progress=lambda n: print('go', flush=True))\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped', flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "go\n"
    child.send_signal(signal.SIGINT)
    rest, _ = child.communicate(timeout=60)
    assert rest.endswith("stopped\n")


def test_measures_are_columns():
    """At the end there is a mark for each ply, and before each turn as many free fields as marks are missing."""
    rules = regelwerk.load("tic-tac-toe", measures={"marks": "count(mark)"}, measures_by_turn={"free": "count(empty)"})
    found = regelwerk.simulate(rules, games=300, seed=3)
    assert found.measures["marks"].tolist() == found.plies.tolist()
    # Nine fields are free at the first turn, one fewer at each that follows.
    turns = found.turns.astype(float)
    assert np.allclose(found.measures["free"], 9 - (turns - 1) / 2)
    assert set(found.measures) <= set(found.columns())
    with pytest.raises(regelwerk.LoadError) as error:
        regelwerk.load("tic-tac-toe", measures={"marks": "count(mrk)"})
    assert (error.value.file, error.value.line) == ("measure marks", 1) and error.value.cure
    with pytest.raises(regelwerk.LoadError, match="neither a number nor a condition"):
        regelwerk.load("tic-tac-toe", measures={"marks": "mark"})
    assert found.rules.digest == regelwerk.load("tic-tac-toe").digest


def test_parts_are_the_whole():
    rules = regelwerk.load("kalaha")
    whole = regelwerk.simulate(rules, games=50, seed=4)
    parts = [regelwerk.simulate(rules, games=25, first=first, seed=4) for first in (0, 25)]
    for name in ("plies", "verdicts", "scores"):
        assert np.array_equal(np.concatenate([getattr(part, name) for part in parts]), getattr(whole, name))


def test_bots_sit_at_seats():
    rules = regelwerk.load("tic-tac-toe")
    found = regelwerk.simulate(rules, games=30, seed=1, bots=["alphabeta:9", "random"])
    assert (found.verdicts[:, 0] >= 0).all(), "perfect play never loses"
    with pytest.raises(ValueError, match="needs a clock"):
        regelwerk.simulate(rules, games=1, bots=["mcts:1s"])


def test_arrow_has_the_columns(tmp_path):
    pytest.importorskip("pyarrow")
    from pyarrow import parquet

    found = regelwerk.simulate(regelwerk.load("kalaha"), games=20, seed=2)
    parquet.write_table(found.to_arrow(), tmp_path / "games.parquet")
    table = parquet.read_table(tmp_path / "games.parquet")
    assert table.column_names == list(found.columns())
    assert table["plies"].to_pylist() == found.plies.tolist()
