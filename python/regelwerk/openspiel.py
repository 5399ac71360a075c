"""Rule files as games of OpenSpiel, so that its algorithms run on them.

>>> import regelwerk.openspiel
>>> game = regelwerk.openspiel.load("kuhn-poker", payoff="scores", max_utility=2)
>>> game.num_players(), game.num_distinct_actions() > 3
(2, True)

Importing this module registers the game `regelwerk`, so that also this works:

>>> import pyspiel
>>> str(pyspiel.load_game("regelwerk(game=tic-tac-toe)").new_initial_state().current_player())
'0'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from . import Rules, simulate
from . import load as _load
from .errors import UnfitError

__all__ = ["RulesGame", "RulesState", "load", "to_efg", "tree"]

_MAX_PLAYERS = 64


def _is_zero_sum(rules: Rules, scored: bool) -> bool:
    """Whether what one seat wins the other one loses, in as many random games as tell it."""
    if len(rules.seats) != 2:
        return False
    found = simulate(rules, 64, cap=200, threads=1)
    pays = found.scores if scored and found.scores.shape[1] else np.where(found.verdicts == -2, 0, found.verdicts)
    return not np.nansum(pays, axis=1).any()


def _game_type(rules: Rules | None, zero_sum: bool = False) -> Any:
    chance = rules is None or "chance" in rules.asks
    hidden = rules is None or not rules.is_open
    kinds = pyspiel.GameType
    return kinds(
        short_name="regelwerk",
        long_name="Regelwerk" if rules is None else f"Regelwerk: {rules.title}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if chance else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if hidden else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=_MAX_PLAYERS if rules is None else len(rules.seats),
        min_num_players=1 if rules is None else len(rules.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={
            "game": "tic-tac-toe",
            "players": 0,
            "variant": "",
            "settings": "",
            "payoff": "outcome",
            "max_utility": 1.0,
            "cap": 2000,
        },
    )


class RulesGame(pyspiel.Game):  # type: ignore[misc]
    """Rules as a game of OpenSpiel. Secret simultaneous choices are asked one seat after the other.

    Parameters: `game` (a name or path), `players`, `variant` (several joined by `;`), `settings`
    (`name=value` of options and readings, joined by `;`), `payoff` (`outcome`, or `scores` with their
    greatest absolute value as `max_utility`), `cap` (decisions and outcomes of chance after which a game
    ends undecided, worth 0 to all). A game of two is zero-sum if random games of it are.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = dict(params or {})
        name = str(given.get("game", "tic-tac-toe"))
        players = int(given.get("players", 0)) or None
        variants = [name for name in str(given.get("variant", "")).split(";") if name]
        pairs = dict(part.split("=", 1) for part in str(given.get("settings", "")).split(";") if part)
        plain = _load(name, players=players, variant=variants)
        readings = {key: value for key, value in pairs.items() if key in plain.readings}
        options = {key: value for key, value in pairs.items() if key not in plain.readings}
        self.rules = _load(name, players=players, variant=variants, options=options, readings=readings) if pairs else plain
        if "race" in self.rules.asks:
            raise UnfitError(
                f"{self.rules.name} has races, which OpenSpiel's games do not have",
                code="unfit",
                cure="play it with `State`, or `simulate` it",
            )
        self.scored = str(given.get("payoff", "outcome")) == "scores"
        self.cap = int(given.get("cap", 2000))
        most = float(given.get("max_utility", 1.0))
        kind = _game_type(self.rules, _is_zero_sum(self.rules, self.scored))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.action_count,
            max_chance_outcomes=self.rules.chance_count,
            num_players=len(self.rules.seats),
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0 if kind.utility == pyspiel.GameType.Utility.ZERO_SUM else None,
            max_game_length=self.cap,
        )
        super().__init__(kind, info, given)

    def new_initial_state(self) -> RulesState:
        """A game at its first question."""
        return RulesState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> _Observer:
        """What a seat sees, as numbers and text."""
        return _Observer(self, iig_obs_type, params)


