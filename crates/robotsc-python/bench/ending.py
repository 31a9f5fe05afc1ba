"""A table whose computation kills an executor of Spark, once."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def executor_of_this_worker() -> int:
    """Returns the process of the executor: a worker's parent is the daemon, whose parent is the executor."""
    executor = _parent(_parent(os.getpid()))
    if b"CoarseGrainedExecutorBackend" not in Path(f"/proc/{executor}/cmdline").read_bytes():
        raise RuntimeError(f"process {executor} is no executor: use local-cluster")
    return executor


def _parent(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def with_an_end(frame: Any, marker: Path, partition: int = 0) -> Any:
    """Returns a table with the same rows. When ``partition`` is computed first, its executor is killed after a batch.

    The file ``marker`` must not exist; then it holds the number of the process that was killed.
    """
    # Executors import this module by its file.
    frame.sparkSession.sparkContext.addPyFile(__file__)

    def rows(batches: Iterator[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        task = TaskContext.get()
        is_chosen = task is not None and task.partitionId() == partition
        for batch in batches:
            yield batch
            if is_chosen:
                is_chosen = False
                executor = executor_of_this_worker()
                try:
                    file = os.open(marker, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
                except FileExistsError:
                    continue
                os.write(file, str(executor).encode())
                os.close(file)
                os.kill(executor, signal.SIGKILL)

    return frame.mapInArrow(rows, frame.schema)
