#!/usr/bin/env python3
"""Usage: spark-submit convert.py INPUT OUTPUT [DIALECT]

Converts a dataset of conversations, one a line, on a cluster: each partition runs through one ai-transform. The program must be on the PATH of the
workers. A partition that it cannot read fails its task, with what it said in the log of the worker.
"""
import sys

from pyspark.sql import SparkSession

source, target = sys.argv[1:3]
dialect = sys.argv[3] if len(sys.argv) > 3 else "anthropic"
lines = SparkSession.builder.appName("ai-transform").getOrCreate().sparkContext.textFile(source)
lines.pipe(f"ai-transform --quiet --to {dialect}", checkCode=True).saveAsTextFile(target)
