#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A fake engine that speaks protocol 1, or breaks it the way $FAKE_ENGINE says:
#   good | crash | exit3 | no-end | garbage | silent | hang | unknown-protocol | slow
# Only trials break (they have --tokens-file); the greeting and the roof are answered well.
# $FAKE_ENGINE_LOG: a file that gets one line per start, with the probe's variables as seen.
how=${FAKE_ENGINE:-good}
protocol=1

if [ "$1" = roof ]; then
    echo '{"copy_bytes_per_s":2e10,"flops_per_s":5e10,"threads":1,"how":"made up by a fake"}'
    exit 0
fi

trial=no
for argument in "$@"; do
    [ "$argument" = --tokens-file ] && trial=yes
done
if [ -n "$FAKE_ENGINE_LOG" ]; then
    echo "trial=$trial probe=$NVTX_INJECTION64_PATH cuda=$CUDA_INJECTION64_PATH out=$TARE_PROBE_OUT" \
         "fault=$TARE_PROBE_FAULT arguments=$*" >> "$FAKE_ENGINE_LOG"
fi
[ $trial = no ] && how=good
[ "$how" = unknown-protocol ] && protocol=99
[ "$how" = silent ] && exit 0
[ "$how" = exit3 ] && { echo "fake: no such thing" >&2; exit 3; }

now_ns() { awk '{printf "%.0f", $1 * 1e9}' /proc/uptime; }

echo '{"type":"hello","protocol":'$protocol',"build":{"release":"0","commit":"fake","compiler":"sh"},"model":{"name":"fake","sha256":"ab","parameters":1,"formats":{}},"backend":"cpu","threads":1,"isa":"baseline","precision":"f32","clock":"monotonic_raw","faults":[],"machine_roof":null}'
[ "$how" = garbage ] && { echo '}{ this is no line of protocol 1'; exit 0; }
[ "$how" = hang ] && sleep 600
[ "$how" = slow ] && sleep 1
begin=$(now_ns)
end=$((begin + 1000000))
echo '{"type":"rep","phase":"prefill","rep":0,"begin_ns":'$begin',"end_ns":'$end',"tokens":3,"ops":5}'
[ "$how" = crash ] && kill -SEGV $$
echo '{"type":"counters","phase":"prefill","rep":0,"ops_planned":5,"expert_rows_asked":0,"expert_rows_done":0,"experts_hit":0}'
echo '{"type":"output","request":0,"tokens":[7],"margins":[1.5],"sha256":"'$(printf '\007\000\000\000' | sha256sum | cut -d' ' -f1)'"}'
echo '{"type":"memory","planned_bytes":10,"used_bytes":10,"scratch_planned_bytes":4,"scratch_used_bytes":4,"state_bytes":1,"weights_bytes":5,"peak_bytes":20}'
[ "$how" = no-end ] && exit 0
echo '{"type":"end","first_token_ns":'$end'}'
