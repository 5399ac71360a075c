"""Simulations on a local cluster of several nodes."""

import subprocess

import numpy as np
import pytest
import regelwerk

ray = pytest.importorskip("ray")

import regelwerk.ray
from ray.cluster_utils import Cluster


@pytest.fixture
def cluster():
    """A head without cores, so that every shard is played on a node that can be killed."""
    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    nodes = [found.add_node(num_cpus=1) for _ in range(2)]
    ray.init(address=found.address, log_to_driver=False)
    yield found, nodes
    ray.shutdown()
    found.shutdown()


def equal(one, other):
    columns, others = one.columns(), other.columns()
    assert list(columns) == list(others)
    for name, column in columns.items():
        assert column.tobytes() == others[name].tobytes(), name


@pytest.mark.slow
def test_a_killed_node_changes_nothing(cluster):
    """A node is killed in the middle and another joins: nothing is lost, nothing is counted twice."""
    found, nodes = cluster
    rules = regelwerk.load("kalaha", measures={"lead": "seed at store(a) - seed at store(b)"})
    counts = []

    def watch(done):
        counts.append(done)
        if len(counts) == 5:
            found.remove_node(nodes[0], allow_graceful=False)
            found.add_node(num_cpus=1)

    played = regelwerk.ray.simulate(rules, 20_000, seed=7, shards=24, progress=watch)
    assert counts[-1] == 20_000 and len(counts) == 24
    equal(played, regelwerk.simulate(rules, 20_000, seed=7))


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "compare kalaha --reading capturing_stone=moves_too --games 3000 --seed 2",
        "tune kalaha --vary starter=a|b --target decided=90% --games 200 --seed 3",
    ],
)
def test_commands_print_what_one_machine_prints(cluster, command_line, command):
    """Also the rounds of a search, one after the other; meanwhile a node is killed and another joins."""
    found, nodes = cluster
    counts = []

    def watch(done):
        counts.append(done)
        if len(counts) == 2:
            found.remove_node(nodes[0], allow_graceful=False)
            found.add_node(num_cpus=1)

    told = regelwerk.ray.run(command, format="json", shards=6, program=command_line[0], progress=watch)
    called = [*command_line, "--format", "json", *command.split()]
    assert told == subprocess.run(called, capture_output=True, text=True, check=True).stdout
    # A search of at most 200 games has the rounds of 64, 128 and 200 games.
    assert counts == list(range(1, 6 * (3 if "tune" in command else 1) + 1))


@pytest.mark.slow
def test_what_the_program_complains_about_is_raised(cluster, command_line):
    with pytest.raises(regelwerk.RegelwerkError, match="there is no file or game `kalahari`"):
        regelwerk.ray.run("simulate kalahari", shards=2, program=command_line[0])


@pytest.mark.slow
def test_an_error_in_the_call_is_raised(cluster):
    with pytest.raises(ValueError, match="no bot"):
        regelwerk.ray.simulate(regelwerk.load("tic-tac-toe"), 10, bots=["nobody"])


def test_parts_are_put_together():
    from regelwerk import _core
    from regelwerk.simulation import join

    rules = regelwerk.load("tic-tac-toe")
    parts = [_core.simulate(rules, first, 7, 3, 2000, [], 1, None) for first in range(0, 35, 7)]
    equal(join(rules, parts), regelwerk.simulate(rules, 35, seed=3))
    assert np.isnan(join(rules, parts).scores).all()
