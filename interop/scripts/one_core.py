"""Starts Spark for tests."""
from pyspark.sql import SparkSession

# A test runs each of its queries once: the JVM compiles quickly rather than well, and collects garbage on one thread.
# With the first compiler alone it would have 48 MB for code, which many views fill, and would then stop to compile.
JVM = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC"


def spark(**options):
    """Returns a session on one core, without a web server, and with Spark's default options but for those given."""
    # All scripts of a package share the session: with 1 GB the JVM spends a quarter of its time on garbage.
    builder = SparkSession.builder.master("local[1]").config("spark.driver.memory", "2g").config("spark.ui.enabled", "false").config("spark.driver.extraJavaOptions", JVM)
    for name, value in options.items():
        builder = builder.config(name.replace("_", "."), value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session
