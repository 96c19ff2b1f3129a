"""Runs the steps of a test in one process with DuckDB and the extension.

Standard input has {"extension": path, "steps": [{"sql": ...} or {"do": name, ...}]}; the last
line of standard output has, for each step, {"rows", "types"}, {"error"} or what it measured.
"""

import json
import os
import resource
import signal
import sys
import threading
import time

import duckdb


def connect(extension):
    con = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    con.execute(f"LOAD '{extension}'")
    return con


def statistics(con):
    return dict(con.execute("SELECT name, value FROM etl_statistics()").fetchall())


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * resource.getpagesize()


def sql(con, step):
    result = con.execute(step["sql"])
    return {"types": [[d[0], str(d[1])] for d in result.description or []], "rows": [[str(v) for v in row] for row in result.fetchall()]}


def fork(con, step):
    """Runs statements in a child process that was forked after LOAD."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        errors = []
        for statement in step["statements"]:
            try:
                con.cursor().execute(statement).fetchall()
                errors.append("")
            except Exception as e:
                errors.append(str(e))
        os.write(writer, json.dumps(errors).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as f:
        said = f.read()
    _, status = os.waitpid(child, 0)
    return {"status": status, "errors": json.loads(said or "[]")}


def repeat(con, step):
    """Runs a statement many times, and measures before and after."""
    for _ in range(step["warm"]):
        con.execute(step["statement"]).fetchone()
    before, used = statistics(con), resident()
    for _ in range(step["times"]):
        con.execute(step["statement"]).fetchone()
    after, grown = settled(con, before["goroutines"]), resident() - used
    return {"before": before, "after": after, "grown": grown}


def settled(con, goroutines):
    """Returns the statistics once no more goroutines are left, or after ten seconds."""
    for _ in range(100):
        now = statistics(con)
        if now["goroutines"] <= goroutines:
            break
        time.sleep(0.1)
    return now


def interrupt(con, step):
    """Interrupts a statement, and waits until its goroutines have ended."""
    before = statistics(con)["goroutines"]
    timer = threading.Timer(step["after"], con.interrupt)
    timer.start()
    start, error = time.monotonic(), ""
    try:
        con.execute(step["statement"]).fetchall()
    except duckdb.Error as e:
        error = str(e)
    took = time.monotonic() - start
    timer.cancel()
    return {"error": error, "seconds": took, "more_goroutines": settled(con, before)["goroutines"] - before}


def change(con, step):
    """Changes a file: it has other contents, or some more."""
    with open(step["path"], step["mode"]) as f:
        f.write(b"<more>")
    return {}


def peak(con, step):
    """Returns the most resident memory of the process so far."""
    with open("/proc/self/status") as f:
        line = next(line for line in f if line.startswith("VmHWM:"))
    return {"bytes": int(line.split()[1]) << 10}


def folder(con, step):
    """Changes the working folder."""
    os.chdir(step["path"])
    return {}


def overwrite(con, step):
    """Overwrites a file in place from the middle on, so that its size and time stay."""
    times = os.stat(step["path"])
    with open(step["path"], "r+b") as f:
        data = f.read()
        middle = len(data) // 2
        f.seek(middle)
        f.write(data[middle:].replace("explorer".encode("utf-16-le"), "exploder".encode("utf-16-le")).replace(b"\x01\x02", b"\x02\x01"))
    os.utime(step["path"], ns=(times.st_atime_ns, times.st_mtime_ns))
    return {}


def during(con, step):
    """Overwrites a file after the first row of a statement."""
    result = con.execute(step["statement"])
    result.fetchmany(1)
    overwrite(con, step)
    return {"rows": [[str(len(result.fetchall()))]]}


def cost(con, step):
    """Measures the processor time and the reads of a statement."""
    before, start = statistics(con), time.process_time()
    con.execute(step["statement"]).fetchall()
    used, after = time.process_time() - start, statistics(con)
    return {"seconds": used, "reads": after["file_reads"] - before["file_reads"], "bytes": after["bytes_read"] - before["bytes_read"]}


def main():
    request = json.load(sys.stdin)
    con = connect(request["extension"])
    con.execute("SET TimeZone = 'UTC'")
    answers = []
    for step in request["steps"]:
        try:
            do = {"fork": fork, "repeat": repeat, "interrupt": interrupt, "change": change, "peak": peak, "folder": folder, "overwrite": overwrite, "during": during, "cost": cost}.get(step.get("do"), sql)
            answers.append(do(con, step))
        except duckdb.Error as e:
            answers.append({"error": str(e)})
    print(json.dumps(answers))


main()
