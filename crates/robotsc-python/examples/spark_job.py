"""Checks a table of URLs in Spark: a job for spark-submit.

    spark-submit --archives environment.tar.gz#environment \\
        --conf spark.pyspark.python=./environment/bin/python --conf spark.pyspark.driver.python=python3.11 \\
        spark_job.py captures.parquet urls.parquet checked.parquet --agent FooBot --now 1790000000

`captures.parquet` has the columns of `robotsc.spark.policies`, `urls.parquet` a column `url`. The result has the columns
of the URLs, `origin` and `verdict`.
"""

from __future__ import annotations

import argparse
import time

from pyspark.sql import SparkSession

from robotsc import spark


def main() -> None:
    """Reads the tables, and writes the verdicts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("captures", help="captures of robots.txt, Parquet")
    parser.add_argument("urls", help="URLs, Parquet")
    parser.add_argument("output", help="folder for the result; it must not exist")
    parser.add_argument("--agent", required=True, help="the name of the crawler")
    parser.add_argument("--now", type=int, default=int(time.time()), help="the time to answer for, since 1970")
    parser.add_argument("--buckets", type=int, default=spark.BUCKETS, help="buckets of origins")
    arguments = parser.parse_args()
    session = SparkSession.builder.appName("robots.txt").getOrCreate()
    captures = session.read.parquet(arguments.captures)
    # Both steps read the policies, so that they are kept.
    policies = spark.policies(captures, [arguments.agent], buckets=arguments.buckets).cache()
    urls = session.read.parquet(arguments.urls)
    checked = spark.filter_urls(urls, policies, arguments.agent, arguments.now, buckets=arguments.buckets)
    checked.write.parquet(arguments.output)
    session.stop()


main()
