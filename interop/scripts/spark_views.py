"""Makes Spark's SQL of views.

Question: the SQL of the views by name.
Answer: the text of _spark_views.sql.
"""
import json
import sys

from etl2parquet._spark_sql import made

print(json.dumps(made(json.load(sys.stdin))))
