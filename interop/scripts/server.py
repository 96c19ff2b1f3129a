"""Runs other scripts of this folder in one process, so that they share what takes long to start: packages, and Spark.

A line of input is {script, question}. A line of output is {answer}, the last line that the script prints, or {error}.
"""
import contextlib
import io
import json
import os
import runpy
import sys
import traceback

requests, answers = sys.stdin, os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)  # what libraries and Spark's JVM print is no answer
home, folder = os.getcwd(), os.path.dirname(os.path.abspath(__file__))
for line in requests:
    request = json.loads(line)
    sys.stdin, printed = io.StringIO(json.dumps(request["question"])), io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(os.path.join(folder, request["script"]), run_name="__main__")
        answer = '{"answer": ' + printed.getvalue().splitlines()[-1] + "}"
    except BaseException:  # Polars' panics, too
        answer = json.dumps({"error": traceback.format_exc()})
    os.chdir(home)
    print(answer, file=answers, flush=True)
