"""Starts Spark for tests."""
from pyspark.sql import SparkSession


def spark(**options):
    """Returns a session on one core, without a web server. A test runs each of its queries once: the JVM compiles
    quickly rather than well, and collects garbage on one thread. That changes no option of Spark."""
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    for name, value in options.items():
        builder = builder.config(name.replace("_", "."), value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session
