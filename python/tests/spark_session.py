"""Sessions of Spark whose executors are processes of their own."""

import os
import sys

from pyspark.sql import SparkSession


def session(memory):
    """Two executors of one core and `memory` MB each."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.executor.memory": f"{memory}m",
        "spark.driver.host": "127.0.0.1",
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    builder = SparkSession.builder.master(f"local-cluster[2,1,{memory}]").appName("swissroll")
    spark = builder.config(map=settings).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark
