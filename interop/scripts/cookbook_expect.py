"""Answers the questions of docs/cookbook.md that real traces have events for, without SQL: a walk over rows in time order.

Question: {root}.
Answer: {number of the question: rows}, in the columns and order of the page, all of them.
"""
import bisect
import collections
import json
import os
import sys

import pyarrow.dataset

root = json.load(sys.stdin)["root"]


def rows(table):
    path = f"{root}/events/{table}"
    if not os.path.isdir(path):
        return []
    data = pyarrow.dataset.dataset(path)
    keep = [f.name for f in data.schema if f.name not in ("timestamp", "initial_time", "payload_rest")]
    return data.to_table(columns=keep).to_pylist()


class Owners:
    """The owner of a number: the one named by the latest Start; else by the next event that is not a Start."""

    def __init__(self, key, value, **tables):
        self.mentions = collections.defaultdict(list)
        for kind, names in tables.items():
            for name in names:
                for r in rows(name):
                    self.mentions[r["trace"], r[key]].append((r["time_ns"], kind, value(r)))
        for m in self.mentions.values():
            m.sort(key=lambda x: x[0])

    def at(self, trace, number, time):
        m = self.mentions.get((trace, number), [])
        i = bisect.bisect_right(m, time, key=lambda x: x[0])
        for _, kind, value in reversed(m[:i]):
            if kind in ("start", "alive"):
                return value
        for _, kind, value in m[i:]:
            if kind == "start":
                break
            return value
        return m[i - 1][2] if i else None  # ended and not started again


threads = Owners("t_thread_id", lambda r: r["payload_process_id"],
                 start=["Thread/Start"], alive=["Thread/DCStart"], end=["Thread/End", "Thread/DCEnd"])
names = Owners("payload_process_id", lambda r: r["image_file_name"],
               start=["Process/Start"], alive=["Process/DCStart"], end=["Process/End", "Process/DCEnd"])
files = Owners("file_object", lambda r: r["payload_file_name"],
               start=["FileIo/FileCreate", "FileIo/Name"], end=["FileIo/FileDelete", "FileIo/FileRundown"])


volumes = {(r["trace"], r["nt_path"]): r["dos_path"] for r in rows("SysConfig/VolumeMapping")}
windows = {r["trace"]: r["system_windows_directory"] for r in rows("SysConfig/SystemPaths")}


def dos(trace, path):
    if trace in windows and path and path.lower().startswith(windows[trace][2:].lower()):
        return windows[trace][:2] + path
    for (of, nt), letter in volumes.items():
        if of == trace and path and letter and (path + "\\").startswith(nt.removesuffix("\\") + "\\"):
            return letter + path[len(nt):]
    return path


def file_of(r):
    return dos(r["trace"], files.at(r["trace"], r["file_object"], r["time_ns"]))


def who(trace, thread, time):
    pid = threads.at(trace, thread, time)
    return names.at(trace, pid, time), pid


def order(row, *keys):
    return [(row[k] is None, row[k] if row[k] is not None else 0) for k in keys]


def samples():
    total, groups = collections.Counter(), collections.defaultdict(collections.Counter)
    interval = {r["trace"]: r["new_interval"] / 1e4 for r in rows("PerfInfo/CollectionStart") if r["source"] == 0}
    for r in rows("PerfInfo/SampleProf"):
        busy = r["flags"] % 4 > 0
        if r["payload_thread_id"] == 0 and not busy:
            continue
        total[r["trace"]] += 1
        g = groups[r["trace"], *who(r["trace"], r["payload_thread_id"], r["time_ns"])]
        g["n"] += 1
        g["busy"] += busy
    out = [[t, name, pid, g["n"], g["busy"], g["n"] * interval.get(t, 1), 100 * g["n"] / total[t]] for (t, name, pid), g in groups.items()]
    return sorted(out, key=lambda r: (-r[3], r[0], order(r, 2, 1)))


def disk():
    frequency = {r["trace"]: r["perf_freq"] for r in pyarrow.dataset.dataset(f"{root}/traces").to_table().to_pylist()}
    groups = collections.defaultdict(lambda: [0, 0, 0, 0, 0])
    for table, at in (("DiskIo/Read", 0), ("DiskIo/Write", 2)):
        for r in rows(table):
            g = groups[r["trace"], *who(r["trace"], r["issuing_thread_id"], r["time_ns"]), file_of(r)]
            g[at] += 1
            g[at + 1] += r["transfer_size"]
            g[4] += r["high_res_response_time"]
    out = [[*key, *g[:4], g[4] * 1000 / frequency[key[0]]] for key, g in groups.items()]
    return sorted(out, key=lambda r: (-r[5] - r[7], r[0], order(r, 2, 1, 3)))


def faults():
    groups = collections.defaultdict(lambda: [0, 0, 0])
    for r in rows("PageFault/HardFault"):
        g = groups[r["trace"], *who(r["trace"], r["t_thread_id"], r["time_ns"]), file_of(r)]
        g[0] += 1
        g[1] += r["byte_count"]
        g[2] += r["time_ns"] - r["initial_time_ns"]
    out = [[*key, *g] for key, g in groups.items()]
    out.sort(key=lambda r: (-r[6], r[0], order(r, 2, 1, 3)))
    return [[*r[:6], r[6] / 1e6] for r in out]


def images():
    loads = sorted(rows("Image/Load"), key=lambda r: (r["trace"], r["time_ns"], r["event_ref"]))
    return [[r["trace"], r["time_ns"] // 1000, names.at(r["trace"], r["payload_process_id"], r["time_ns"]), r["payload_process_id"],
             dos(r["trace"], r["payload_file_name"]), r["image_size"]] for r in loads]


