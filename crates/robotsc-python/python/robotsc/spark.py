"""robots.txt over tables of captures and URLs, in Spark.

>>> policies = robotsc.spark.policies(captures, agents=["FooBot"])
>>> checked = robotsc.spark.filter_urls(urls, policies, agent="FooBot", now=1_790_000_000)
>>> checked.where("verdict = 'allowed'")

Origins are spread over buckets by a hash. ``policies`` compiles the robots.txt of a bucket into one pack: a row of some
hundred bytes an origin. ``filter_urls`` sends each URL to the task that has the pack of its bucket, so that a policy
travels once and not with every row:

```text
urls     → bucket, salt │                          pack of bucket 0
                        ├ repartition, sort   →    URL, URL, URL …      → verdicts, a batch at a time
policies → bucket, salt │                          pack of bucket 1
                        │                          URL, URL …
```

A bucket that holds many of the URLs is cut into parts by a salt, and its pack goes to each part.

Needs Spark 4 with pyarrow, and this package on the executors (``spark.archives``).
"""

from __future__ import annotations

import contextlib
import math
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy
import pyarrow
import pyarrow.compute
from pyspark.sql import functions
from pyspark.sql.types import StringType, StructField, StructType

from robotsc import _native
from robotsc._errors import RobotsError
from robotsc._types import Dialect

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

__all__ = ["BUCKETS", "filter_urls", "lost_captures", "policies"]

BUCKETS = 256
"""The number of buckets, unless both functions are called with another. A pack of a bucket should have some MB."""

_POLICIES = "bucket int, buckets int, origins bigint, pack binary, lost bigint"
_KEYS = ["_bucket", "_salt", "_kind", "_buckets", "_pack"]
_PACK, _URL = 0, 1
_LOST = -1
"""The bucket of the captures that are in no policy."""
_KEPT = "origin IS NOT NULL AND fetched_at IS NOT NULL"


def _names(agents: Sequence[str]) -> list[str]:
    """Returns the names of agents. A text is no list of them: its letters would be."""
    if isinstance(agents, str | bytes):
        raise TypeError(f"agents are a list of names, not {type(agents).__name__}: pass a list such as ['FooBot']")
    names = [*agents]
    for name in names:
        _native.Crawler(name)
    return names


def lost_captures(captures: DataFrame, *, column: str = "url") -> DataFrame:
    """Returns the captures that are in no policy: without a time, or with a URL that has no origin."""
    return _with_origin(captures, column).where(f"NOT ({_KEPT})")


