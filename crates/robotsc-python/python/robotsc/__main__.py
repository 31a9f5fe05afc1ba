"""The command ``robotsc``: ``python -m robotsc``, and the console script of the wheel."""

import signal
import sys

from robotsc._native import run_command


def main() -> int:
    """Runs the command with the arguments of this process, and returns its exit code."""
    # Ctrl-C ends the command at once, as it ends other programs: Python would wait until the call returns.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(["robotsc", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
