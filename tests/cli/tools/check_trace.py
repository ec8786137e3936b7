# SPDX-License-Identifier: Apache-2.0
"""check_trace.py TRACE.json: holds a trace to the rules of the Trace Event Format that viewers rely
on, with a JSON parser that is not ours. Prints what it saw as one JSON object; a breach is exit 1.

The rules: every event has a phase we know with its keys and types, no name is empty, stamps are
decimal microseconds of whole nanoseconds, durations are not negative, slices of one thread nest
(sorted as viewers sort: by start, then the longer, then the order of the file), each async begin
has its end, counters are numbers."""

import collections
import decimal
import json
import sys

KEYS = {"X": {"ts", "dur", "cat"}, "i": {"ts", "s", "cat"}, "b": {"ts", "id2", "cat"},
        "e": {"ts", "id2", "cat"}, "C": {"ts"}, "M": set()}
COMMON = {"ph", "name", "pid", "tid", "args"}
METADATA = {"process_name", "thread_name", "process_sort_index"}


def need(condition, event, what):
    if not condition:
        sys.exit(f"{what}: {event}")


def nanoseconds(event, key):
    value = event[key]
    need(isinstance(value, (int, decimal.Decimal)), event, key + " is no number")
    ns = decimal.Decimal(value) * 1000
    need(ns == ns.to_integral_value() and ns >= 0, event, key + " is no whole nanosecond from 0")
    return int(ns)


def check_shape(event):
    phase = event.get("ph")
    need(phase in KEYS, event, "unknown phase")
    optional = {"cat"} if phase == "C" else set()
    need(set(event) - optional == COMMON | KEYS[phase], event, "keys differ from those of its phase")
    need(isinstance(event["name"], str) and event["name"], event, "no name")
    need(isinstance(event["args"], dict), event, "args are no object")
    for key in ("pid", "tid"):
        need(isinstance(event[key], int) and 0 < event[key] < 1 << 32, event, key)
    if phase == "C":
        need(event["args"] and all(isinstance(v, (int, decimal.Decimal))
                                   for v in event["args"].values()), event, "counter")
    if phase == "M":
        need(event["name"] in METADATA, event, "unknown metadata")
    if phase == "i":
        need(event["s"] in "tp", event, "scope")


def check_nesting(slices):
    """Slices of one thread, each (start, end, event). Hands back the greatest depth."""
    open_ends, deepest = [], 0
    for start, end, event in sorted(slices, key=lambda s: (s[0], s[0] - s[1])):
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        need(not open_ends or end <= open_ends[-1], event, "overlaps the end of the slice around it")
        open_ends.append(end)
        deepest = max(deepest, len(open_ends))
    return deepest


def check_async(events):
    begun = {}
    for event in events:
        key = (event["pid"], event["cat"], event["id2"]["local"], event["name"])
        if event["ph"] == "b":
            need(key not in begun, event, "begun twice")
            begun[key] = nanoseconds(event, "ts")
        else:
            need(begun.pop(key, None) is not None, event, "ends what was not begun")
    need(not begun, begun, "never ended")


def check(document):
    need(document["displayTimeUnit"] == "ns", document.keys(), "displayTimeUnit")
    need(document["otherData"]["schema"] == "tare.chrome-trace/1", document["otherData"], "schema")
    threads, asyncs, named = collections.defaultdict(list), [], set()
    count = collections.Counter()
    for event in document["traceEvents"]:
        check_shape(event)
        count[event["ph"]] += 1
        if "ts" in event:
            start = nanoseconds(event, "ts")
        if event["ph"] == "X":
            end = start + nanoseconds(event, "dur")
            threads[event["pid"], event["tid"]].append((start, end, event))
        elif event["ph"] in "be":
            asyncs.append(event)
        elif event["ph"] == "M":
            named.add((event["name"], event["pid"], event["tid"]))
    for pid, tid in threads:
        need(("thread_name", pid, tid) in named, (pid, tid), "thread without a name")
        need(("process_name", pid, pid) in named, pid, "process without a name")
    check_async(asyncs)
    depth = max(map(check_nesting, threads.values()), default=0)
    return {"events": count, "threads": len(threads), "depth": depth,
            "processes": len({pid for pid, _ in threads})}


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    need(len(keys) == len(set(keys)), keys, "a key twice")
    return dict(pairs)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8", errors="strict") as file:
        print(json.dumps(check(json.load(file, parse_float=decimal.Decimal,
                                         object_pairs_hook=no_duplicates))))
