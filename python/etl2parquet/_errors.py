"""Exceptions and warnings, with the messages of the program."""

from __future__ import annotations

import re
from typing import Any


class EtlError(Exception):
    """The program failed.

    ``returncode`` is its exit status, negative for a signal that ended it, or ``None`` if it was
    not run. ``message`` is its message.
    """

    def __init__(self, returncode: int | None, message: str) -> None:
        super().__init__(returncode, message)
        self.returncode = returncode
        self.message = message

    def __str__(self) -> str:
        return self.message


class NotFound(EtlError, LookupError):
    """A file, table or column does not exist. The message names similar ones."""


class UsageError(EtlError, ValueError):
    """An argument is invalid."""


class PartlyFailed(EtlError):
    """Some inputs failed and the rest is done: of a scan, the rows of the others came before. ``report``
    is the report of ``convert``, or ``None``."""

    report: dict[str, Any] | None = None


class ProgramError(EtlError):
    """The program is missing, has another version than this package, was killed, or its
    output was cut."""


class EtlWarning(UserWarning):
    """A warning of the program: damage in a trace, lost events, a selection that matches nothing."""


_USAGE, PARTLY = 2, 3  # exit statuses

# Texts of the program that mean a missing file, table or column. Program and package have the same
# version, and tests check each text.
_MISSING = (
    "no such file or directory",
    "The system cannot find the file specified",
    "The system cannot find the path specified",
    "there is no such table",
    "there is no such column",
    " has no table ",
    "there is no dataset",
)


_COMMAND = re.compile(r'("etl2parquet [^"\n]*")')  # a command line to type, which stays as it is
_HELP = re.compile(r"; see etl2parquet [a-z ]*--help")
_FLAG = re.compile(r"""(?<![\w"'./-])--([a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?![\w./-])(?:[ =](?=\S*\d|\S+:(?:\s|$)))?""")


def in_python(message: str) -> str:
    """Returns a message with the names of keyword arguments in place of those of flags."""

    def keyword(found: re.Match[str]) -> str:
        name = found[1].replace("-", "_")
        name = "from_" if name == "from" else name
        return name + "=" if found[0].endswith((" ", "=")) else name

    parts = _COMMAND.split(_HELP.sub("", message))
    return "".join(part if i % 2 else _FLAG.sub(keyword, part) for i, part in enumerate(parts))


def error(returncode: int, message: str) -> EtlError:
    """Returns the exception for an exit status and the program's messages."""
    if returncode < 0:
        killed = f"the program was ended by signal {-returncode}"
        return ProgramError(returncode, f"{killed}: {message}" if message else killed)
    if returncode != PARTLY and any(text in message for text in _MISSING):
        return NotFound(returncode, message)
    kind = {_USAGE: UsageError, PARTLY: PartlyFailed}.get(returncode, EtlError)
    return kind(returncode, message or f"the program failed with exit status {returncode}")