def tcp():
    groups = collections.defaultdict(lambda: [0, 0])
    for table, at in (("SendIPV4", 0), ("SendIPV6", 0), ("RecvIPV4", 1), ("RecvIPV6", 1)):
        for r in rows("TcpIp/" + table):
            groups[r["trace"], r["daddr"], names.at(r["trace"], r["pid"], r["time_ns"]), r["pid"]][at] += r["size"]
    return sorted(([*key, *g] for key, g in groups.items()), key=lambda r: (-r[4] - r[5], r[0], r[1], r[3]))


def located():
    """Walks the images of each address in time order, and yields samples with their process and module."""
    events = sorted(((r["time_ns"], kind, r) for kind in ("Load", "DCStart", "UnLoad", "DCEnd") for r in rows("Image/" + kind)), key=lambda e: e[0])
    lives = collections.defaultdict(list)  # [from, to, size, name]
    for time, kind, r in events:
        at = lives[r["trace"], r["payload_process_id"], r["image_base"]]
        there = at and at[-1][1] is None
        if kind == "Load" or not there:
            if there:
                at[-1][1] = time - 1
            at.append([time if kind == "Load" else 0, None, r["image_size"], r["payload_file_name"].rpartition("\\")[2]])
        if kind == "UnLoad":
            at[-1][1] = time
    bases = collections.defaultdict(list)
    for trace, pid, base in lives:
        bases[trace, pid].append(base)
    for b in bases.values():
        b.sort()
    for r in rows("PerfInfo/SampleProf"):
        if r["payload_thread_id"] == 0:
            continue
        name, pid = who(r["trace"], r["payload_thread_id"], r["time_ns"])
        address, module = r["instruction_pointer"], None
        space = r["trace"], 0 if address >> (31 if r["pointer_size"] == 4 else 63) else pid
        for base in reversed(bases[space][:bisect.bisect_right(bases[space], address)]):
            found = [x for x in lives[*space, base] if x[0] <= r["time_ns"] and (x[1] is None or r["time_ns"] <= x[1]) and address < base + x[2]]
            if found:
                module = found[0][3]
                break
        yield r, name, pid, module or r["instruction_pointer_module"]  # of a method outside of images


def table(name):
    return pyarrow.dataset.dataset(f"{root}/{name}").to_table().to_pylist()


class Stacks:
    """The stack of an event."""

    def __init__(self):
        stacks = {(r["trace"], r["stack_id"]): r for r in table("stacks")}
        self.of = {(r["trace"], r["event_ref"]): stacks[r["trace"], r["stack_id"]] for r in table("stack_events")}

    def at(self, event):
        return self.of.get((event["trace"], event["event_ref"]))


def modules():
    groups = collections.defaultdict(lambda: [0, 0])
    for r, name, pid, module in samples_located:
        g = groups[r["trace"], name, pid, module]
        g[0] += 1
        g[1] += stacks.at(r) is not None
    return sorted(([*key, *g] for key, g in groups.items()), key=lambda r: (-r[4], r[0], order(r, 2, 1, 3)))


def functions():
    groups = collections.defaultdict(list)
    for r, name, pid, module in samples_located:
        stack = stacks.at(r)
        groups[r["trace"], name, pid, module, r["instruction_pointer_function"] or "?"].append(stack and stack["stack_id"])
    listed = [[*key, len(ids), len(set(ids) - {None})] for key, ids in groups.items()]
    return sorted(listed, key=lambda r: (-r[5], -r[6], r[0], order(r, 2, 1, 3), r[4]))


def folded():
    lines = collections.Counter()
    for r in rows("PerfInfo/SampleProf"):
        if stack := stacks.at(r):
            text = [stack["process_name"] or (f"process {stack['process_id']}" if stack["process_id"] is not None else "?")]
            for address, module, function, offset in reversed(list(zip(stack["addresses"], stack["modules"], stack["functions"], stack["offsets"]))):
                named = "!".join(filter(None, [module, function])) if function else f"{module}+0x{offset:x}" if module else f"0x{address:x}"
                text.append(named)
            lines[r["trace"], ";".join(t.replace(";", ":") for t in text)] += 1
    return [[trace, f"{line} {n}"] for (trace, line), n in sorted(lines.items(), key=lambda x: (-x[1], x[0]))]


def tree():
    """Walks the events and tracks the live processes and threads, as a system does."""
    alive, ids, listed = {}, {}, []
    events = [(r["time_ns"], kind, r) for kind in ("Start", "DCStart", "End", "DCEnd") for r in rows("Process/" + kind)]
    for time, kind, r in sorted(events, key=lambda e: (e[2]["trace"], e[0])):
        key = r["trace"], r["payload_process_id"]
        if kind == "Start" or key not in alive:
            process = {"row": r, "began": time if kind == "Start" else None, "ended": None, "status": None, "children": []}
            parent = alive.get((r["trace"], r["parent_id"]))
            alive[key] = process
            (listed if parent is None else parent["children"]).append(process)
        if kind == "End":
            alive[key].update(ended=time, status=r["exit_status"] & 0xffffffff)

    def show(processes, depth):
        for p in processes:
            r = p["row"]
            us = [None if t is None else t // 1000 for t in (p["began"], p["ended"])]
            yield [r["trace"], "  " * depth + r["image_file_name"], r["payload_process_id"], r["parent_id"], *us, p["status"], r["command_line"] or None]
            yield from show(p["children"], depth + 1)

    return list(show(listed, 0))


samples_located, stacks = list(located()), Stacks()
print(json.dumps({1: samples(), 2: [], 3: [], 4: disk(), 5: faults(), 6: images(), 7: tcp(), 8: [], 9: [], 10: tree(), 11: [], 12: modules(), 13: functions(), 14: folded()}))
