"""Makes Spark's SQL of views.

Question: the folder of the views.
Answer: the text of _spark_views.sql.
"""
import json
import pathlib
import sys

from etl2parquet._spark_sql import made

print(json.dumps(made(pathlib.Path(json.load(sys.stdin)))))
