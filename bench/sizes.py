#!/usr/bin/env python3
"""Compares the bytes of our Parquet files with those of other writers, for the same rows.

    bench/sizes.py TRACE...                        a line per trace
    bench/sizes.py --tables 10 TRACE...            and the ten tables where we lose most to DuckDB
    bench/sizes.py --columns event_header TRACE    and every column of a table

Each trace is converted with the default options. DuckDB and pyarrow read our files and write each
table into one file: with zstd and their own defaults, DuckDB in row groups of 131072 rows as we do,
in versions 1 and 2 of its format. "zstd -1" is of the uncompressed trace: the amplifier unpacks the
buffers first. Only Parquet files are counted, whole: with headers, indexes and footers.

Needs Python with duckdb and pyarrow (interop/small.txt), the program zstd, and two programs
of this repository, built without cgo:
    go build -o etl2parquet ./cmd/etl2parquet; go build -o amplify ./tools/amplify
"""

import argparse
import os
import subprocess
import sys
import tempfile

import duckdb
import pyarrow
import pyarrow.parquet as parquet

ROW_GROUP = 131072  # rows, as in our files
WRITERS = ["ours", "duckdb", "duckdb v2", "pyarrow"]
COMPRESSED_MODE = 0x04000000  # EVENT_TRACE_COMPRESSED_MODE in LogFileMode


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--bin", default="./etl2parquet", help="the program (default %(default)s)")
    flags.add_argument("--amplify", default="./amplify", help="the amplifier (default %(default)s)")
    flags.add_argument("--temp", help="folder for what is written (the system's)")
    flags.add_argument("--tables", type=int, default=0, metavar="N", help="list the N tables where we lose most to DuckDB")
    flags.add_argument("--columns", default="", metavar="TABLE", help="list the columns of a table")
    flags.add_argument("--above", type=float, metavar="RATIO", help="exit with 1 if a trace takes more than RATIO of DuckDB's bytes")
    flags.add_argument("traces", nargs="+", metavar="TRACE")
    options = flags.parse_args()

    engine = duckdb.connect(config={"threads": 1})
    print(f"DuckDB {duckdb.__version__}, pyarrow {pyarrow.__version__}; bytes, and ours as a share of each")
    print(f"{'trace':32}{'rows':>12}{'ours':>12}" + "".join(f"{w:>12}{'':>6}" for w in WRITERS[1:] + ["zstd -1"]))
    lost = False
    for trace in options.traces:
        with tempfile.TemporaryDirectory(prefix="etl2parquet-sizes.", dir=options.temp) as folder:
            tables = measure(options, engine, trace, folder)
            total = [sum(t["sizes"][i] for t in tables) for i in range(len(WRITERS))]
            others = total[1:] + [zstd_size(options, trace, folder)]
            print(f"{os.path.basename(trace):32}{sum(t['rows'] for t in tables):12}{total[0]:12}" + ratios(total[0], others), flush=True)
            worst = sorted(tables, key=lambda t: t["sizes"][1] - t["sizes"][0])
            for t in worst[: options.tables]:
                print(f"  {t['name']:30}{t['rows']:12}{t['sizes'][0]:12}" + ratios(t["sizes"][0], t["sizes"][1:]))
            for t in tables:
                if t["name"] == options.columns:
                    print_columns(t)
            lost = lost or options.above is not None and total[0] > options.above * total[1]
    return 1 if lost else 0


def ratios(ours, others):
    return "".join(f"{o:12}{ours / max(o, 1):6.2f}" for o in others)


def measure(options, engine, trace, folder):
    """Writes every table by every writer, and returns their sizes and files."""
    dataset = os.path.join(folder, "dataset")
    subprocess.run([options.bin, "convert", trace, "-o", dataset, "-q"], check=True)
    tables = []
    for root, _, names in sorted(os.walk(dataset)):
        for name in sorted(n for n in names if n.endswith(".parquet")):
            files = [os.path.join(root, name)] + [os.path.join(folder, f"{len(tables)}.{i}.parquet") for i in range(1, len(WRITERS))]
            for version, file in (("V1", files[1]), ("V2", files[2])):
                engine.execute(f"COPY (SELECT * FROM read_parquet({quoted(files[0])})) TO {quoted(file)} "
                               f"(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {ROW_GROUP}, PARQUET_VERSION {version})")
            rows = parquet.ParquetFile(files[0]).read()
            parquet.write_table(rows, files[3], compression="zstd")
            tables.append({"name": os.path.relpath(root, dataset).removeprefix("events/"), "rows": rows.num_rows,
                           "files": files, "sizes": [os.path.getsize(f) for f in files]})
    return tables


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def zstd_size(options, trace, folder):
    """Returns the bytes of zstd -1 of the trace, whose buffers are unpacked first if need be."""
    with open(trace, "rb") as f:
        start = f.read(4096)
    if is_compressed(start):
        unpacked = os.path.join(folder, "unpacked.etl")
        subprocess.run([options.amplify, "-size", "1", "-same", trace, unpacked], check=True, stdout=subprocess.DEVNULL)
        trace = unpacked
    out = subprocess.run(["zstd", "-1", "-c", "-q", trace], check=True, stdout=subprocess.PIPE)
    return len(out.stdout)


def is_compressed(start):
    """Reports whether the TRACE_LOGFILE_HEADER in the first event says that buffers are compressed."""
    mode = 72 + 32 + 32  # WMI_BUFFER_HEADER, SYSTEM_TRACE_HEADER, and the fields before LogFileMode
    return bool(int.from_bytes(start[mode : mode + 4], "little") & COMPRESSED_MODE)


def print_columns(table):
    """Prints the bytes of the columns by each writer, and their encodings. Columns of less than 0.5 %
    of the file are one line together. The last line is what is in no column: page indexes, the footer,
    and magic bytes."""
    metas = [parquet.ParquetFile(f).metadata for f in table["files"]]
    columns = [{}, {}, {}, {}]
    for found, meta in zip(columns, metas):
        for g in range(meta.num_row_groups):
            for c in range(meta.num_columns):
                chunk = meta.row_group(g).column(c)
                size, how = found.get(c, (0, set()))
                found[c] = size + chunk.total_compressed_size, how | set(chunk.encodings)
    small = [0] * len(columns)
    for c in range(metas[0].num_columns):
        sizes = [found[c][0] for found in columns]
        if all(200 * size < whole for size, whole in zip(sizes, table["sizes"])):
            small = [a + b for a, b in zip(small, sizes)]
            continue
        print_column(metas[0].schema.column(c).path, sizes, [short(found[c][1]) for found in columns])
    rest = [size - sum(v[0] for v in found.values()) for size, found in zip(table["sizes"], columns)]
    print_column("(all smaller columns)", small, [""] * len(columns))
    print_column("(indexes and footer)", rest, [""] * len(columns))


def print_column(name, sizes, encodings):
    print(f"  {name[-42:]:42}" + "".join(f"{size:12}  {how:14}" for size, how in zip(sizes, encodings)))


def short(encodings):
    names = {"RLE_DICTIONARY": "dict", "PLAIN_DICTIONARY": "dict", "DELTA_BINARY_PACKED": "delta",
             "DELTA_LENGTH_BYTE_ARRAY": "lengths", "BYTE_STREAM_SPLIT": "split", "PLAIN": "plain"}
    return "+".join(sorted({names[e] for e in encodings if e in names}))


if __name__ == "__main__":
    sys.exit(main())
