"""Reads exports with the readers of others: Perfetto's definitions and JSON schemas."""
import collections
import json
import sys

import jsonschema
from google.protobuf import unknown_fields
from perfetto.protos.perfetto.trace import perfetto_trace_pb2


def unknown(message):
    n = len(unknown_fields.UnknownFieldSet(message))
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for m in value if field.is_repeated else [value]:
                n += unknown(m)
    return n


def perfetto(path):
    trace = perfetto_trace_pb2.Trace()
    with open(path, "rb") as f:
        trace.ParseFromString(f.read())
    names, fields = collections.Counter(), collections.Counter()
    stacks, frames, texts = {}, {}, {}
    leaves, switches, open_spans = collections.Counter(), 0, collections.Counter()
    dangling = overlapping = 0
    processes = {}
    events = collections.defaultdict(list)
    for p in trace.packet:
        for field, _ in p.ListFields():
            fields[field.name] += 1
        for t in p.interned_data.function_names:
            texts[t.iid] = t.str.decode()
        for f in p.interned_data.frames:
            frames[f.iid] = texts[f.function_name_id]
        for s in p.interned_data.callstacks:
            stacks[s.iid] = [frames[f] for f in s.frame_ids]
        for process in p.process_tree.processes:
            processes[process.pid] = process.cmdline[0]
        switches += sum(e.HasField("sched_switch") for e in p.ftrace_events.event)
        if p.HasField("perf_sample") and p.perf_sample.callstack_iid:
            leaves[stacks[p.perf_sample.callstack_iid][-1]] += 1
        if p.HasField("track_event"):
            e = p.track_event
            if e.type in (e.TYPE_SLICE_BEGIN, e.TYPE_INSTANT):
                names[e.name] += 1
            if e.type in (e.TYPE_SLICE_BEGIN, e.TYPE_SLICE_END):
                events[e.track_uuid].append((p.timestamp, e.type == e.TYPE_SLICE_BEGIN))
    for track in events.values():
        deep = 0
        for _, begin in sorted(track):  # at one time an end comes before a begin
            deep += 1 if begin else -1
            overlapping += deep not in (0, 1)
        dangling += deep
    return {"unknown": unknown(trace), "fields": fields, "names": names, "leaves": leaves, "switches": switches,
            "dangling": dangling, "overlapping": overlapping, "processes": len(processes)}


def speedscope(path, schema):
    with open(path, encoding="utf-8") as f:
        profile = json.load(f)
    with open(schema, encoding="utf-8") as f:
        schema = json.load(f)
    errors = [e.message[:200] for e in jsonschema.validators.validator_for(schema)(schema).iter_errors(profile)]
    profiles = profile["profiles"]
    return {"errors": errors[:3], "profiles": len(profiles), "samples": sum(len(p["samples"]) for p in profiles),
            "weight": sum(sum(p["weights"]) for p in profiles), "first": profiles[0]["name"]}


question = json.load(sys.stdin)
print(json.dumps({"perfetto": perfetto(question["perfetto"]), "speedscope": speedscope(question["speedscope"], question["schema"])}))
