"""Simulations on the machines of a Ray cluster; needs `ray`.

`regelwerk.ray.simulate` takes what `regelwerk.simulate` takes and returns the same, whatever machines come and go
meanwhile: the games are divided into shards, every game keeps its number, and a shard that is lost is played again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import ray

from ._core import Rules
from ._core import simulate as _simulate
from .simulation import Simulation, join

__all__ = ["simulate"]

_LOST = (
    ray.exceptions.NodeDiedError,
    ray.exceptions.ObjectLostError,
    ray.exceptions.RaySystemError,
    ray.exceptions.WorkerCrashedError,
)
"""What says that a machine or a process is gone, and nothing about the games."""


def _play(rules: Rules, first: int, games: int, seed: int, cap: int, bots: list[str], threads: int) -> dict[str, Any]:
    """The columns of a shard, on whatever machine this runs."""
    return _simulate(rules, first, games, seed, cap, bots, threads, None)


def simulate(
    rules: Rules,
    games: int = 1000,
    *,
    seed: int = 0,
    cap: int = 2000,
    bots: Sequence[str] = (),
    shards: int | None = None,
    threads: int = 1,
    retries: int = 8,
    progress: bool | Callable[[int], object] = False,
) -> Simulation:
    """Play games on the cluster that `ray.init` has connected to, each shard as a task with `threads` cores.

    `shards` is by default four for each core of the cluster, so that a machine that joins late finds work. A shard
    whose machine is lost is played again, at most `retries` times; an error in the rules or in the call is raised at
    once. The result is that of `regelwerk.simulate`, byte for byte.
    """
    cores = max(int(ray.cluster_resources().get("CPU", 1)), 1)  # type: ignore[no-untyped-call]
    parts = min(max(shards or 4 * cores, 1), max(games, 1))
    # Ray's own retries cover what it notices itself; what it reports as lost is submitted again below.
    task = ray.remote(num_cpus=threads, max_retries=retries)(_play)
    put = ray.put(rules)

    def submit(number: int) -> Any:
        first, end = games * number // parts, games * (number + 1) // parts
        return task.remote(put, first, end - first, seed, cap, list(bots), threads)

    waiting = {submit(number): number for number in range(parts)}
    left = dict.fromkeys(range(parts), retries)
    found: dict[int, dict[str, Any]] = {}
    done = 0
    while waiting:
        ready, _ = ray.wait(list(waiting), num_returns=1)
        for reference in ready:
            number = waiting.pop(reference)
            try:
                # By number: a shard that is played twice counts once.
                found[number] = ray.get(reference)
            except _LOST:
                if not left[number]:
                    raise
                left[number] -= 1
                waiting[submit(number)] = number
                continue
            done += len(found[number]["plies"])
            if progress is True:
                print(f"\r{rules.name}: {done} of {games} games", end="", file=sys.stderr, flush=True)
            elif progress:
                progress(done)
    if progress is True:
        print(file=sys.stderr)
    return join(rules, [found[number] for number in range(parts)])