class RulesState(pyspiel.State):  # type: ignore[misc]
    """A game in progress. `state` is the `regelwerk.State`."""

    def __init__(self, game: RulesGame) -> None:
        super().__init__(game)
        self.state = game.rules.new(chance=True)
        self._scored, self._cap = game.scored, game.cap
        self._texts: dict[int, str] | None = None

    def current_player(self) -> int:
        """The seat that is asked, chance, or nobody."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        seat = self.state.to_move
        return int(pyspiel.PlayerId.CHANCE) if seat is None else seat

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.state.actions())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of chance by number, each with its probability."""
        return [(number, share) for number, (_, share) in enumerate(self.state.chances())]

    def _apply_action(self, action: int) -> None:
        self._texts = None
        if self.state.ask == "chance":
            self.state.play(self.state.chances()[action][0])
        else:
            self.state.act(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if self.state.ask == "chance":
            return str(self.state.chances()[action][0])
        if self._texts is None:
            self._texts = dict(zip(self.state.actions(), map(str, self.state.legal())))
        return self._texts.get(action, f"#{action}")

    def is_terminal(self) -> bool:
        """Whether the game is over, or stopped."""
        return self.state.is_over or len(self.state.history) >= self._cap

    def returns(self) -> list[float]:
        """What each seat has got."""
        outcome = self.state.outcome
        if outcome is None:
            return [0.0] * self.num_players()
        if self._scored and outcome.scores:
            return [float(score or 0) for score in outcome.scores]
        return outcome.returns

    def __str__(self) -> str:
        return str(self.state)


class _Observer:
    """Follows the interface of OpenSpiel's Python observers."""

    def __init__(self, game: RulesGame, iig_obs_type: Any, params: Mapping[str, Any] | None) -> None:
        if params:
            raise ValueError(f"there are no observation parameters; given were {params}")
        self._recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        size = 0 if self._recall else game.rules.observation_size
        self.tensor: NDArray[np.float32] = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: RulesState, player: int) -> None:
        """Writes what a player sees as numbers."""
        if not self._recall:
            self.tensor[:] = state.state.features(player)

    def string_from(self, state: RulesState, player: int) -> str:
        """What a player sees as text; with perfect recall, all it knows."""
        return state.state.information(player) if self._recall else state.state.observe(player).text


pyspiel.register_game(_game_type(None), RulesGame)


def load(
    game: str,
    *,
    players: int | None = None,
    variant: str = "",
    settings: Mapping[str, str | int] | None = None,
    payoff: str = "outcome",
    max_utility: float = 1.0,
    cap: int = 2000,
) -> RulesGame:
    """A game of OpenSpiel by the rules of `game`; see `RulesGame` for the parameters."""
    chosen = ";".join(f"{name}={value}" for name, value in (settings or {}).items())
    params = {
        "game": game,
        "players": players or 0,
        "variant": variant,
        "settings": chosen,
        "payoff": payoff,
        "max_utility": float(max_utility),
        "cap": cap,
    }
    return pyspiel.load_game("regelwerk", params)  # type: ignore[no-any-return]


def to_efg(game: Any, most: int = 1_000_000) -> str:
    """A small game of OpenSpiel with its whole tree, in the format of Gambit (`.efg`).

    Raises `UnfitError` if it has more than `most` positions.

    >>> to_efg(load("tic-tac-toe"), most=1000)
    Traceback (most recent call last):
    ...
    regelwerk.errors.UnfitError: regelwerk(...) has more than 1000 positions
    """

    def quoted(text: str) -> str:
        return '"' + " ".join(text.replace("\\", "/").replace('"', "'").split()) + '"'

    seats = " ".join(f'"{seat}"' for seat in range(game.num_players()))
    lines = [f'EFG 2 R {quoted(str(game))} {{ {seats} }} ""']
    known: list[dict[str, int]] = [{} for _ in range(game.num_players())]
    chances = ends = 0
    left: list[Any] = [game.new_initial_state()]
    while left:
        state = left.pop()
        if len(lines) > most:
            name = str(game).split("(")[0]
            raise UnfitError(
                f"{name}(...) has more than {most} positions", code="unfit", cure="take a smaller game or setup"
            )
        if state.is_terminal():
            ends += 1
            lines.append(f't "" {ends} "" {{ {" ".join(repr(value) for value in state.returns())} }}')
            continue
        if state.is_chance_node():
            chances += 1
            outcomes = state.chance_outcomes()
            shown = " ".join(f'"{action}" {share!r}' for action, share in outcomes)
            lines.append(f'c "" {chances} "" {{ {shown} }} 0')
            actions = [action for action, _ in outcomes]
        else:
            seat = state.current_player()
            key = state.information_state_string(seat)
            number = known[seat].setdefault(key, len(known[seat]) + 1)
            actions = state.legal_actions()
            shown = " ".join(quoted(state.action_to_string(seat, action)) for action in actions)
            lines.append(f'p "" {seat + 1} {number} {quoted(key)} {{ {shown} }} 0')
        # The format lists a node before its children, each with all that follows it.
        left.extend(state.child(action) for action in reversed(actions))
    return "\n".join(lines) + "\n"


def tree(game: Any, most: int = 1_000_000) -> Any:
    """The same game as a tree in OpenSpiel's own memory, on which its algorithms in C++ run at full speed.

    >>> import pyspiel
    >>> solver = pyspiel.CFRPlusSolver(tree(load("kuhn-poker", payoff="scores", max_utility=2)))
    >>> for _ in range(200):
    ...     solver.evaluate_and_update_policy()
    """
    return pyspiel.load_efg_game(to_efg(game, most))
