"""What the documents say."""

import doctest
import re

import pytest
import regelwerk
from conftest import ROOT


def page():
    path = ROOT / "docs" / "python.md"
    if not path.exists():
        pytest.skip("the documents are not beside the tests")
    return path


def test_examples_do_what_they_show():
    found = doctest.testfile(str(page()), module_relative=False)
    assert found.attempted > 20 and found.failed == 0


def test_sizes_are_true():
    rows = re.findall(r"^\| `([a-z-]+)` \| ([0-9,]+) \| ([0-9,]+) \|$", page().read_text(), re.MULTILINE)
    said = {game: (int(actions.replace(",", "")), int(size.replace(",", ""))) for game, actions, size in rows}
    true = {game: regelwerk.load(game) for game in regelwerk.games()}
    assert said == {game: (rules.action_count, rules.observation_size) for game, rules in true.items()}


def test_the_readme_plays():
    for path in (ROOT / "README.md", ROOT / "python" / "README.md"):
        if not path.exists():
            pytest.skip("the documents are not beside the tests")
        programs = re.findall(r"```python\n(.*?)```", path.read_text(), re.DOTALL)
        assert programs, path
        for program in programs:
            exec(program, {})
