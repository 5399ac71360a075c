"""What can go wrong: every exception says where, what, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._core import Why

__all__ = [
    "Diagnostic",
    "IllegalMove",
    "LoadError",
    "NotationError",
    "RegelwerkError",
    "UnfitError",
]


@dataclass(frozen=True)
class Diagnostic:
    """One error or warning in a rule file."""

    severity: str
    """`error` or `warning`."""
    code: str
    """Such as `check/unknown-name`; docs/diagnostics.md explains each."""
    message: str
    """What was found and expected."""
    file: str | None
    line: int | None
    column: int | None
    cure: str | None
    """How to mend it, if that can be said."""

    def __str__(self) -> str:
        help = f"\n  help: {self.cure}" if self.cure else ""
        return f"{self.file}:{self.line}:{self.column}: {self.severity}[{self.code}]: {self.message}{help}"


class RegelwerkError(Exception):
    """The base of all exceptions here. `str(error)` says everything in full."""

    code: str
    """The kind of fault, which never changes its meaning."""
    file: str | None
    """The rule file it is about, if it is about one."""
    line: int | None
    """The line there, from 1."""
    cure: str | None
    """What to do about it, if that can be said."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "error",
        file: str | None = None,
        line: int | None = None,
        cure: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code, self.file, self.line, self.cure = code, file, line, cure


class LoadError(RegelwerkError):
    """Rules could not be loaded.

    `file`, `line`, `code` and `cure` are those of the first error in the rules.
    """

    diagnostics: tuple[Diagnostic, ...]
    """All errors and warnings in the rules; empty if there is no such game, file or setup."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "error",
        file: str | None = None,
        line: int | None = None,
        cure: str | None = None,
        diagnostics: tuple[Diagnostic, ...] = (),
    ) -> None:
        super().__init__(message, code=code, file=file, line=line, cure=cure)
        self.diagnostics = diagnostics


class NotationError(RegelwerkError, ValueError):
    """A text is no move, position or record of the game."""


class UnfitError(RegelwerkError):
    """The rules are sound, but what was asked for does not fit them."""


class IllegalMove(RegelwerkError, ValueError):
    """A move is not legal. `file` and `line` are those of the rule that forbids it."""

    why: Why
    """The rules that forbid it, with their clauses."""

    def __init__(
        self,
        message: str,
        *,
        why: Why,
        code: str = "illegal",
        file: str | None = None,
        line: int | None = None,
        cure: str | None = None,
    ) -> None:
        super().__init__(message, code=code, file=file, line=line, cure=cure)
        self.why = why