def _with_origin(frame: DataFrame, column: str) -> DataFrame:
    """Adds the column ``origin``: that of a URL, or null."""
    if column not in frame.columns:
        raise RobotsError(f"there is no column {column!r}: name the one that holds the URLs")
    taken = {"origin", "verdict", *_KEYS} & set(frame.columns)
    if taken:
        raise RobotsError(f"the table has a column {min(taken)!r} already: rename it")

    def add(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            origins = _native.origins_of(batch.column(column))
            yield batch.append_column("origin", origins)

    schema = StructType([*frame.schema.fields, StructField("origin", StringType())])
    return frame.mapInArrow(add, schema)


def _bucket(buckets: int, column: str) -> Column:
    # What has no origin has no verdict either, and any bucket will do.
    return functions.pmod(
        functions.xxhash64(functions.coalesce(functions.col("origin"), functions.col(column))), functions.lit(buckets)
    ).cast("int")


def policies(
    captures: DataFrame,
    agents: Sequence[str] | None = None,
    *,
    column: str = "url",
    dialect: Dialect = "google",
    buckets: int = BUCKETS,
) -> DataFrame:
    """Returns the policies of the origins in a table of captures: a row for each bucket, with its pack.

    A capture is a row with the URL of a robots.txt (``column``), ``fetched_at`` in seconds since 1970, and how the fetch
    ended: ``status`` and ``body``, or ``error`` as in ``robotsc.FetchedRobots``. A column that is missing is null. A
    status of success without a body is a failure, since what the body said is lost. Of several captures of an origin
    the newest counts; before failures, the last good one.

    A row without a time, or whose URL has no origin, is in no policy: :func:`lost_captures` returns these. They are
    counted in the row of bucket -1, whose ``lost`` is their number; it has no pack. The other rows count in ``lost`` what
    no fetch leaves: a time in milliseconds, and a status of -1 or an error without such a name, which are failures.

    ``agents`` are the names to compile for; without them, all. Raises ``RobotsError`` for names and columns that are
    none.

    Cost: one shuffle of the captures. A task holds the captures of a bucket in memory, so that 40 million files of some
    kB take thousands of buckets.
    """
    names = None if agents is None else _names(agents)
    _native.parse(b"", dialect)
    if "fetched_at" not in captures.columns:
        raise RobotsError("there is no column 'fetched_at': add the time of each fetch, in seconds since 1970")

    if "status" in captures.columns and "body" not in captures.columns:
        raise RobotsError("there is no column 'body': add what each fetch returned")

    def build(table: Any) -> Any:
        if table.column("_bucket")[0].as_py() == _LOST:
            return row(_LOST, 0, None, table.num_rows)
        rows = table.to_pylist()
        fetched, lost = [], 0
        for one in rows:
            try:
                fetched.append(_fetched(one, dialect))
            except RobotsError:
                # One row of a crawl is not worth a task of thousands. With a time it is a failure, since an older
                # fetch that allowed must not count in its place.
                lost += 1
                with contextlib.suppress(RobotsError):
                    fetched.append(_fetched({**one, "status": None, "error": "protocol"}, dialect))
        if not fetched:
            return row(rows[0]["_bucket"], 0, None, lost)
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "bucket.pack"
            origins = _native.build_pack(target, fetched, agents=names, dialect=dialect)
            pack = target.read_bytes()
        return row(rows[0]["_bucket"], origins, pack, lost)

    def row(bucket: int, origins: int, pack: bytes | None, lost: int) -> Any:
        types = [pyarrow.int32(), pyarrow.int32(), pyarrow.int64(), pyarrow.binary(), pyarrow.int64()]
        cells = [bucket, buckets, origins, pack, lost]
        arrays = [pyarrow.array([cell], kind) for cell, kind in zip(cells, types, strict=True)]
        return pyarrow.table(arrays, names=["bucket", "buckets", "origins", "pack", "lost"])

    known = {"status": "int", "body": "binary", "error": "string"}
    read = [
        (functions.col(name) if name in captures.columns else functions.lit(None)).cast(kind).alias(name)
        for name, kind in known.items()
    ]
    rows = captures.select(functions.col(column), functions.col("fetched_at").cast("bigint").alias("fetched_at"), *read)
    rows = _with_origin(rows, column)
    bucket = functions.when(functions.expr(_KEPT), _bucket(buckets, column)).otherwise(functions.lit(_LOST))
    rows = rows.withColumn("_bucket", bucket)
    return rows.groupBy("_bucket").applyInArrow(build, _POLICIES)


def _fetched(row: dict[str, Any], dialect: Dialect) -> _native.FetchedRobots:
    status, body, error = row["status"], row["body"], row["error"]
    if error is None and body is None and status is not None and status // 100 == 2:
        error = "incomplete"
    if status is None and error is None:
        # Nothing says how the fetch ended, so that it counts as a failure.
        error = "protocol"
    return _native.FetchedRobots(
        row["origin"],
        status=status,
        body=body,
        # A failure that is named beside a status is that of the body.
        error="incomplete" if status is not None and error is not None else error,
        now=row["fetched_at"],
        dialect=dialect,
    )


def filter_urls(
    urls: DataFrame,
    policies: DataFrame,
    agent: str,
    now: int,
    *,
    column: str = "url",
    buckets: int = BUCKETS,
    partitions: int | None = None,
    sample: float = 0.01,
) -> DataFrame:
    """Returns the table of URLs with the columns ``origin`` and ``verdict``.

    A verdict is ``allowed``, ``disallowed``, ``unknown`` (no policy of the origin counts at ``now``: fetch its
    robots.txt), or null for what is no URL. The origins to fetch are
    ``checked.where("verdict = 'unknown'").select("origin").distinct()``.

    ``policies`` is what :func:`policies` returned for the same number of buckets: cache or store it, since Spark
    computes a table each time it is used. ``partitions`` is the number of tasks; ``spark.sql.shuffle.partitions``
    without it. ``sample`` is the share of the URLs that is counted first, to cut buckets that hold many; 0 counts none.

    Raises ``AgentError`` if the agent is no name. A task fails if the policies were made for other agents or another
    number of buckets.

    Cost: one shuffle of the URLs and one of the packs, each as often as its bucket has parts.
    """
    _native.Crawler(agent)
    if partitions is None:
        partitions = int(urls.sparkSession.conf.get("spark.sql.shuffle.partitions") or "200")
    wanted = StructType([*urls.schema.fields, StructField("origin", StringType()), StructField("verdict", StringType())])

    def keyed_by_bucket(urls: DataFrame) -> DataFrame:
        return _with_origin(urls, column).withColumn("_bucket", _bucket(buckets, column))

    keyed = keyed_by_bucket(urls)
    # The sample is drawn first, so that Python reads the URLs of the sample alone to count them.
    drawn = urls.sample(fraction=min(float(sample), 1.0), seed=0)
    parts = _parts(keyed_by_bucket(drawn), partitions) if sample > 0 else {}
    # A map without entries has no type.
    cells = [functions.lit(number) for entry in ({-1: 1} | parts).items() for number in entry]
    count = functions.coalesce(functions.create_map(*cells)[functions.col("_bucket")], functions.lit(1))

    salt = functions.pmod(functions.xxhash64(functions.col(column), functions.lit(1)), count).cast("int")
    keyed = keyed.withColumn("_salt", salt).withColumn("_kind", functions.lit(_URL))
    packs = policies.where("pack IS NOT NULL").select(
        functions.col("bucket").alias("_bucket"),
        functions.col("buckets").alias("_buckets"),
        functions.col("pack").alias("_pack"),
        functions.lit(_PACK).alias("_kind"),
    ).withColumn("_salt", functions.explode(functions.sequence(functions.lit(0), (count - 1).cast("int"))))

    def answer(batches: Iterator[Any]) -> Iterator[Any]:
        key: tuple[int, int] | None = None
        pack: _native.Pack | None = None
        for batch in batches:
            for start, end in _runs(batch):
                run = batch.slice(start, end - start)
                first = {name: run.column(name)[0].as_py() for name in _KEYS}
                if key != (first["_bucket"], first["_salt"]):
                    key, pack = (first["_bucket"], first["_salt"]), None
                if first["_kind"] == _PACK:
                    if first["_buckets"] != buckets:
                        raise RobotsError(
                            f"the policies are of {first['_buckets']} buckets, the URLs of {buckets}: use one number"
                        )
                    pack = _native.Pack.from_bytes(first["_pack"])
                    run = run.slice(1)
                yield _answered(run, column, pack, agent, now, wanted.names)

    both = keyed.unionByName(packs, allowMissingColumns=True)
    ordered = both.repartition(partitions, "_bucket", "_salt").sortWithinPartitions("_bucket", "_salt", "_kind")
    return ordered.mapInArrow(answer, _nullable(wanted))


def _parts(keyed: DataFrame, partitions: int) -> dict[int, int]:
    """Returns the number of parts of each bucket that holds more of the URLs than a partition should."""
    rows = keyed.groupBy("_bucket").count().collect()
    counts = {row["_bucket"]: row["count"] for row in rows}
    share = sum(counts.values()) / partitions
    parts = {bucket: min(math.ceil(count / share), partitions) for bucket, count in counts.items() if share > 0}
    return {bucket: number for bucket, number in parts.items() if number > 1}


def _runs(batch: Any) -> list[tuple[int, int]]:
    """Returns where rows of one bucket and salt begin and end; a pack begins a run."""
    if batch.num_rows == 0:
        return []
    bucket, salt, kind = (numpy.asarray(batch.column(name)) for name in ("_bucket", "_salt", "_kind"))
    begins = (numpy.diff(bucket) != 0) | (numpy.diff(salt) != 0) | (kind[1:] == _PACK)
    cuts = [0, *(numpy.flatnonzero(begins) + 1).tolist(), batch.num_rows]
    return list(zip(cuts, cuts[1:], strict=False))


def _answered(run: Any, column: str, pack: _native.Pack | None, agent: str, now: int, names: list[str]) -> Any:
    """Returns the URLs of a run with their verdicts."""
    if pack is not None:
        verdicts = pack.verdicts(run.column(column), agent, now=now, errors="null")
    else:
        unknown = pyarrow.scalar("unknown")
        verdicts = pyarrow.compute.if_else(pyarrow.compute.is_valid(run.column("origin")), unknown, None)
    columns = [*(run.column(name) for name in names[:-1]), verdicts]
    return pyarrow.record_batch(columns, names=names)


def _nullable(schema: StructType) -> StructType:
    """Returns a schema whose columns can be null: in the rows of packs they were."""
    return StructType([StructField(field.name, field.dataType, True) for field in schema.fields])


