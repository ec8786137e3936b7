#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Token ids of the golden texts as a prompt: make_texts_prompt.py texts-bf16.safetensors >
scenarios/prompts/texts512.json. Needs nothing but Python."""
import json
import struct
import sys


def tensors(path):
    """Name -> list of integers, for the I32 tensors of a safetensors file."""
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(size))
        data = file.read()
    for name, entry in header.items():
        if entry.get("dtype") != "I32":
            continue
        begin, end = entry["data_offsets"]
        yield name, struct.unpack(f"<{(end - begin) // 4}i", data[begin:end])


def wrapped(ids, per_line=16):
    lines = [", ".join(map(str, ids[i : i + per_line])) for i in range(0, len(ids), per_line)]
    return ",\n   ".join(lines)


def main():
    texts = [
        f'{{"name": {json.dumps(name.removesuffix(".tokens"))}, "tokens": [\n   {wrapped(ids)}]}}'
        for name, ids in tensors(sys.argv[1])
        if name.endswith(".tokens")
    ]
    print("[" + ",\n ".join(texts) + "]")


main()
