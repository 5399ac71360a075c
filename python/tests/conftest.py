"""What the tests share."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def program() -> str | None:
    """The command line: `REGELWERK`, or the one built in the checkout, or an installed one."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    built = [target / profile / "regelwerk" for profile in ("release", "debug")]
    found = [str(path) for path in built if path.exists()]
    return os.environ.get("REGELWERK") or (found[0] if found else shutil.which("regelwerk"))


@pytest.fixture(scope="session")
def command_line() -> list[str]:
    """The command line; tests that hold Python against it are skipped without one."""
    found = program()
    if found is None:
        pytest.skip("build the command line first: cargo build")
    assert subprocess.run([found, "--version"], capture_output=True, check=True).stdout
    return [found]


def pytest_sessionfinish(session, exitstatus):
    """With `REGELWERK_SKIPS=none`, a test that was skipped is one that failed: whoever runs all has all that is needed."""
    skipped = session.config.pluginmanager.get_plugin("terminalreporter").stats.get("skipped", [])
    if os.environ.get("REGELWERK_SKIPS") == "none" and skipped and exitstatus == 0:
        print(f"\n{len(skipped)} tests were skipped, and none should be: {[report.nodeid for report in skipped]}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def random_game(state, limit=400):
    """Plays the moves that a simple rule chooses, and yields before each."""
    for number in range(limit):
        if state.is_over:
            return
        yield state
        legal = state.legal()
        state.play(legal[(number * 7 + 3) % len(legal)])
