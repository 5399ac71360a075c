"""Simulations on the machines of a Ray cluster; needs `ray`.

`regelwerk.ray.simulate` takes what `regelwerk.simulate` takes and returns the same, and `regelwerk.ray.run` prints what
a command of the program prints, whatever machines come and go meanwhile: the games are divided into shards, every game
keeps its number, and a shard that is lost is played again.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import ray
import ray.exceptions

from ._core import Rules
from ._core import simulate as _simulate
from .errors import RegelwerkError
from .simulation import Simulation, join

__all__ = ["run", "simulate"]

Part = TypeVar("Part")

_LOST = (
    ray.exceptions.NodeDiedError,
    ray.exceptions.ObjectLostError,
    ray.exceptions.RaySystemError,
    ray.exceptions.WorkerCrashedError,
)
"""What says that a machine or a process is gone, and nothing about the games."""


def _cores() -> int:
    return max(int(ray.cluster_resources().get("CPU", 1)), 1)  # type: ignore[no-untyped-call]


def _gather(
    submit: Callable[[int], Any], parts: int, retries: int, received: Callable[[Part], object] = lambda _: None
) -> list[Part]:
    """The results of all parts in their order, each counted once however often it was played."""
    waiting = {submit(number): number for number in range(parts)}
    left = dict.fromkeys(range(parts), retries)
    found: dict[int, Part] = {}
    while waiting:
        ready, _ = ray.wait(list(waiting), num_returns=1)
        for reference in ready:
            number = waiting.pop(reference)
            try:
                found[number] = ray.get(reference)
            except _LOST:
                if not left[number]:
                    raise
                left[number] -= 1
                waiting[submit(number)] = number
                continue
            received(found[number])
    return [found[number] for number in range(parts)]


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
    parts = min(max(shards or 4 * _cores(), 1), max(games, 1))
    # Ray's own retries cover what it notices itself; what it reports as lost is submitted again by `_gather`.
    task = ray.remote(num_cpus=threads, max_retries=retries)(_play)
    put = ray.put(rules)
    done = 0

    def submit(number: int) -> Any:
        first, end = games * number // parts, games * (number + 1) // parts
        return task.remote(put, first, end - first, seed, cap, list(bots), threads)

    def received(part: dict[str, Any]) -> None:
        nonlocal done
        done += len(part["plies"])
        if progress is True:
            print(f"\r{rules.name}: {done} of {games} games", end="", file=sys.stderr, flush=True)
        elif progress:
            progress(done)

    found = _gather(submit, parts, retries, received)
    if progress is True:
        print(file=sys.stderr)
    return join(rules, found)


def _called(called: list[str], out: Path) -> str:
    """What the program prints; raises what it complains about."""
    done = subprocess.run([*called, "--out", str(out)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RegelwerkError(done.stderr.strip() or f"{called[0]} failed", code="command")
    return done.stdout


def _shard(command: list[str], part: int, parts: int, threads: int, before: bytes | None) -> bytes:
    """A shard as a file, made on whatever machine this runs."""
    with tempfile.TemporaryDirectory() as folder:
        after, out = Path(folder) / "before.json", Path(folder) / "shard.json"
        called = [*command, "--shard", f"{part + 1}/{parts}", "--threads", str(threads)]
        if before is not None:
            after.write_bytes(before)
            called += ["--after", str(after)]
        _called(called, out)
        return out.read_bytes()


def run(
    command: str | Sequence[str],
    *,
    format: str = "human",
    shards: int | None = None,
    threads: int = 1,
    retries: int = 8,
    program: str = "regelwerk",
    progress: bool | Callable[[int], object] = False,
) -> str:
    """What a command prints that repeats games: `simulate`, `match`, `compare`, `readings` or `tune`.

    Its shards are played on the cluster and merged here, the rounds of `tune` one after the other; the text is that
    of a run on one machine, byte for byte. `program` has to be installed on each machine, in the same version, and rule
    files that are not bundled have to be at the same path. `progress` is told how many shards have been played.

        regelwerk.ray.run("compare hai-noon --variant shorter --games 100000", format="json")

    Raises `RegelwerkError` with what the program complains about.
    """
    words = shlex.split(command) if isinstance(command, str) else list(command)
    parts = max(shards or 4 * _cores(), 1)
    task = ray.remote(num_cpus=threads, max_retries=retries)(_shard)
    done = 0

    def received(_: bytes) -> None:
        nonlocal done
        done += 1
        if progress is True:
            print(f"\r{words[0]}: {done} shards", end="", file=sys.stderr, flush=True)
        elif progress:
            progress(done)

    before: bytes | None = None
    while True:
        put = ray.put(before)

        def submit(number: int, put: Any = put) -> Any:
            return task.remote([program, *words], number, parts, threads, put)

        played = _gather(submit, parts, retries, received)
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / f"{number}.json" for number in range(parts + 1)]
            for path, content in zip(files, [*played, before]):
                if content is not None:
                    path.write_bytes(content)
            out = Path(folder) / "round.json"
            told = _called([program, "--format", format, "merge", *(str(path) for path in files if path.exists())], out)
            # Only a round of `tune` that is not the last one is written.
            if not out.exists():
                if progress is True:
                    print(file=sys.stderr)
                return told
            before = out.read_bytes()
