"""Types of arguments and answers."""

from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["allowed", "disallowed", "unknown"]
"""What a pack or a fetched robots.txt answers. ``unknown`` is no allow: fetch the robots.txt first."""

OnError: TypeAlias = Literal["raise", "null"]
"""What becomes of a URL without an answer in a batch."""
