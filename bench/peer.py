#!/usr/bin/env python3
"""Walks a trace with a peer of etl2parquet and prints the cost as JSON.

Usage: peer.py etl-parser|dissect headers|all TRACE

It needs the package etl-parser or dissect.etl. Beside it: etl2parquet bench TRACE --json --workers 1 --part 0.

headers: every event's header is parsed and counted. all: the payload is decoded, too, with
everything that the peer offers for it. Payloads that the peer cannot decode are counted, and so is
an error that ends the walk. Imports and the start of Python are not timed.
"""
import importlib.metadata
import json
import platform
import sys
import time

PACKAGES = {"etl-parser": "etl-parser", "dissect": "dissect.etl"}


class Counts:
    def __init__(self):
        self.events = self.payloads = self.failed = 0
        self.first = ""

    def decode(self, *ways):
        error = None
        for way in ways:
            try:
                way()
                self.payloads += 1
                return
            except Exception as e:  # peers raise errors of all kinds
                error = error or e
        self.failed += 1
        self.first = self.first or type(error).__name__ + ": " + str(error)[:200]


def etl_parser(path, everything, counts):
    from etl.etl import IEtlFileObserver, build_from_stream

    class Observer(IEtlFileObserver):
        def on_event_record(self, event):
            counts.events += 1
            if everything:
                counts.decode(event.parse_tracelogging, event.parse_etw)

        def on_win_trace(self, event):
            counts.events += 1
            if everything:
                counts.decode(event.parse_etw)

        def on_perfinfo_trace(self, event):
            counts.events += 1
            if everything:
                counts.decode(event.get_mof)

        on_system_trace = on_perfinfo_trace

        def on_trace_record(self, event):  # the peer has no decoder for these
            counts.events += 1

    def run():
        with open(path, "rb") as file:
            build_from_stream(file.read()).parse(Observer())

    return run


def dissect(path, everything, counts):
    from dissect.etl.etl import ETL

    def run():
        with open(path, "rb") as file:
            for record in ETL(file):
                counts.events += 1
                if everything:
                    counts.decode(lambda: record.event.event_values())

    return run


def main(peer, mode, path):
    counts = Counts()
    run = {"etl-parser": etl_parser, "dissect": dissect}[peer](path, mode == "all", counts)
    stopped = ""
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        run()
    except Exception as e:
        stopped = type(e).__name__ + ": " + str(e)[:200]
    print(json.dumps({
        "version": importlib.metadata.version(PACKAGES[peer]),
        "python": platform.python_version(),
        "events": counts.events,
        "payloads": counts.payloads,
        "failed": counts.failed,
        "first_error": counts.first,
        "stopped": stopped,
        "cpu_seconds": time.process_time() - cpu,
        "wall_seconds": time.perf_counter() - wall,
    }))


main(*sys.argv[1:])
